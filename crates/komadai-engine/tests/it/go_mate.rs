//! `go mate`: reports, several lines, limits and answers.

use std::time::{Duration, Instant};

use komadai_core::{Position, Score};
use komadai_movegen::MoveGen;
use komadai_testdata::tsume::{Expected, Set, set};
use komadai_tsume::is_mating_line;
use komadai_usi::{Checkmate, EngineMessage, Info};

use crate::gui::Gui;

/// Returns a classic problem that no solver is known to have decided.
fn endless() -> String {
    let open = set(Set::Classic).find(|problem| problem.expected == Expected::Unknown);
    format!("sfen {}", open.expect("some classics are undecided").sfen)
}

fn infos(messages: &[EngineMessage]) -> impl Iterator<Item = &Info> {
    messages.iter().filter_map(|message| match message {
        EngineMessage::Info(info) => Some(info),
        _ => None,
    })
}

#[test]
fn a_long_search_reports_and_can_be_stopped() {
    let mut gui = Gui::new();
    gui.say("setoption name PvInterval value 50");
    gui.say(&format!("position {}", endless()));
    gui.say("go mate infinite");
    let progress = |message: &EngineMessage| match message {
        EngineMessage::Info(info) if info.nodes > Some(0) && !info.pv().is_empty() => {
            Some(info.clone())
        }
        _ => None,
    };
    let [first, second] = [(); 2].map(|()| gui.wait_for("report", progress));
    for info in [&first, &second] {
        assert_eq!(info.depth, Some(info.pv().len() as u32));
        assert!(info.hash_full.is_some_and(|full| full <= 1_000), "{info}");
        assert!(info.time.is_some() && info.nps.is_some() && info.score.is_none(), "{info}");
    }
    assert!(first.nodes < second.nodes && first.time < second.time);
    let stopped = Instant::now();
    gui.say("stop");
    assert_eq!(gui.checkmate(), Checkmate::Timeout);
    assert!(stopped.elapsed() < Duration::from_secs(2), "{:?}", stopped.elapsed());
}

#[test]
fn a_limit_of_time_is_kept() {
    let mut gui = Gui::new();
    gui.say("isready");
    gui.ready();
    for limit in [1, 20, 100] {
        gui.say(&format!("position {}", endless()));
        let start = Instant::now();
        gui.say(&format!("go mate {limit}"));
        assert_eq!(gui.checkmate(), Checkmate::Timeout);
        // The README of the engine has the figures of an idle machine.
        let elapsed = start.elapsed();
        let limit = Duration::from_millis(limit);
        assert!(elapsed >= limit && elapsed < limit + Duration::from_secs(2), "{elapsed:?}");
    }
}

#[test]
fn each_result_has_its_answer() {
    let mut gui = Gui::new();
    let mut answer = |position: &str, limit: &str| {
        gui.said.clear();
        gui.say(&format!("position {position}"));
        gui.say(&format!("go mate {limit}"));
        (gui.checkmate(), std::mem::take(&mut gui.heard))
    };
    let mate = |moves: &str| Checkmate::Mate(moves.parse().expect("moves"));
    let (found, said) = answer("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "infinite");
    assert_eq!(found, mate("G*5b"));
    let info = infos(&said).find(|info| info.score.is_some()).expect("a line");
    assert_eq!(
        (info.score, info.depth, info.nodes > Some(0)),
        (Some(Score::mate_in(1)), Some(1), true)
    );

    let (none, said) = answer("startpos moves 7g7f 3c3d", "1000");
    assert_eq!(none, Checkmate::NoMate);
    assert!(infos(&said).any(|info| info.nodes.is_some() && info.time.is_some()));
}

#[test]
fn a_side_in_check_mates_as_well() {
    let mut gui = Gui::new();
    let mut count = 0;
    for problem in set(Set::ShortSelfplay).chain(set(Set::Realistic)) {
        let position = Position::from_sfen(problem.sfen).expect("a position");
        // The defender's moves out of check that give check: the roles change.
        for m in position.legal_moves() {
            let after = position.after(m);
            for reply in after.legal_moves() {
                let before = after.after(reply);
                if !after.in_check() || !before.in_check() || count >= 25 {
                    continue;
                }
                gui.say(&format!("position sfen {before}"));
                gui.say("go mate nodes 20000");
                if let Checkmate::Mate(line) = gui.checkmate() {
                    assert!(is_mating_line(&before, &line), "{before}");
                    count += 1;
                }
            }
        }
        if count >= 25 {
            return;
        }
    }
    panic!("only {count} mates by a side in check");
}

#[test]
fn several_lines_are_mates_by_different_moves() {
    let mut gui = Gui::new();
    gui.say("setoption name MultiPV value 3");
    let mut several = 0;
    for problem in set(Set::ShortSelfplay).take(12) {
        let position = Position::from_sfen(problem.sfen).expect("a position");
        gui.said.clear();
        gui.heard.clear();
        gui.say(&format!("position sfen {}", problem.sfen));
        gui.say("go mate infinite");
        let Checkmate::Mate(best) = gui.checkmate() else { panic!("no mate in {position}") };
        let said = std::mem::take(&mut gui.heard);
        let lines: Vec<&Info> = infos(&said).filter(|info| info.score.is_some()).collect();
        assert!((1..=3).contains(&lines.len()));
        assert_eq!(lines[0].pv(), &best[..]);
        for (index, info) in lines.iter().enumerate() {
            assert!(is_mating_line(&position, info.pv()), "{info}");
            let rank = (lines.len() > 1).then_some(index as u32 + 1);
            assert_eq!(info.multi_pv, rank);
            assert!(
                lines[..index]
                    .iter()
                    .all(|other| { other.pv()[0] != info.pv()[0] && other.score >= info.score })
            );
        }
        several += usize::from(lines.len() > 1);
    }
    assert!(several >= 3, "{several} of 12");
}

#[test]
fn a_mate_begins_with_one_of_the_moves_searched_for() {
    let two_golds = "sfen 9/8k/9/8P/9/9/9/9/4K4 b 2G 1";
    let one_gold = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
    for (options, position, moves, answer) in [
        ("", two_golds, "G*1c", "checkmate G*1c"),
        ("", two_golds, "G*2d", "checkmate nomate"),
        ("", two_golds, "5i5h", "checkmate nomate"),
        ("", two_golds, "5i5h G*2d", "checkmate nomate"),
        ("", two_golds, "G*2d G*1c", "checkmate G*1c"),
        ("MultiPV value 5", two_golds, "G*2d", "checkmate nomate"),
        ("ShortestMate value true", two_golds, "G*1c", "checkmate G*1c"),
        ("", one_gold, "5i5h", "checkmate nomate"),
        ("", one_gold, "G*5b", "checkmate G*5b"),
        ("", one_gold, "G*4b", "checkmate "),
        // Illegal moves do not count; without any other, all moves do.
        ("", one_gold, "5i5a", "checkmate G*5b"),
        ("", one_gold, "5i5a 5i5h", "checkmate nomate"),
    ] {
        for limit in ["infinite", "60000"] {
            let mut gui = Gui::new();
            if !options.is_empty() {
                gui.say(&format!("setoption name {options}"));
            }
            gui.settle();
            gui.say(&format!("position {position}"));
            gui.say(&format!("go mate {limit} searchmoves {moves}"));
            let found = gui.checkmate().to_string();
            let found = format!("checkmate {}", found.trim_start_matches("checkmate "));
            assert!(found.starts_with(answer), "{found} of {position} among {moves}");
            let firsts = gui.heard.iter().filter_map(|message| match message {
                EngineMessage::Info(info) => info.pv().first().map(ToString::to_string),
                _ => None,
            });
            let is_among = |m: &String| moves.split(' ').any(|among| among == m);
            let firsts: Vec<_> = firsts.filter(|m| !is_among(m)).collect();
            assert!(firsts.is_empty() || moves == "5i5a", "{firsts:?} of {position} among {moves}");
        }
    }
}
