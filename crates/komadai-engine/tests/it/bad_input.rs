//! Extreme positions and commands: all are answered.

use std::time::{Duration, Instant};

use komadai_core::Position;
use komadai_movegen::MoveGen;
use komadai_usi::{BestMove, Checkmate, EngineMessage};

use crate::gui::Gui;

/// Commands that must all be answered soon.
const QUESTIONS: [&str; 6] = [
    "go nodes 300",
    "go depth 2",
    "go btime 0 wtime 0 byoyomi 0",
    "go byoyomi 10",
    "go mate nodes 500",
    "go mate 20",
];

/// Sends all commands for a position and checks that each has a legal answer.
fn ask_all(position: &str) {
    let board = Position::from_sfen(position.strip_prefix("sfen ").expect("a position")).ok();
    let mut gui = Gui::new();
    for go in QUESTIONS {
        gui.say(&format!("position {position}"));
        gui.say(go);
        if go.contains("mate") {
            gui.checkmate();
            continue;
        }
        match (gui.best_move(), &board) {
            (BestMove::Move { best, .. }, Some(board)) => assert!(board.is_legal(best), "{best}"),
            (BestMove::Move { best, .. }, None) => panic!("{best} in no position"),
            (BestMove::Resign, Some(board)) => assert!(!board.has_legal_move(), "{position}"),
            (BestMove::Resign, None) => {}
            (BestMove::Win, _) => panic!("a win in {position}"),
        }
    }
    assert!(!gui.session.is_busy());
}

#[test]
fn positions_without_kings() {
    // A position needs at least one king, of either side.
    ask_all("sfen 9/9/9/9/4P4/9/9/9/9 b RBG2S 1");
    ask_all("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 4000000000");
    ask_all("sfen 4k4/9/9/9/4P4/9/9/9/9 b RBG2S 1");
    ask_all("sfen 9/9/9/9/4P4/9/9/9/4K4 b RBG2S 1");
    ask_all("sfen 9/9/9/9/4p4/9/9/9/4K4 w rbg2s 1");
}

#[test]
fn sides_without_a_legal_move() {
    // A mate, and a stalemate, which is very rare in shogi.
    ask_all("sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    let stalemate = "8k/9/7+R1/9/9/9/9/9/K8 w - 1";
    let board = Position::from_sfen(stalemate).expect("a position");
    assert!(!board.in_check() && !board.has_legal_move());
    ask_all(&format!("sfen {stalemate}"));
    // A single legal move.
    ask_all("sfen k8/9/9/9/9/9/9/7r1/8K b - 1");
}

#[test]
fn as_many_moves_as_there_can_be() {
    let most = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    let board = Position::from_sfen(most).expect("a position");
    assert_eq!(board.legal_moves().len(), 593);
    ask_all(&format!("sfen {most}"));
    let mut gui = Gui::new();
    gui.say("setoption name MultiPV value 593");
    gui.plays_legally(&format!("sfen {most}"), "go depth 1");
}

#[test]
fn games_longer_than_any_stack() {
    let shuffle = " 2h3h 8b7b 3h2h 7b8b";
    let mut gui = Gui::new();
    let game = format!("startpos moves{}", shuffle.repeat(2_500));
    for go in ["go nodes 200", "go byoyomi 20", "go depth 3"] {
        gui.plays_legally(&game, go);
    }
    gui.plays_legally("sfen 4k4/9/9/9/9/9/9/9/R3K4 b P 2147483647", "go nodes 200");
    gui.say("setoption name MaxMovesToDraw value 10");
    gui.plays_legally(&game, "go nodes 200");
}

#[test]
fn depths_beyond_any_stack() {
    let mut gui = Gui::new();
    // Bare kings: the tree is narrow, so that the search becomes deep.
    let kings = "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1";
    for depth in ["1000", "4294967295", "99999999999999999999"] {
        gui.plays_legally(kings, &format!("go depth {depth} nodes 50000"));
    }
    gui.say("setoption name DepthLimit value 2147483647");
    gui.plays_legally(kings, "go nodes 20000");
}

#[test]
fn stop_before_anything_has_been_found() {
    for go in ["go", "go infinite", "go ponder", "go btime 60000 wtime 60000", "go mate infinite"] {
        let mut gui = Gui::new();
        gui.settle();
        for _ in 0..20 {
            gui.say("position startpos moves 7g7f");
            gui.say(go);
            gui.say("stop");
            match go.contains("mate") {
                true => assert_ne!(gui.checkmate(), Checkmate::NotImplemented),
                false => assert!(
                    Position::hirate()
                        .after("7g7f".parse().expect("a move"))
                        .is_legal(gui.a_move())
                ),
            }
        }
    }
}

#[test]
fn stop_in_the_same_breath_as_the_first_go() {
    // The engine is not prepared yet: `stop` waits for the search, which waits for the table.
    let mut gui = Gui::new();
    for line in ["position startpos", "go infinite", "stop", "go", "stop", "stop"] {
        gui.say(line);
    }
    gui.a_move();
    gui.a_move();
}

#[test]
fn tables_too_large_are_made_smaller() {
    let mut gui = Gui::new();
    // No machine has this much memory for the mate solver. The request must be reduced.
    gui.say("setoption name MateHash value 65536");
    gui.say("setoption name USI_Hash value 1");
    let said = gui.settle();
    assert!(said.iter().any(|line| line.contains("hash 1 MiB")), "{said:?}");
    gui.plays_legally("startpos", "go nodes 300");
    gui.say("setoption name USI_Hash value -5");
    gui.say("setoption name MateHash value 0");
    let said = gui.settle();
    assert_eq!(said[0], "info string USI_Hash: -5 is cut to 1");
    assert_eq!(said[1], "info string MateHash: 0 is cut to 1");
    gui.plays_legally("startpos", "go nodes 300");
}

#[test]
fn clocks_that_have_run_out() {
    let mut gui = Gui::new();
    gui.settle();
    for go in [
        "go btime 0 wtime 0",
        "go btime -1 wtime -99999999999999999999",
        "go btime 1 wtime 1",
        "go byoyomi 1",
        "go movetime 0",
        "go rtime 0",
        "go movetime -5 nodes 100000000",
        "go btime 0 wtime 0 binc 99999999 winc 99999999 movestogo 40",
        "go btime 0 wtime 0 binc 0 winc 99999999",
        "go btime 0 wtime 0 binc 20 winc 20",
        "go ponder btime 0 wtime 0",
    ] {
        let start = Instant::now();
        gui.say("position startpos");
        gui.say(go);
        if go.contains("ponder") {
            gui.say("ponderhit");
        }
        gui.a_move();
        // Many times the usual time, for a busy machine.
        assert!(start.elapsed() < Duration::from_secs(5), "{go}: {:?}", start.elapsed());
    }
}

#[test]
fn numbers_without_end() {
    let most = u64::MAX;
    let mut gui = Gui::new();
    gui.settle();
    for go in [
        format!("go btime {most} wtime {most} byoyomi {most} binc {most} winc {most}"),
        format!("go movetime {most} nodes {most} depth {most} rtime {most} movestogo {most}"),
        format!("go ponder byoyomi {most}0000"),
        format!("go btime {most} wtime {most} movestogo 0"),
    ] {
        gui.say("position startpos");
        gui.say(&go);
        gui.say("stop");
        gui.a_move();
    }
    gui.say(&format!("go mate {most} nodes {most}"));
    gui.say("stop");
    gui.checkmate();
}

#[test]
fn options_at_both_ends_of_their_ranges() {
    let mut gui = Gui::new();
    let names =
        ["NetworkDelay", "NetworkDelay2", "MinimumThinkingTime", "SlowMover", "DrawValueBlack"]
            .into_iter()
            .chain([
                "DrawValueWhite",
                "MaxMovesToDraw",
                "ResignValue",
                "MultiPV",
                "MateNodes",
                "Threads",
            ]);
    for name in names {
        for value in ["-99999999999999999999", "99999999999999999999"] {
            // This number of threads is reduced.
            let value = if name == "Threads" { "2" } else { value };
            gui.say(&format!("setoption name {name} value {value}"));
            gui.say("position startpos");
            gui.say("go nodes 100 btime 100 wtime 100");
            gui.wait_for("bestmove", |message| {
                matches!(message, EngineMessage::BestMove(_)).then_some(())
            });
        }
        gui.say("setoption name MultiPV value 1");
        gui.say("setoption name MateNodes value 100");
    }
}
