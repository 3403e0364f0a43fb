//! USI dialogues with the unusual commands of GUIs and scripts.

use std::time::{Duration, Instant};

use komadai_core::{Position, UsiPosition};
use komadai_movegen::{MoveGen, play};
use komadai_testdata::tsume::{self, Expected, Problem, Set};
use komadai_usi::{BestMove, Checkmate, EngineMessage, Info, Tail};

use crate::gui::{Gui, PATIENCE};

/// A position with a mate in seven plies and no shorter one.
fn mate_in_seven() -> String {
    let is_of_seven = |problem: &Problem| problem.expected == Expected::ShortestMate(7);
    let problem = tsume::set(Set::ShortSelfplay).find(is_of_seven).expect("there are many");
    format!("sfen {}", problem.sfen)
}

#[test]
fn options_are_introduced_before_any_work_is_done() {
    let mut gui = Gui::new();
    gui.say("usi");
    assert_eq!(gui.said.last(), Some(&EngineMessage::UsiOk));
    let names: Vec<&str> = gui
        .said
        .iter()
        .filter_map(|message| match message {
            EngineMessage::Option(option) => Some(option.name.as_str()),
            _ => None,
        })
        .collect();
    for name in ["USI_Hash", "USI_Ponder", "Threads", "MultiPV", "BookFile", "EnteringKingRule"] {
        assert!(names.contains(&name), "{name}");
    }
}

#[test]
fn every_way_to_state_the_time_gets_a_move() {
    let mut gui = Gui::new();
    for go in [
        "go btime 0 wtime 0",
        "go btime 0 wtime 0 byoyomi 0",
        "go btime -50 wtime 0 byoyomi",
        "go btime 100 wtime 100",
        "go btime 100 wtime 100 binc 10 winc 10",
        "go byoyomi 20",
        "go movetime 20",
        "go rtime 5",
        "go btime 1000 wtime 1000 movestogo 40",
        "go depth 1",
        "go depth 0",
        "go nodes 0",
        "go nodes 1",
        "go nodes 500 depth 30 movetime 100000",
    ] {
        gui.plays_legally("startpos moves 7g7f", go);
    }
}

#[test]
fn no_time_means_at_once() {
    let mut gui = Gui::new();
    gui.settle();
    for go in ["go btime 0 wtime 0", "go btime 0 wtime 0 byoyomi 0", "go btime 0 wtime 0 binc 0"] {
        let start = Instant::now();
        gui.plays_legally("startpos", go);
        // Twenty times the usual time, for a busy machine.
        assert!(start.elapsed() < Duration::from_secs(5), "{go}: {:?}", start.elapsed());
    }
}

#[test]
fn an_only_move_needs_no_thinking() {
    let mut gui = Gui::new();
    gui.settle();
    let start = Instant::now();
    gui.plays_legally("sfen k8/9/9/9/9/9/9/7r1/8K b - 1", "go btime 0 wtime 0 byoyomi 60000");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn an_endless_search_ends_with_stop_and_no_sooner() {
    // The second ends at once because it has one legal move; the third is a mate in one.
    for position in
        ["startpos", "sfen k8/9/9/9/9/9/9/7r1/8K b - 1", "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"]
    {
        let mut gui = Gui::new();
        gui.settle();
        gui.say(&format!("position {position}"));
        gui.say("go infinite");
        gui.wait_for("info", |message| match message {
            EngineMessage::Info(info) if !info.pv().is_empty() => Some(()),
            EngineMessage::BestMove(_) => panic!("answered before stop"),
            _ => None,
        });
        gui.say("stop");
        gui.a_move();
        gui.say("stop");
        let after: Vec<_> = gui.settle();
        assert!(!after.iter().any(|line| line.starts_with("bestmove")), "{after:?}");
    }
}

#[test]
fn pondering_takes_its_clock_from_either_command() {
    for (go, hit) in [
        ("go ponder", "ponderhit"),
        ("go ponder", "ponderhit btime 0 wtime 0 byoyomi 30"),
        ("go ponder btime 0 wtime 0 byoyomi 30", "ponderhit"),
        ("go ponder btime 900000 wtime 900000", "ponderhit btime 10 wtime 10"),
        ("go ponder", "stop"),
    ] {
        let mut gui = Gui::new();
        gui.settle();
        gui.say("position startpos moves 7g7f 3c3d");
        gui.say(go);
        gui.say(hit);
        gui.a_move();
    }
}

#[test]
fn the_reply_to_ponder_on_is_legal_and_named_on_request() {
    let mut gui = Gui::new();
    gui.say("position startpos");
    gui.say("go depth 4");
    let BestMove::Move { ponder, .. } = gui.best_move() else { panic!("a move") };
    assert_eq!(ponder, None);
    gui.say("setoption name USI_Ponder value true");
    gui.say("go depth 4");
    let BestMove::Move { best, ponder: Some(reply) } = gui.best_move() else {
        panic!("a move with a reply")
    };
    assert!(Position::hirate().after(best).is_legal(reply));
}

#[test]
fn a_technique_is_turned_off_by_its_name() {
    let mut gui = Gui::new();
    gui.say("usi");
    let switches = |message: &&EngineMessage| match message {
        EngineMessage::Option(option) => option.name.starts_with("Use"),
        _ => false,
    };
    assert!(gui.said.iter().filter(switches).count() > 10);
    let mut best_with = |value: bool| {
        gui.say(&format!("setoption name usenullmove value {value}"));
        let said = gui.settle();
        let is_told = said.iter().any(|line| line.ends_with(", UseNullMove false"));
        assert_eq!(is_told, !value, "{said:?}");
        gui.say("usinewgame");
        gui.say(
            "position sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        );
        gui.say("go depth 8");
        let mut nodes = None;
        gui.wait_for("bestmove", |message| {
            matches!(message, EngineMessage::BestMove(_)).then_some(())
        });
        for message in std::mem::take(&mut gui.heard) {
            if let EngineMessage::Info(Info { nodes: Some(number), .. }) = message {
                nodes = Some(number);
            }
        }
        nodes.expect("there is a report before the move")
    };
    let with = best_with(true);
    assert_ne!(best_with(false), with);
    assert_eq!(best_with(true), with);
}

#[test]
fn a_new_game_may_begin_at_any_moment() {
    let mut gui = Gui::new();
    gui.settle();
    gui.say("position startpos");
    gui.say("go btime 600000 wtime 600000");
    gui.say("gameover win");
    gui.say("isready");
    gui.say("usinewgame");
    gui.say("position startpos moves 2g2f");
    gui.say("go nodes 100");
    gui.a_move();
    gui.ready();
    gui.a_move();
    assert!(!gui.session.is_busy());
}

#[test]
fn isready_twice_has_two_answers() {
    let mut gui = Gui::new();
    gui.say("isready");
    gui.say("isready");
    gui.ready();
    gui.ready();
}

#[test]
fn quit_ends_everything() {
    for job in ["isready", "go infinite", "go mate infinite"] {
        let mut gui = Gui::new();
        gui.say(job);
        gui.say("quit");
        assert!(gui.session.has_quit(), "{job}");
    }
}

#[test]
fn long_games_are_followed() {
    let shuffle = " 2h3h 8b7b 3h2h 7b8b";
    let mut gui = Gui::new();
    // A whole game of 520 moves; the position has occurred more than four times.
    gui.plays_legally(&format!("startpos moves{}", shuffle.repeat(130)), "go nodes 200");
}

#[test]
fn an_illegal_move_leaves_the_game_before_it() {
    let mut gui = Gui::new();
    gui.settle();
    gui.say("position startpos moves 7g7f 7g7f 3c3d");
    gui.say("go nodes 100");
    let best = gui.wait_for("bestmove", |message| match message {
        EngineMessage::BestMove(BestMove::Move { best, .. }) => Some(*best),
        _ => None,
    });
    let after = Position::hirate().after("7g7f".parse().expect("a move"));
    assert!(after.is_legal(best), "{best} is White's");
}

#[test]
fn positions_that_are_none_are_answered_by_resigning() {
    let mut gui = Gui::new();
    for position in [
        "position sfen 9/9/9/9/9/9/9/9/9 b - 1",
        "position sfen kk7/9/9/9/9/9/9/9/8K b - 1",
        "position sfen 4k4/4R4/9/9/9/9/9/9/4K4 b - 1",
        "position sfen nonsense",
        "position",
    ] {
        gui.say(position);
        gui.say("go byoyomi 100");
        assert_eq!(gui.best_move(), BestMove::Resign, "{position}");
    }
    gui.plays_legally("startpos", "go nodes 100");
}

#[test]
fn positions_with_one_king_or_empty_hands_are_played() {
    let mut gui = Gui::new();
    gui.plays_legally("sfen 4k4/9/9/9/9/9/9/9/9 b RG 1", "go nodes 300");
    gui.plays_legally("sfen 9/9/9/9/9/9/9/9/4K4 b G 1", "go nodes 300");
    gui.plays_legally("sfen 4k4/9/9/9/9/9/9/9/4K4 w - 1", "go nodes 300");
    gui.plays_legally(
        "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "go depth 3",
    );
}

#[test]
fn a_mated_side_resigns() {
    let mut gui = Gui::new();
    gui.say("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    gui.say("go byoyomi 1000");
    assert_eq!(gui.best_move(), BestMove::Resign);
}

#[test]
fn a_side_far_behind_resigns_if_told_to() {
    let position = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s 1";
    let mut gui = Gui::new();
    gui.say(position);
    gui.say("go depth 2");
    gui.a_move();
    gui.say("setoption name ResignValue value 3000");
    gui.say("go depth 2");
    assert_eq!(gui.best_move(), BestMove::Resign);
}

#[test]
fn a_draw_is_worth_what_the_options_and_the_clock_say() {
    let mut gui = Gui::new();
    gui.say("setoption name DrawValueBlack value 123");
    gui.say("setoption name DrawValueWhite value -45");
    let mut score = |setting: &str, position: &str, go: &str| {
        // Any move leads to a draw.
        gui.say(setting);
        gui.say(position);
        gui.say(go);
        let scores = |message: &EngineMessage| match message {
            EngineMessage::Info(info) if !info.pv().is_empty() => info.score,
            _ => None,
        };
        let found = gui.wait_for("a score", scores);
        gui.a_move();
        found.to_cp().expect("no mate")
    };
    let (first, second) =
        ("setoption name MaxMovesToDraw value 1", "setoption name MaxMovesToDraw value 2");
    let (black, white) = ("position startpos", "position startpos moves 7g7f");
    assert_eq!(score(first, black, "go depth 2"), 123);
    assert_eq!(score(second, white, "go depth 2"), -45);
    let by_clock = "setoption name DrawValueByClock value true";
    assert_eq!(score(by_clock, white, "go depth 2 btime 300000 wtime 100000"), -45 + 60);
    assert_eq!(score(first, black, "go depth 2 btime 300000 wtime 100000"), 123);
}

#[test]
fn a_king_that_has_entered_declares() {
    let position = "position sfen K+P+P+P+P+P+P+P+B/+R+R+B6/9/9/9/9/9/9/4k4 b P 1";
    let mut gui = Gui::new();
    gui.say(position);
    gui.say("go byoyomi 1000");
    assert_eq!(gui.best_move(), BestMove::Win);
    gui.say("setoption name EnteringKingRule value NoEnteringKing");
    gui.say("go nodes 300");
    gui.a_move();
}

#[test]
fn under_the_try_rule_the_king_walks_home() {
    let mut gui = Gui::new();
    gui.say("setoption name EnteringKingRule value TryRule");
    gui.say("position sfen 9/4K4/9/9/9/9/9/9/k8 b - 1");
    gui.say("go byoyomi 1000");
    assert_eq!(gui.a_move(), "5b5a".parse().expect("a move"));
}

#[test]
fn mates_are_found_and_refuted() {
    let mut gui = Gui::new();
    let position = mate_in_seven();
    gui.say(&format!("position {position}"));
    gui.say("go mate 60000");
    let Checkmate::Mate(line) = gui.checkmate() else { panic!("a mate") };
    assert!(line.len() >= 7 && line.len() % 2 == 1, "{line}");
    let mut position = play(&UsiPosition::from_usi(&position).expect("a position")).expect("legal");
    for &m in &line {
        assert!(position.is_legal(m), "{m} in {line}");
        position.do_move(m);
    }
    assert!(position.in_check() && !position.has_legal_move(), "{line} does not mate");

    gui.say("position startpos");
    gui.say("go mate infinite");
    assert_eq!(gui.checkmate(), Checkmate::NoMate);
    gui.say("position sfen 4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1");
    gui.say("go mate nodes 1");
    assert_eq!(gui.checkmate(), Checkmate::Timeout);
}

#[test]
fn a_mate_search_ends_with_stop() {
    let mut gui = Gui::new();
    gui.settle();
    gui.say("position sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1");
    gui.say("go mate infinite");
    gui.say("stop");
    gui.checkmate();
    assert!(!gui.session.is_busy());
}

#[test]
fn a_playing_engine_sees_a_mate_before_it_searches() {
    let mut gui = Gui::new();
    gui.say(&format!("position {}", mate_in_seven()));
    gui.say("go btime 1000 wtime 1000 byoyomi 2000");
    let info = gui.wait_for("info with a mate", |message| match message {
        EngineMessage::Info(info) if !info.pv().is_empty() => Some(info.clone()),
        _ => None,
    });
    assert!(info.score.is_some_and(|score| score.is_mate()), "{info}");
    assert_eq!(gui.a_move(), info.pv()[0]);
}

#[test]
fn only_the_moves_searched_for_are_played() {
    let mut gui = Gui::new();
    let position = "position sfen 4k4/9/9/9/9/9/9/9/R3K4 b P 1";
    for (moves, allowed) in [("P*5e 5i4h", &["P*5e", "5i4h"][..]), ("P*5e 5i5a", &["P*5e"])] {
        gui.say(position);
        gui.say(&format!("go nodes 500 searchmoves {moves}"));
        let best = gui.a_move().to_string();
        assert!(allowed.contains(&best.as_str()), "{best}");
    }
    // All of these are illegal, so all legal moves are allowed.
    gui.plays_legally("startpos", "go nodes 100 searchmoves P*5e 5i5a");
}

#[test]
fn more_lines_than_moves_are_no_trouble() {
    let mut gui = Gui::new();
    gui.say("setoption name MultiPV value 500");
    gui.say("setoption name PvInterval value 0");
    gui.say("position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1");
    gui.say("go depth 2");
    gui.a_move();
    let mut gui = Gui::new();
    gui.say("setoption name MultiPV value 3");
    gui.say("position startpos");
    gui.say("go depth 3");
    gui.wait_for("bestmove", |message| matches!(message, EngineMessage::BestMove(_)).then_some(()));
}

#[test]
fn several_lines_are_numbered_without_a_gap() {
    let mut gui = Gui::new();
    gui.say("setoption name MultiPV value 3");
    gui.say("setoption name PvInterval value 0");
    gui.settle();
    gui.say("position startpos");
    gui.say("go depth 3");
    let start = Instant::now();
    while gui.session.is_busy() && start.elapsed() < PATIENCE {
        let _ = gui.woken.recv_timeout(Duration::from_millis(5));
        gui.said.extend(gui.session.poll());
    }
    let ranks: Vec<Option<u32>> = gui
        .said
        .iter()
        .filter_map(|message| match message {
            EngineMessage::Info(Info { multi_pv, tail: Tail::Pv(_), .. }) => Some(*multi_pv),
            _ => None,
        })
        .collect();
    assert!(ranks.len() >= 6 && ranks.len().is_multiple_of(3), "{ranks:?}");
    for group in ranks.chunks(3) {
        assert_eq!(group, [Some(1), Some(2), Some(3)]);
    }
}

#[test]
fn what_cannot_be_set_is_said() {
    let mut gui = Gui::new();
    gui.say("setoption name Threads value 1000000");
    gui.say("setoption name USI_Hash value 99999999");
    gui.say("setoption name USI_Hash value 1");
    gui.say("setoption name BookFile value ");
    gui.say("setoption name Contempt value 3");
    gui.say("setoption name UseNullMove value maybe");
    gui.say("setoption name useprobcut value false");
    let said = gui.settle();
    assert_eq!(said[0], "info string Threads: 1000000 is cut to 1024");
    assert_eq!(said[1], "info string USI_Hash: 99999999 is cut to 4096");
    assert_eq!(said[2], "info string no option is named \"Contempt\"");
    let expected = "info string option UseNullMove cannot be \"maybe\", expected true or false";
    assert_eq!(said[3], expected);
    // A GUI that has saved the options of an earlier version.
    assert_eq!(said[4], "info string option useprobcut is UseCaptureProbcut now");
    // Only a machine with at least this number of cores uses them all.
    let rest: Vec<_> = said[5..].iter().filter(|line| !line.contains("this machine")).collect();
    assert!(rest.len() == 2 && rest[0].contains(", hash 1 MiB, mate hash 1 MiB"), "{rest:?}");
    assert_eq!(rest[1], "readyok");
}

#[test]
fn another_quiescence_search_is_confirmed() {
    let mut gui = Gui::new();
    assert!(!gui.settle().iter().any(|line| line.contains("Quiescence")));
    gui.say("setoption name Quiescence value skep");
    let said = gui.settle();
    assert!(said.iter().any(|line| line.ends_with(", Quiescence SKEP")), "{said:?}");
}

#[test]
fn a_book_that_cannot_be_opened_is_named_and_tried_again() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("a book.db");
    let text = "#YANEURAOU-DB2016 1.00\n\
        sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
        1g1f 9c9d 5 3 1\n";
    let mut gui = Gui::new();
    gui.say(&format!("setoption name BookFile value {}", path.display()));
    let said = gui.settle();
    let expected = |line: &String| {
        line.starts_with("info string Error! : cannot open the book")
            && line.contains("a book.db: ")
            && line.ends_with("; play goes on without the book")
    };
    assert!(said.iter().any(expected), "{said:?}");
    gui.say("position startpos");
    gui.say("go nodes 500");
    gui.a_move();

    std::fs::write(&path, text).expect("it can be written");
    gui.settle();
    gui.say("position startpos");
    gui.say("go byoyomi 1000");
    assert_eq!(gui.a_move().to_string(), "1g1f");
    // An analysis does not use the book.
    gui.say("go infinite");
    gui.wait_for("a search", |message| match message {
        EngineMessage::Info(info) if info.nodes.is_some_and(|nodes| nodes > 0) => Some(()),
        _ => None,
    });
    gui.say("stop");
    gui.a_move();
    gui.say("setoption name USI_OwnBook value false");
    gui.say("go nodes 2000");
    let info = gui.wait_for("info", |message| match message {
        EngineMessage::Info(info) if !info.pv().is_empty() => Some(info.clone()),
        _ => None,
    });
    assert!(info.nodes.is_some_and(|nodes| nodes > 0), "{info}");
}

#[test]
fn a_book_is_searched_on_disk_if_it_is_in_order() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("book.db");
    let start =
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n1g1f none 5 3 1\n";
    let other = "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n5i5h\n";
    let header = "#YANEURAOU-DB2016 1.00\n";
    std::fs::write(&path, format!("{header}{start}{other}")).expect("it can be written");
    let mut gui = Gui::new();
    gui.say(&format!("setoption name BookFile value {}", path.display()));
    gui.say("setoption name BookOnTheFly value true");
    let said = gui.settle();
    let is_reason = |line: &String| {
        line.starts_with("info string Error! : book ") && line.contains("book.db: byte ")
    };
    assert!(said.iter().any(is_reason), "{said:?}");

    std::fs::write(&path, format!("{header}{other}{start}")).expect("it can be written");
    let said = gui.settle();
    assert!(said.iter().any(|line| line.ends_with("book.db: to be searched")), "{said:?}");
    gui.say("position startpos");
    gui.say("go byoyomi 1000");
    assert_eq!(gui.a_move().to_string(), "1g1f");
    gui.say("setoption name BookOnTheFly value false");
    let said = gui.settle();
    assert!(said.iter().any(|line| line.ends_with("book.db: 2 positions, 0 faults")), "{said:?}");
}

#[test]
fn a_budget_in_nodes_is_kept_and_repeatable() {
    let play = || {
        let mut gui = Gui::new();
        gui.settle();
        let mut game = String::from("startpos moves");
        for _ in 0..12 {
            gui.say(&format!("position {game}"));
            gui.say("go nodes 3000");
            let info = gui.wait_for("info", |message| match message {
                EngineMessage::Info(info) if !info.pv().is_empty() => Some(info.clone()),
                _ => None,
            });
            assert!(info.nodes.is_some_and(|nodes| nodes <= 3_000), "{info}");
            game.push_str(&format!(" {}", gui.a_move()));
        }
        game
    };
    assert_eq!(play(), play());
}
