//! Books of every format, read whole or probed, compared with their records.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::path::{Path, PathBuf};

use komadai_bookfile::{BookFile, BookFormat, BookRecord, RecordMove, WriteOptions, write_book};
use komadai_core::SplitMix64;
use komadai_core::{Color, Position, Score};
use komadai_engine::{BookPolicy, BookReading, OpeningBook, OpeningBookError};
use komadai_kifu::Tolerance;
use komadai_movegen::MoveGen as _;
use komadai_testdata::books::{shogihome, yuuki};

const READINGS: [BookReading; 2] = [BookReading::Memory, BookReading::OnTheFly];

fn records(path: &Path) -> Vec<BookRecord> {
    let file = BookFile::open(path, Tolerance::Strict).expect("a book");
    file.collect::<Result<_, _>>().expect("no fault")
}

/// Returns the moves that the options allow.
fn playable(record: &BookRecord, policy: &BookPolicy) -> BTreeSet<String> {
    let best = record.moves.iter().filter_map(|listed| listed.score).max();
    let limit = match record.position.side() {
        Color::Black => policy.black_limit,
        Color::White => policy.white_limit,
    };
    let is_good = |score: Option<Score>, depth: Option<u16>| match (best, score) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(best), Some(score)) => {
            score >= best - policy.eval_diff
                && score >= Score::cp(limit)
                && u32::from(depth.unwrap_or(0)) >= policy.depth_limit
        }
    };
    let good = record.moves.iter().filter(|listed| is_good(listed.score, listed.depth));
    good.map(|listed| listed.m.to_string()).collect()
}

/// Returns the moves of many draws.
fn drawn(book: &OpeningBook, position: &Position, policy: &BookPolicy) -> BTreeSet<String> {
    let mut random = SplitMix64::new(3);
    let mut draw = || book.choose(position, policy, &mut random).expect("no fault");
    let Some(first) = draw() else { return BTreeSet::new() };
    let draws = 40 * first.choices;
    let drawn: BTreeSet<String> = (0..draws).filter_map(|_| Some(draw()?.m.to_string())).collect();
    assert_eq!(drawn.len(), first.choices);
    drawn
}

fn policies() -> [BookPolicy; 3] {
    let all = BookPolicy::default().with_moves(500).with_black_limit(-500).with_white_limit(-500);
    [all.clone().with_eval_diff(99_999), all.clone().with_eval_diff(20).with_depth_limit(10), all]
}

/// Compares a book with its records, in both orientations.
fn compare(path: &Path, reading: BookReading) {
    let book = OpeningBook::open(path, reading).expect("a book");
    assert_eq!((book.reading(), book.faults()), (reading, 0));
    for record in records(path) {
        for policy in policies() {
            let expected = playable(&record, &policy);
            let found = drawn(&book, &record.position, &policy);
            assert_eq!(found, expected, "{}: {}", path.display(), record.position);
        }
        let (policy, turned) = (&policies()[0], record.clone().flipped());
        let expected = playable(&turned, policy);
        assert_eq!(drawn(&book, &turned.position, policy), expected, "{}", turned.position);
    }
    let elsewhere = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1").expect("a position");
    assert_eq!(drawn(&book, &elsewhere, &policies()[0]), BTreeSet::new());
}

/// Writes a file into the folder and returns its path.
fn put(folder: &Path, name: &str, content: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("it can be written");
    path
}

#[test]
fn books_of_every_format_are_played_from() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str, content: &[u8]| put(folder.path(), name, content);
    let unsorted = at("unsorted.db", yuuki::YANEURAOU_DB.as_bytes());
    compare(&unsorted, BookReading::Memory);
    let refused = OpeningBook::open(&unsorted, BookReading::OnTheFly).expect_err("no order");
    assert!(refused.to_string().contains("unsorted.db: byte "), "{refused}");
    let [db, ybb] = [BookFormat::Db, BookFormat::Ybb].map(|format| {
        let path = folder.path().join(format!("yuuki.{format}"));
        let read = BookFile::open(&unsorted, Tolerance::Strict).expect("a book");
        write_book(&path, format, read, &WriteOptions::default()).expect("it can be written");
        path
    });
    // The first bytes have priority over the name.
    let named = at("a book", shogihome::YANEURAOU_YBB);
    for path in [&db, &ybb, &named, &at("yuuki.bin", yuuki::APERY_BIN)] {
        READINGS.iter().for_each(|&reading| compare(path, reading));
    }
    let sbk = at("gui.sbk", yuuki::SHOGIGUI_SBK);
    compare(&sbk, BookReading::Memory);
    let refused = OpeningBook::open(&sbk, BookReading::OnTheFly).expect_err("it is not searched");
    let expected = "gui.sbk: a .sbk book cannot be searched on disk, expected .db, .ybb or .bin";
    assert!(refused.to_string().ends_with(expected), "{refused}");
}

#[test]
fn files_that_are_no_books_are_named_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content, expected) in [
        ("a.ybb", &b"Dear Sir,\n"[..], "a.ybb: "),
        ("a.ybb", &shogihome::YANEURAOU_YBB[..40], "a.ybb: "),
        ("a.sbk", b"Dear Sir,\n", "a.sbk"),
        ("a.db", b"Dear Sir,\n", "a.db"),
        ("letter", b"Dear Sir,\n", "letter: expected a book"),
        ("a.bin", &[1; 64][..16 * 3 + 1], "a.bin"),
    ] {
        let path = put(folder.path(), name, content);
        for reading in READINGS {
            match OpeningBook::open(&path, reading) {
                Err(refused) => assert!(refused.to_string().contains(expected), "{refused}"),
                // Any bytes may be entries of such a book.
                Ok(book) => {
                    assert_eq!(name, "a.bin");
                    assert_eq!(drawn(&book, &Position::hirate(), &policies()[0]), BTreeSet::new());
                }
            }
        }
    }
    let empty = put(folder.path(), "empty.db", b"#YANEURAOU-DB2016 1.00\n");
    let refused = OpeningBook::open(&empty, BookReading::Memory).expect_err("no positions");
    assert!(matches!(refused, OpeningBookError::Empty { faults: 0, .. }), "{refused}");
}

/// Returns the start position and all positions two plies after it, with a move each.
fn many_records() -> Vec<BookRecord> {
    let start = Position::hirate();
    let legal = |position: &Position| position.legal_moves().to_vec();
    let firsts: Vec<Position> = legal(&start).into_iter().map(|m| start.after(m)).collect();
    let seconds = firsts.iter().flat_map(|first| legal(first).into_iter().map(|m| first.after(m)));
    let record = |position: Position| {
        let mut record = BookRecord::new(position.without_history());
        record.moves.push(RecordMove::new(legal(&position)[0]));
        record
    };
    seconds.chain([start.clone()]).map(record).collect()
}

/// Writes a book with two positions exchanged. Opening does not detect that, but probing the start
/// position does.
fn disordered(folder: &Path) -> PathBuf {
    let sorted = folder.join("sorted.db");
    let read = many_records().into_iter().map(Ok::<_, Infallible>);
    write_book(&sorted, BookFormat::Db, read, &WriteOptions::default()).expect("it can be written");
    let text = std::fs::read_to_string(sorted).expect("text");
    let (head, rest) = text.split_once("sfen ").expect("positions");
    let parts: Vec<&str> = rest.split("sfen ").collect();
    let exchanged = (0..parts.len()).find_map(|at| {
        let mut parts = parts.clone();
        // Far apart, so that the binary search meets a key out of order.
        let other = (at + parts.len() / 2) % parts.len();
        parts.swap(at, other);
        let text = format!("{head}sfen {}", parts.join("sfen "));
        let path = put(folder, "disordered.db", text.as_bytes());
        let book = OpeningBook::open(&path, BookReading::OnTheFly).ok()?;
        let (policy, mut random) = (BookPolicy::default(), SplitMix64::new(1));
        let found = book.choose(&Position::hirate(), &policy, &mut random);
        found.is_err().then_some(path)
    });
    exchanged.expect("some exchange is seen only by looking up")
}

#[test]
fn disorder_that_is_met_in_a_search_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = disordered(folder.path());
    let book = OpeningBook::open(&path, BookReading::OnTheFly).expect("it seems in order");
    let (policy, mut random) = (BookPolicy::default(), SplitMix64::new(1));
    let error = book.choose(&Position::hirate(), &policy, &mut random).expect_err("disorder");
    assert!(matches!(error, OpeningBookError::Search { .. }), "{error}");
    assert!(error.to_string().contains("disordered.db: byte "), "{error}");
    // Reading it whole requires no order.
    let whole = OpeningBook::open(&path, BookReading::Memory).expect("a book");
    assert!(whole.choose(&Position::hirate(), &policy, &mut random).expect("no fault").is_some());
}

#[test]
fn working_books_are_played_from_while_they_grow() {
    use komadai_book::store::Store;
    use komadai_book::{AnalystId, LoggedAnalysis};
    use komadai_core::{Analysis, Line};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.kbook");
    let store = Store::create(&path).expect("a store");
    let refused = OpeningBook::open(&path, BookReading::Memory).expect_err("no positions");
    assert!(matches!(refused, OpeningBookError::Empty { .. }), "{refused}");
    let start = Position::hirate();
    store.add_games(&start, "7g7f".parse().expect("a move"), 1).expect("it can be written");
    let book = OpeningBook::open(&path, BookReading::OnTheFly).expect("a book");
    assert_eq!(book.positions(), Some(1));
    assert_eq!(drawn(&book, &start, &policies()[0]), BTreeSet::from(["7g7f".to_owned()]));
    let turned = drawn(&book, &start.flipped(), &policies()[0]);
    assert_eq!(turned, BTreeSet::from(["3c3d".to_owned()]));
    store.add_games(&start, "2g2f".parse().expect("a move"), 1).expect("it can be written");
    assert_eq!(drawn(&book, &start, &policies()[0]).len(), 2);
    // Read whole, a move into the book has the propagated value of its replies.
    let judged = |position: &Position, m: &str, cp| {
        let line = Line::exact(Score::cp(cp), m.parse().expect("moves"));
        let analysis = Analysis { lines: vec![line], nodes: 9, ..Analysis::default() };
        LoggedAnalysis::new(position.clone(), analysis, AnalystId::new("engine", "1")).into()
    };
    let answered = start.after("7g7f".parse().expect("a move"));
    let changes =
        [judged(&start, "7g7f", 90), judged(&start, "2g2f", 30), judged(&answered, "3c3d", 50)];
    store.merge_batch(&changes).expect("it can be written");
    let best = policies()[0].clone().with_eval_diff(0);
    assert_eq!(drawn(&book, &start, &best), BTreeSet::from(["7g7f".to_owned()]));
    let whole = OpeningBook::open(&path, BookReading::Memory).expect("a book");
    assert_eq!(drawn(&whole, &start, &best), BTreeSet::from(["2g2f".to_owned()]));
    let none = folder.path().join("none.kbook");
    std::fs::write(&none, "Dear Sir,\n").expect("it can be written");
    let refused = OpeningBook::open(&none, BookReading::Memory).expect_err("no store");
    assert!(refused.to_string().contains("expected a book's store"), "{refused}");
}
