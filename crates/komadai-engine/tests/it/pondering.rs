//! Pondering on one reply or on all.

use std::time::{Duration, Instant};

use komadai_core::{Position, Score, UsiPosition};
use komadai_movegen::{MoveGen, play};
use komadai_usi::{BestMove, EngineMessage, Info};

use crate::gui::{Gui, PATIENCE};

const AFTER_TWO: &str = "startpos moves 7g7f 3c3d";

/// The ways to ponder, as options.
const WAYS: [&str; 4] = [
    "Stochastic_Ponder value false",
    "Stochastic_Ponder value true",
    "Multi_Ponder value 2",
    "Multi_Ponder value 8",
];

fn ready(way: &str) -> Gui {
    let mut gui = Gui::new();
    gui.say("setoption name USI_Ponder value true");
    gui.say(&format!("setoption name {way}"));
    gui.say("setoption name PvInterval value 0");
    gui.settle();
    gui
}

fn position(text: &str) -> Position {
    play(&UsiPosition::from_usi(text).expect("a position")).expect("legal moves")
}

/// Returns the best move and the reports before it. No output may follow it.
fn answer(gui: &mut Gui) -> (BestMove, Vec<Info>) {
    let best = gui.best_move();
    let is_answer = |message: &EngineMessage| matches!(message, EngineMessage::BestMove(_));
    assert!(!gui.session.is_busy());
    let after = gui.settle();
    assert!(!after.iter().any(|line| line.starts_with("bestmove")), "{after:?}");
    let infos = std::mem::take(&mut gui.heard).into_iter().filter(|message| !is_answer(message));
    let infos = infos.filter_map(|message| match message {
        EngineMessage::Info(info) => Some(info),
        _ => None,
    });
    (best, infos.collect())
}

/// Waits for a report of the search and checks that there is no answer yet.
fn ponder_a_little(gui: &mut Gui) {
    gui.wait_for("a thought", |message| match message {
        EngineMessage::Info(info) => info.depth.filter(|&depth| depth >= 2).map(|_| ()),
        EngineMessage::BestMove(_) => panic!("answered while pondering"),
        _ => None,
    });
}

fn assert_plays(best: BestMove, after: &Position) {
    let BestMove::Move { best, ponder } = best else { panic!("no move but {best}") };
    assert!(after.is_legal(best), "{best}");
    assert!(ponder.is_none_or(|reply| after.after(best).is_legal(reply)), "{ponder:?}");
}

#[test]
fn every_way_to_end_pondering_has_one_answer() {
    for way in WAYS {
        for (go, end) in [
            ("go ponder", "ponderhit"),
            ("go ponder", "stop"),
            ("go ponder", "ponderhit btime 0 wtime 0 byoyomi 30"),
            ("go ponder btime 0 wtime 0 byoyomi 30", "ponderhit"),
            ("go ponder btime 60000 wtime 60000", "stop"),
            ("go ponder btime 900000 wtime 900000", "ponderhit btime 10 wtime 10"),
            ("go ponder nodes 2000", "ponderhit"),
            ("go ponder depth 3", "ponderhit"),
            ("go ponder depth 3", "stop"),
        ] {
            for waits in [false, true] {
                let mut gui = ready(way);
                gui.say(&format!("position {AFTER_TWO}"));
                gui.say(go);
                if waits {
                    ponder_a_little(&mut gui);
                }
                gui.say(end);
                let (best, _) = answer(&mut gui);
                assert_plays(best, &position(AFTER_TWO));
            }
        }
    }
}

#[test]
fn a_clock_runs_from_ponderhit_on() {
    for way in WAYS {
        let mut gui = ready(way);
        gui.say("setoption name NetworkDelay2 value 0");
        gui.settle();
        gui.say(&format!("position {AFTER_TWO}"));
        gui.say("go ponder btime 0 wtime 0 byoyomi 300");
        ponder_a_little(&mut gui);
        gui.listen(Duration::from_millis(400));
        let hit = Instant::now();
        gui.say("ponderhit");
        gui.best_move();
        // Byoyomi is used up, independently of the time spent pondering.
        assert!(hit.elapsed() >= Duration::from_millis(250), "{:?}", hit.elapsed());
        assert!(hit.elapsed() < PATIENCE / 4);
    }
}

#[test]
fn thoughts_on_all_replies_are_told_as_of_the_position_set() {
    // Black has just won a rook. The position before that has White to move.
    let text = "sfen 4k4/9/9/4r4/9/9/4P4/4L4/4K4 w - 1 moves 5d5g+ 5h5g";
    let mut gui = ready(WAYS[1]);
    gui.say(&format!("position {text}"));
    gui.say("go ponder");
    ponder_a_little(&mut gui);
    gui.say("stop");
    let (best, infos) = answer(&mut gui);
    let after = position(text);
    assert_plays(best, &after);
    for info in &infos {
        assert!(info.pv().first().is_none_or(|&m| after.is_legal(m)), "{info}");
        if info.depth.is_some_and(|depth| depth > 0) {
            let score = info.score.expect("a score with the depth");
            assert!(score < Score::ZERO, "White is behind: {info}");
        }
    }
    assert!(infos.iter().any(|info| info.depth.is_some()));
}

#[test]
fn without_a_reply_to_guess_pondering_is_as_usual() {
    for text in ["startpos", "sfen 4k4/9/9/9/9/9/9/9/4K4 w - 1"] {
        let mut gui = ready(WAYS[1]);
        gui.say(&format!("position {text}"));
        gui.say("go ponder");
        ponder_a_little(&mut gui);
        gui.say("stop");
        assert_plays(answer(&mut gui).0, &position(text));
    }
}

#[test]
fn a_guess_that_is_searched_to_its_end_waits() {
    // The position before the reply is a mate in one, so that its search ends at once.
    let text = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves 5i5h";
    for end in ["ponderhit", "stop"] {
        let mut gui = ready(WAYS[1]);
        gui.say(&format!("position {text}"));
        gui.say("go ponder depth 1");
        gui.listen(Duration::from_millis(50));
        assert!(gui.session.is_busy());
        gui.say(end);
        assert_plays(answer(&mut gui).0, &position(text));
    }
}

#[test]
fn a_game_that_ends_while_pondering_owes_one_answer() {
    for way in WAYS {
        let mut gui = ready(way);
        gui.say(&format!("position {AFTER_TWO}"));
        gui.say("go ponder");
        gui.say("stop");
        gui.say("gameover win");
        gui.say("isready");
        gui.say("usinewgame");
        gui.say("position startpos");
        gui.say("go nodes 100");
        gui.a_move();
        gui.ready();
        gui.a_move();
        assert!(!gui.session.is_busy());
    }
}

#[test]
fn a_table_may_be_resized_while_pondering() {
    for way in WAYS {
        let mut gui = ready(way);
        for mib in [8, 1, 3] {
            gui.say(&format!("position {AFTER_TWO}"));
            gui.say("go ponder btime 1000 wtime 1000");
            gui.say(&format!("setoption name USI_Hash value {mib}"));
            ponder_a_little(&mut gui);
            gui.say("ponderhit");
            gui.a_move();
            let said = gui.settle();
            assert!(said.iter().any(|line| line.contains(&format!("hash {mib} MiB"))), "{said:?}");
        }
    }
}

/// Returns what is reported of a search, without times.
fn thoughts(infos: &[Info]) -> Vec<String> {
    let timeless = |info: &Info| Info { time: None, nps: None, ..info.clone() }.to_string();
    infos.iter().filter(|info| info.depth.is_some()).map(timeless).collect()
}

#[test]
fn one_reply_is_pondered_on_as_usual_node_for_node() {
    let reports = |count: u32| {
        let mut gui = ready(&format!("Multi_Ponder value {count}"));
        gui.say(&format!("position {AFTER_TWO}"));
        gui.say("go ponder nodes 30000");
        gui.listen(Duration::from_millis(300));
        gui.say("ponderhit");
        let (best, infos) = answer(&mut gui);
        (best, thoughts(&infos))
    };
    let usual = reports(0);
    assert!(usual.1.len() > 3, "{usual:?}");
    assert_eq!(reports(1), usual);
}

#[test]
fn several_replies_are_told_with_their_depths() {
    let mut gui = ready("Multi_Ponder value 3");
    gui.say(&format!("position {AFTER_TWO}"));
    gui.say("go ponder nodes 200000");
    let told = gui.wait_for("a line about the replies", |message| {
        let text = message.to_string();
        text.contains("multi ponder: 3c3d ").then_some(text)
    });
    assert_eq!(told.matches("depth").count(), 3, "{told}");
    gui.say("stop");
    let (best, infos) = answer(&mut gui);
    let after = position(AFTER_TWO);
    assert_plays(best, &after);
    // What is reported is about the expected reply, deeper each time.
    let depths: Vec<_> = infos.iter().filter_map(|info| info.depth).collect();
    assert!(depths.len() > 3 && depths.is_sorted(), "{depths:?}");
    for info in &infos {
        assert!(info.pv().first().is_none_or(|&m| after.is_legal(m)), "{info}");
    }
}

/// Returns the replies of a line about several ones, with their depths.
fn replies_and_depths(told: &str) -> Vec<(String, u32)> {
    let (_, replies) = told.split_once("multi ponder: ").expect("a line about replies");
    let words = |reply: &str| -> Option<(String, u32)> {
        let mut words = reply.split_whitespace();
        Some((words.next()?.to_owned(), words.last()?.parse().ok()?))
    };
    replies.split(", ").map(|reply| words(reply).expect("a reply and its depth")).collect()
}

#[test]
fn the_search_after_a_reply_begins_at_the_depth_that_was_pondered() {
    // The expected reply, and another one.
    for (index, ends) in [(0, "ponderhit"), (1, "stop")] {
        let mut gui = ready("Multi_Ponder value 3");
        gui.say(&format!("position {AFTER_TWO}"));
        gui.say("go ponder nodes 200000");
        // Reports come at 20, 40 and 80 thousand nodes or a little later, and at the end.
        let mut line = || {
            gui.wait_for("a line about the replies", |message| {
                let text = message.to_string();
                text.contains("multi ponder: ").then_some(text)
            })
        };
        let told = [line(), line(), line(), line()];
        let replies = replies_and_depths(&told[3]);
        let (reply, depth) = replies[index].clone();
        gui.say(ends);
        if ends == "stop" {
            answer(&mut gui);
            gui.say(&format!("position startpos moves 7g7f {reply}"));
            gui.say("go nodes 200000");
        }
        gui.heard.clear();
        let (best, infos) = answer(&mut gui);
        assert_plays(best, &position(&format!("startpos moves 7g7f {reply}")));
        let first = infos.iter().find_map(|info| info.depth);
        assert!(first >= Some(depth), "{first:?} after {replies:?}");
    }
}
