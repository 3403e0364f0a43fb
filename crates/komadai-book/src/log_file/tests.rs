//! Text logs line by line: each fault is named with its place, lenient reading continues.

use std::time::Duration;

use komadai_bookfile::BookError;
use komadai_core::{Analysis, AnalystId, Line, Position, Score};
use komadai_kifu::Tolerance;
use proptest::prelude::*;

use super::reader::LogReader;
use super::writer::LogWriter;
use super::{LOG_HEADER, escape, unescape};
use crate::logged_analysis::LoggedAnalysis;
use crate::merge::Input;
use crate::store::{Change, KnownMove};

/// The lines of a log and the number of faults skipped.
fn read(log: &[u8], tolerance: Tolerance) -> Result<(Vec<Change>, u64), BookError> {
    let mut reader = LogReader::new(log, tolerance);
    let mut changes = Vec::new();
    while let Some((change, _)) = reader.next_change()? {
        changes.push(change);
    }
    Ok((changes, reader.into_skipped().count()))
}

fn evaluations(changes: &[Change]) -> usize {
    changes.iter().filter(|change| matches!(change, Change::Analysis(_))).count()
}

fn line(cp: i32) -> Line {
    Line::exact(Score::cp(cp), "2g2f 8c8d".parse().unwrap())
}

fn logged(cp: i32, by: &AnalystId) -> LoggedAnalysis {
    let analysis = Analysis {
        depth: 9,
        nodes: 7,
        time: Duration::from_millis(1),
        lines: vec![line(cp)],
        completed: true,
        ..Analysis::default()
    };
    LoggedAnalysis { when: 5, ..LoggedAnalysis::new(Position::hirate(), analysis, by.clone()) }
}

/// A log of `count` evaluations by two analysts, of a game and of an input.
fn log(count: i32, analyst: &AnalystId) -> std::io::Result<Vec<u8>> {
    let (start, m) = (Position::hirate(), "2g2f".parse().unwrap());
    let mut log = Vec::new();
    let mut writer = LogWriter::new(&mut log);
    writer.header()?;
    writer.input(&Input { fingerprint: u64::MAX, games: 1, name: "a\tb".into() })?;
    writer.games(&start, m, 12)?;
    for cp in 0..count {
        let other = AnalystId::new("other", "");
        let by = if cp % 2 == 0 { analyst } else { &other };
        writer.evaluation(&logged(cp, by), &line(cp), m, Some("8c8d".parse().unwrap()))?;
    }
    Ok(log)
}

#[test]
fn a_log_is_read_as_it_was_written() {
    let engine =
        AnalystId { options: "hash 8 MiB\n2 threads".to_owned(), ..AnalystId::new("engine", "1") };
    let log = log(3, &engine).unwrap();
    let (changes, skipped) = read(&log, Tolerance::Strict).unwrap();
    let m = "2g2f".parse().unwrap();
    let input = Input { fingerprint: u64::MAX, games: 1, name: "a\tb".into() };
    let known = KnownMove { position: Position::hirate(), m, ponder: None, games: 12 };
    let mut written = vec![Change::Input(input), Change::Move(known)];
    let other = AnalystId::new("other", "");
    let logged = [logged(0, &engine), logged(1, &other), logged(2, &engine)];
    written.extend(logged.map(Change::Analysis));
    assert_eq!((changes, skipped), (written, 0));
}

#[test]
fn a_log_that_was_cut_off_at_any_byte_has_its_whole_lines() {
    let log = String::from_utf8(log(3, &AnalystId::new("engine", "1")).unwrap()).unwrap();
    let first_line = log.find('\n').unwrap();
    for length in first_line..log.len() {
        let cut = &log[..length];
        let whole = cut.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let whole = whole.filter(|line| line.starts_with("eval")).count();
        let (lines, _) = read(cut.as_bytes(), Tolerance::Lenient).unwrap();
        // A line that lacks the end of its last cell may be valid.
        assert!((whole..=whole + 1).contains(&evaluations(&lines)), "{length}");
    }
}

/// An item that does not fit into a line of the log cannot be written.
#[test]
fn a_name_that_is_too_long_for_a_log_is_an_error() {
    assert!(log(1, &AnalystId::new("x".repeat(70_000), "")).is_err());
}

#[test]
fn logs_of_other_kinds_are_refused_however_lenient() {
    for first in [
        "#KOMADAI-BOOK-LOG 2",
        "#KOMADAI-BOOK-LOG 10",
        "#YANEURAOU-DB2016 1.00",
        "Dear Sir,",
        "a letter without a line end",
    ] {
        let text = format!("{first}\nanalyst\t0\tx\t\t\n");
        for text in [first, &text] {
            for tolerance in [Tolerance::Strict, Tolerance::Lenient] {
                let error = read(text.as_bytes(), tolerance).unwrap_err();
                assert!(matches!(error, BookError::Header { .. }), "{error}");
                assert!(error.to_string().starts_with("line 1: found"), "{error}");
            }
        }
    }
}

#[test]
fn a_line_without_end_is_refused() {
    for pattern in [&b"garbage"[..], b"sfen ", b"#", b"\0"] {
        let endless: Vec<u8> = pattern.iter().copied().cycle().take(1 << 20).collect();
        let error = read(&endless, Tolerance::Strict).unwrap_err();
        assert!(matches!(error, BookError::LineTooLong { line: 1, .. }));
    }
}

#[test]
fn faults_of_a_log_are_named_with_their_place() {
    let start = Position::hirate().to_string();
    let analyst = "analyst\t0\te\t1\t\n";
    let eval = |changed: usize, cell: &str| {
        let mut cells = vec![
            "eval", &start, "7g7f", "35", "exact", "9", "20000", "48", "0", "search", "1", "3c3d",
        ];
        cells[changed] = cell;
        format!("#KOMADAI-BOOK-LOG 1\n{analyst}{}\n", cells.join("\t"))
    };
    for (text, message) in [
        ("".to_owned(), "line 1: found \"\", expected `#KOMADAI-BOOK-LOG 1`"),
        (
            "#YANEURAOU-DB2016 1.00\n".to_owned(),
            "line 1: found \"#YANEURAOU-DB2016 1.00\", expected `#KOMADAI-BOOK-LOG 1`",
        ),
        (
            eval(0, "evil"),
            "line 3, column 1: found \"evil\", expected `analyst`, `games`, `eval`, \
            `input`, `book` or `done`",
        ),
        (eval(1, "9/9 b - 1"), "line 3, column 6: the board has 2 ranks up to byte 3, expected 9"),
        (eval(2, "7g7e"), "line 3, column 70: 7g7e is illegal: a Pawn on 7g does not go to 7e"),
        (eval(3, "40000"), "line 3, column 75: found \"40000\", expected a value"),
        (
            eval(4, "about"),
            "line 3, column 78: found \"about\", expected `exact`, `lower` or \
            `upper`",
        ),
        (
            eval(8, "1"),
            "line 3, column 95: found \"1\", expected the number of a line `analyst` \
            above",
        ),
        (
            eval(11, "7f7e"),
            "line 3, column 106: 7f7e is illegal: the Pawn on 7f is Black's, but \
            White is to move",
        ),
        (
            "#KOMADAI-BOOK-LOG 1\ngames\n".to_owned(),
            "line 2, column 6: found \"\", expected a \
            position as SFEN",
        ),
        (
            "#KOMADAI-BOOK-LOG 1\nanalyst\t99999999\te\t\t\n".to_owned(),
            "line 2, column 9: found \
            \"99999999\", expected the number of an analyst",
        ),
        (
            "#KOMADAI-BOOK-LOG 1\ninput\t12\t1\tx\n".to_owned(),
            "line 2, column 7: found \"12\", \
            expected a fingerprint of sixteen hexadecimal digits",
        ),
    ] {
        assert_eq!(read(text.as_bytes(), Tolerance::Strict).unwrap_err().to_string(), message);
        match read(text.as_bytes(), Tolerance::Lenient) {
            Ok((_, skipped)) => assert_eq!(skipped, u64::from(!text.is_empty())),
            Err(error) => assert!(matches!(error, BookError::Header { .. }), "{error}"),
        }
    }
}

#[test]
fn any_text_fits_into_a_cell() {
    for text in ["", "komadai 0.1", "a\tb\r\nc\\t", "\\", "先手"] {
        let cell = escape(text);
        assert!(!cell.contains(['\t', '\n', '\r']));
        assert_eq!(unescape(&cell).as_deref(), Some(text));
    }
    assert_eq!(unescape(r"a\"), None);
    assert_eq!(unescape(r"\x"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn damaged_logs_are_survived(cut in any::<prop::sample::Index>(), flip in 1..=255_u8) {
        let mut log = log(3, &AnalystId::new("engine", "1")).unwrap();
        let cut = cut.index(log.len());
        log[cut] ^= flip;
        let damaged = read(&log, Tolerance::Lenient);
        prop_assert!(damaged.is_ok() || cut < LOG_HEADER.len() + 1);
    }

    #[test]
    fn arbitrary_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = read(&bytes, Tolerance::Lenient);
        let log = [LOG_HEADER.as_bytes(), b"\n", &bytes[..]].concat();
        read(&log, Tolerance::Lenient).unwrap();
    }
}
