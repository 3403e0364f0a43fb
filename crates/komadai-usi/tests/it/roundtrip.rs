//! Lines that can be read are the same after writing and reading.

use std::time::Duration;

use komadai_usi::{BestMove, EngineMessage, GoLimits, GuiCommand, Info, OptionSpec};
use proptest::prelude::*;

use crate::text_form;

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
    "P*",
    "(none)",
    "4k4/9/9/9/9/9/9/9/4K4",
    "b",
    "w",
    "USI_Hash",
    "Clear Hash",
    "歩",
    "\u{feff}",
];

/// Text between two words: blanks of the protocol, characters that break lines, and characters that
/// only look like blanks.
const BETWEEN: &[&str] = &[
    " ", " ", " ", " ", "  ", "\t", "\0", "\0\0", "\r", "\n", "\r\n", "\u{b}", "\u{c}", "\u{3000}",
    "é", "",
];

/// Beginnings of lines with free text.
const BEGINNINGS: &[&str] = &[
    "",
    "setoption name ",
    "setoption name X value ",
    "id name ",
    "id author ",
    "info string ",
    "info depth 3 pv ",
    "option name ",
    "option name X type string default ",
    "option name X type filename ",
    "option name X type combo default a var ",
    "option name X type spin default 1 ",
    "bestmove 7g7f ",
    "checkmate ",
    "go btime 1 ",
    "ponderhit ",
    "position startpos ",
];

fn line() -> impl Strategy<Value = String> {
    let pair = (prop::sample::select(WORDS), prop::sample::select(BETWEEN));
    let words = prop::collection::vec(pair, 0..16).prop_map(|pairs| {
        pairs.into_iter().fold(String::new(), |line, (word, blank)| line + word + blank)
    });
    let spaced = prop::collection::vec(prop::sample::select(WORDS), 0..16);
    let rest = prop_oneof![
        2 => words,
        2 => spaced.prop_map(|words| words.join(" ")),
        1 => any::<String>(),
    ];
    (prop::sample::select(BEGINNINGS), rest)
        .prop_map(|(beginning, rest)| beginning.to_owned() + &rest)
}

/// Text that a program might put into a message, without words that end a name or a choice.
fn free_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(BETWEEN).prop_map(str::to_owned),
        prop::sample::select(&["quit", "bestmove resign", "<empty>", "歩", "name"][..])
            .prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Writes, reads and writes a value that was not read from text.
fn check_written<T: ToString + std::str::FromStr>(value: &T) {
    let written = value.to_string();
    assert!(!written.contains(['\n', '\r', '\0']), "{written:?}");
    if let Ok(read) = written.parse::<T>() {
        assert_eq!(read.to_string(), written);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_that_is_read_is_written_and_read_as_the_same(line in line()) {
        text_form::check(&line);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn text_of_a_program_is_written_on_one_line(
        text in free_text(),
        other in free_text(),
        seconds in any::<u64>(),
    ) {
        let time = Duration::from_secs(seconds);
        check_written(&GuiCommand::SetOption { name: text.clone(), value: Some(other.clone()) });
        check_written(&GuiCommand::Unknown(format!("x{text}")));
        check_written(&GuiCommand::Go(GoLimits::move_time(time)));
        check_written(&EngineMessage::Name(text.clone()));
        check_written(&EngineMessage::Unknown(format!("x{text}")));
        check_written(&EngineMessage::Info(Info { time: Some(time), ..Info::text(text.clone()) }));
        check_written(&EngineMessage::Option(OptionSpec::string(&text, &other)));
        check_written(&EngineMessage::Option(OptionSpec::combo("X", &text, &[&text, &other])));
    }
}

#[test]
fn text_is_kept_verbatim_but_for_its_ends() {
    let option = |name: &str, value: &str| GuiCommand::SetOption {
        name: name.to_owned(),
        value: Some(value.to_owned()),
    };
    for (line, expected) in [
        ("setoption name a  b value c\t d  ", option("a  b", "c\t d")),
        ("setoption name a\0value\0\0b\0", option("a", "b")),
        ("setoption name a value b\0\0c\0\r\n", option("a", "b  c")),
        ("setoption name a value \0", option("a", "")),
        ("setoption name a value \u{3000}b\u{b}", option("a", "\u{3000}b\u{b}")),
        ("P*\0 ", GuiCommand::Unknown("P*".to_owned())),
        ("a\nquit", GuiCommand::Unknown("a quit".to_owned())),
    ] {
        assert_eq!(line.parse(), Ok(expected), "{line:?}");
    }
    let message = |line: &str| line.parse::<EngineMessage>().expect("a message");
    assert_eq!(message("id\0name a\0b\0"), EngineMessage::Name("a b".to_owned()));
    assert_eq!(message("\0bestmove\0resign"), EngineMessage::BestMove(BestMove::Resign));
    assert_eq!(message("info string\0a\tb \0"), EngineMessage::Info(Info::text("a\tb")));
}

#[test]
fn times_of_more_than_64_bits_are_written_as_the_largest() {
    let limits = GoLimits::move_time(Duration::MAX);
    assert_eq!(limits.to_string(), "movetime 18446744073709551615");
    let info = Info { time: Some(Duration::MAX), ..Info::default() };
    assert_eq!(info.to_string(), "time 18446744073709551615");
}
