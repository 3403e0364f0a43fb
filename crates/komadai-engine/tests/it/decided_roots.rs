//! Roots at which the rules end the game: they have a value like any other.

use komadai_core::{Position, Score};
use komadai_engine::{Player, Settings};
use komadai_usi::{BestMove, EngineMessage, Info, Tail};

use crate::gui::Gui;

/// The king has entered the other camp: a win to declare by 27 points.
const ENTERED: &str = "sfen 1+P+P+P+P+P+P+P1/+R1K1+B1+B+R1/G1G6/9/9/9/9/9/4k4 b 2P2g4s4n4l9p 300";
/// The same for White.
const ENTERED_WHITE: &str =
    "sfen 4K4/9/9/9/9/9/6g1g/1+r+b1+b1k1+r/1+p+p+p+p+p+p+p1 w 2G4S4N4L9P2p 300";
const TRY: &str = "sfen 9/4K4/9/9/9/9/9/9/k8 b R2B4G4S4N4L18Pr 100";
const MATED: &str = "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
const MATED_BLACK: &str = "sfen 4k4/9/9/9/9/9/4p4/4g4/4K4 b - 1";
/// No check, but no move.
const STALEMATED: &str = "sfen 9/9/9/9/9/9/9/2+r6/K8 b - 1";

/// The lines of the engine about a position, up to its answer.
fn said(options: &[&str], position: &str, go: &str) -> Vec<String> {
    let mut gui = Gui::new();
    for option in options {
        gui.say(&format!("setoption name {option}"));
    }
    gui.settle();
    gui.say(&format!("position {position}"));
    gui.say(go);
    if go.contains("infinite") || go.contains("ponder") {
        gui.say("stop");
    }
    gui.best_move();
    let lines = gui.heard.drain(..).map(|message| message.to_string());
    lines.filter(|line| !line.is_empty()).collect()
}

#[test]
fn a_decided_root_has_a_value_before_the_answer() {
    let mated = "info depth 0 score mate -0 time 0 nodes 0 pv resign";
    let wins = "info depth 0 score cp 30000 time 0 nodes 0 pv win";
    let tries = "info depth 0 score cp 30000 time 0 nodes 0 pv 5b5a";
    let entered = "info string the king has entered: a win to declare";
    let no_move = "info string there is no legal move";
    let try_rule = "EnteringKingRule value TryRule";
    for (options, position, lines) in [
        (&[][..], ENTERED, [wins, entered, "bestmove win"]),
        (&[], ENTERED_WHITE, [wins, entered, "bestmove win"]),
        (&["SearchMode value MonteCarlo"], ENTERED, [wins, entered, "bestmove win"]),
        (&["MultiPV value 3"], ENTERED, [wins, entered, "bestmove win"]),
        (&[try_rule], TRY, [tries, entered, "bestmove 5b5a"]),
        (&[try_rule, "MultiPV value 2"], TRY, [tries, entered, "bestmove 5b5a"]),
        (&[], MATED, [mated, no_move, "bestmove resign"]),
        (&[], MATED_BLACK, [mated, no_move, "bestmove resign"]),
        (&["MultiPV value 5"], MATED, [mated, no_move, "bestmove resign"]),
        (&[], STALEMATED, [mated, no_move, "bestmove resign"]),
    ] {
        for go in ["go infinite", "go nodes 500", "go movetime 20", "go ponder", "go depth 3"] {
            assert_eq!(said(options, position, go), lines, "{position}, {go}");
        }
    }
}

#[test]
fn without_the_rule_the_root_is_searched() {
    for (options, position) in
        [(&["EnteringKingRule value NoEnteringKing"][..], ENTERED), (&[], TRY)]
    {
        let said = said(options, position, "go nodes 300");
        assert!(said.iter().any(|line| line.contains(" score ") && line.contains(" pv ")));
        assert!(said.iter().all(|line| !line.contains("entered")), "{said:?}");
    }
}

#[test]
fn among_some_moves_a_declaration_is_none_of_them() {
    let try_rule = "EnteringKingRule value TryRule";
    for (options, position, moves, best) in [
        (&[][..], ENTERED, "7b8b", "bestmove 7b8b"),
        (&["SearchMode value MonteCarlo"], ENTERED, "7b8b", "bestmove 7b8b"),
        (&["SearchMode value Both"], ENTERED, "7b8b", "bestmove 7b8b"),
        (&["MultiPV value 2"], ENTERED, "7b8b", "bestmove 7b8b"),
        (&[try_rule], TRY, "5b4b", "bestmove 5b4b"),
        (&[try_rule], TRY, "5b4b 5b5a", "bestmove 5b5a"),
        (&[try_rule], TRY, "5b5a", "bestmove 5b5a"),
    ] {
        for go in ["go nodes 500 searchmoves", "go infinite searchmoves"] {
            let said = said(options, position, &format!("{go} {moves}"));
            assert_eq!(said.last().unwrap(), best, "{said:?}");
            let begins = format!(" pv {}", best.split(' ').nth(1).unwrap());
            let has_value = |line: &String| line.contains(" score ") && line.contains(&begins);
            assert!(said.iter().any(has_value), "{said:?}");
        }
    }
}

#[test]
fn a_reader_gets_value_and_end_of_a_decided_root() {
    for (text, score, tail) in [
        ("depth 0 score mate -0 pv resign", -Score::MATE, Tail::Resign),
        ("score cp 30000 pv win", Score::cp(30_000), Tail::Win),
    ] {
        let info = Info::from_usi(text);
        assert_eq!((info.score, &info.tail), (Some(score), &tail));
        assert!(info.pv().is_empty() && info.to_string() == text);
    }
    let mut settings = Settings::default();
    (settings.hash_mib, settings.mate_hash_mib) = (1, 1);
    let mut player = Player::new(settings).expect("no file is read");
    let mated = Position::from_sfen(MATED.trim_start_matches("sfen ")).expect("a position");
    let request = komadai_engine::MoveRequest::new(&mated, komadai_core::Budget::nodes(10));
    let choice = player.choose(&request, &mut |_| {});
    assert_eq!((choice.best, choice.analysis.score()), (BestMove::Resign, Some(-Score::MATE)));
}

/// Positions in which few nodes end a search just after a move has failed high.
const GAME: [&str; 20] = [
    "7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "6i7h", "4a3b", "2e2d", "2c2d", "2h2d", "8e8f",
    "8g8f", "8b8f", "2d3d", "2b3c", "5i5h", "5a5b", "3g3f", "8f7f",
];

#[test]
fn an_answer_names_a_reply_also_after_a_fail_high() {
    for options in [&[][..], &["MultiPV value 2"], &["Threads value 2"], &["SearchMode value Both"]]
    {
        let mut gui = Gui::new();
        gui.say("setoption name USI_Ponder value true");
        for option in options {
            gui.say(&format!("setoption name {option}"));
        }
        gui.settle();
        let (mut searches, mut without) = (0, Vec::new());
        for plies in 1..=GAME.len() {
            for nodes in [1_000, 3_000, 7_000] {
                gui.say("usinewgame");
                gui.say(&format!("position startpos moves {}", GAME[..plies].join(" ")));
                gui.say(&format!("go nodes {nodes}"));
                let BestMove::Move { best, ponder } = gui.best_move() else { panic!("a move") };
                searches += 1;
                let Some(ponder) = ponder else {
                    without.push((plies, nodes));
                    continue;
                };
                // The last line of the best move has the reply as well.
                let is_line = |message: &EngineMessage| {
                    matches!(message, EngineMessage::Info(info)
                        if info.pv().starts_with(&[best, ponder]))
                };
                assert!(gui.heard.iter().any(is_line), "{plies}, {nodes}: {best} {ponder}");
                gui.heard.clear();
            }
        }
        // Another thread may have replaced the entry of the reply in the table.
        let most = if options == ["Threads value 2"] { searches / 20 } else { 0 };
        assert!(without.len() <= most, "{without:?} of {searches} with {options:?}");
    }
}
