//! Lines that can be read are the same after writing and reading.

use komadai_usi::{EngineMessage, GuiCommand};
use proptest::prelude::*;

/// Words of the protocol, extreme numbers, and invalid words.
const WORDS: &[&str] = &[
    "usi",
    "isready",
    "usinewgame",
    "position",
    "startpos",
    "sfen",
    "moves",
    "go",
    "stop",
    "quit",
    "ponderhit",
    "gameover",
    "win",
    "lose",
    "draw",
    "setoption",
    "name",
    "value",
    "ponder",
    "infinite",
    "btime",
    "wtime",
    "byoyomi",
    "binc",
    "winc",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "searchmoves",
    "rtime",
    "movestogo",
    "id",
    "author",
    "option",
    "type",
    "check",
    "spin",
    "combo",
    "string",
    "filename",
    "button",
    "default",
    "min",
    "max",
    "var",
    "usiok",
    "readyok",
    "info",
    "seldepth",
    "multipv",
    "score",
    "cp",
    "lowerbound",
    "upperbound",
    "time",
    "nps",
    "hashfull",
    "currmove",
    "pv",
    "bestmove",
    "checkmate",
    "nomate",
    "timeout",
    "resign",
    "<empty>",
    "true",
    "false",
    "0",
    "-1",
    "+",
    "-",
    "+0",
    "7",
    "1.5",
    "2147483648",
    "99999999999999999999999",
    "7g7f",
    "P*5e",
    "8h2b+",
    "0000",
    "4k4/9/9/9/9/9/9/9/4K4",
    "b",
    "w",
    "USI_Hash",
    "Clear Hash",
    "歩",
    "\u{feff}",
];

fn line() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(prop::sample::select(WORDS), 0..16);
    let blank = prop::sample::select(&[" ", "  ", "\t"][..]);
    prop_oneof![
        4 => (words, blank).prop_map(|(words, blank)| words.join(blank)),
        1 => any::<String>().prop_map(|text| text.replace(['\n', '\r', '\0'], " ")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn commands(line in line()) {
        if let Ok(command) = line.parse::<GuiCommand>() {
            let written = command.to_string();
            prop_assert!(!written.contains(['\n', '\r']));
            prop_assert_eq!(written.parse::<GuiCommand>(), Ok(command));
        }
    }

    #[test]
    fn messages(line in line()) {
        if let Ok(message) = line.parse::<EngineMessage>() {
            let written = message.to_string();
            prop_assert!(!written.contains(['\n', '\r']));
            prop_assert_eq!(written.parse::<EngineMessage>(), Ok(message));
        }
    }

    #[test]
    fn what_holds_line_breaks_is_written_on_one_line(text in any::<String>()) {
        for begin in ["", "setoption name X value ", "id name ", "info string ", "option name X type string default "] {
            let line = format!("{begin}{text}");
            if let Ok(command) = line.parse::<GuiCommand>() {
                prop_assert!(!command.to_string().contains(['\n', '\r']));
            }
            if let Ok(message) = line.parse::<EngineMessage>() {
                prop_assert!(!message.to_string().contains(['\n', '\r']));
            }
        }
    }
}
