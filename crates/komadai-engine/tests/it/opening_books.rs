//! Books of every format, read whole or probed, compared with their records.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use komadai_bookfile::Tolerance;
use komadai_bookfile::{
    BookFile, BookFormat, BookReading, BookRecord, RecordMove, WriteOptions, write_book,
};
use komadai_core::SplitMix64;
use komadai_core::{Color, Position, Score};
use komadai_engine::{BookPolicy, GamePlayer, OpeningBook, OpeningBookError, Settings};
use komadai_movegen::MoveGen as _;
use komadai_testdata::books::{shogihome, yuuki};
use komadai_usi::{BestMove, GoLimits};

use crate::gui::Gui;

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
    let mut draw = || book.choose(position, policy, Score::ZERO, &mut random).expect("no fault");
    let Some(first) = draw() else { return BTreeSet::new() };
    let draws = 40 * first.choices;
    let drawn: BTreeSet<String> = (0..draws).filter_map(|_| Some(draw()?.m.to_string())).collect();
    assert_eq!(drawn.len(), first.choices);
    drawn
}

fn policies() -> [BookPolicy; 3] {
    let all =
        BookPolicy { moves: 500, black_limit: -500, white_limit: -500, ..BookPolicy::default() };
    [
        BookPolicy { eval_diff: 99_999, ..all.clone() },
        BookPolicy { eval_diff: 20, depth_limit: 10, ..all.clone() },
        all,
    ]
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
        let found = book.choose(&Position::hirate(), &policy, Score::ZERO, &mut random);
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
    let error =
        book.choose(&Position::hirate(), &policy, Score::ZERO, &mut random).expect_err("disorder");
    assert!(matches!(error, OpeningBookError::Book { .. }), "{error}");
    assert!(error.to_string().contains("disordered.db: byte "), "{error}");
    // Reading it whole requires no order.
    let whole = OpeningBook::open(&path, BookReading::Memory).expect("a book");
    assert!(
        whole
            .choose(&Position::hirate(), &policy, Score::ZERO, &mut random)
            .expect("no fault")
            .is_some()
    );
}

/// Books that cannot be used, with the way to read them and a part of the reason.
fn unusable(folder: &Path) -> Vec<(PathBuf, BookReading, &'static str)> {
    let [memory, on_disk] = READINGS;
    let at = |name: &str, content: &[u8]| put(folder, name, content);
    let unsorted = at("unsorted.db", yuuki::YANEURAOU_DB.as_bytes());
    let mut cut = shogihome::YANEURAOU_YBB.to_vec();
    cut.truncate(cut.len() / 2);
    let cut = at("cut.ybb", &cut);
    vec![
        (folder.join("missing.db"), memory, "missing.db: "),
        (folder.to_owned(), memory, "cannot open the book"),
        (at("letter", b"Dear Sir,\n"), memory, "letter: expected a book"),
        (at("empty.db", b""), memory, "empty.db"),
        (at("noise.db", b"\xff\xfe\0\nhello\n"), memory, "no positions"),
        (at("gui.sbk", b"Dear Sir,\n"), memory, "gui.sbk"),
        (at("sbk.sbk", yuuki::SHOGIGUI_SBK), on_disk, "cannot be searched on disk"),
        (unsorted, on_disk, "unsorted.db: byte "),
        (cut.clone(), memory, "cut.ybb"),
        (cut, on_disk, "cut.ybb"),
    ]
}

#[test]
fn an_unusable_book_costs_the_book_and_not_the_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, reading, reason) in unusable(folder.path()) {
        let mut gui = Gui::new();
        gui.say(&format!("setoption name BookFile value {}", path.display()));
        gui.say(&format!("setoption name BookOnTheFly value {}", reading == BookReading::OnTheFly));
        for _ in 0..2 {
            let said = gui.settle();
            let named = |line: &&String| line.contains(reason) && line.contains("without the book");
            assert_eq!(said.iter().filter(named).count(), 1, "{}: {said:?}", path.display());
            gui.plays_legally("startpos", "go nodes 200");
        }
        gui.say("setoption name BookFile value no_book");
        assert!(!gui.settle().iter().any(|line| line.contains("without the book")));
    }
}

#[test]
fn the_first_book_with_a_move_decides() {
    let folder = tempfile::tempdir().expect("a folder");
    let head = "#YANEURAOU-DB2016 1.00\n";
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
    let second = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n";
    put(folder.path(), "a.db", format!("{head}{start}7g7f none 30 20 1\n").as_bytes());
    let both = format!("{head}{start}2g2f none 90 20 1\n{second}8c8d none 10 20 1\n");
    put(folder.path(), "b.db", both.as_bytes());
    let play = |files: &str, position: &str| {
        let mut gui = Gui::new();
        gui.say(&format!("setoption name BookDir value {}", folder.path().display()));
        gui.say(&format!("setoption name BookFile value {files}"));
        gui.say("setoption name BookEvalWhiteDiff value 0");
        let said: Vec<String> = gui.settle().iter().map(ToString::to_string).collect();
        (gui.plays_legally(position, "go nodes 50").to_string(), said)
    };
    for (files, first) in [("a.db;b.db", "7g7f"), ("b.db ; a.db", "2g2f")] {
        let (m, said) = play(files, "startpos");
        assert_eq!(m, first, "{files}");
        assert_eq!(said.iter().filter(|line| line.contains("positions, 0 faults")).count(), 2);
        assert_eq!(play(files, "startpos moves 7g7f").0, "8c8d", "only one book has it");
    }
    // A book that is not there costs itself only.
    let (m, said) = play("missing.db;a.db", "startpos");
    assert_eq!(m, "7g7f");
    assert!(said.iter().any(|line| line.contains("missing.db")), "{said:?}");
}

#[test]
fn a_book_that_is_damaged_during_a_match_costs_the_book_only() {
    let folder = tempfile::tempdir().expect("a folder");
    for reading in READINGS {
        let path = put(folder.path(), "book.ybb", shogihome::YANEURAOU_YBB);
        let mut gui = Gui::new();
        gui.say(&format!("setoption name BookFile value {}", path.display()));
        gui.say(&format!("setoption name BookOnTheFly value {}", reading == BookReading::OnTheFly));
        assert!(gui.settle().iter().any(|line| line.contains("book.ybb: to be searched")));
        gui.plays_legally("startpos", "go nodes 200");

        let mut settings = Settings::default();
        (settings.hash_mib, settings.mate_hash_mib) = (1, 1);
        (settings.book_files, settings.book_reading) = (vec![path.clone()], reading);
        let mut player = GamePlayer::new(settings).expect("a player");
        player.new_game(0);
        assert!(player.book_fault().is_none());

        put(folder.path(), "book.ybb", &[0x5a; 300]);
        let on_disk = reading == BookReading::OnTheFly;
        let is_named =
            |line: &String| line.contains("book.ybb") && line.contains("without the book");
        gui.plays_legally("startpos", "go nodes 200");
        let heard: Vec<String> = gui.heard.iter().map(ToString::to_string).collect();
        assert_eq!(heard.iter().any(is_named), on_disk, "{heard:?}");
        gui.say("gameover draw");
        let said = gui.settle();
        assert_eq!(said.iter().any(is_named), on_disk, "{said:?}");
        gui.plays_legally("startpos", "go nodes 200");

        // The book that a player has read is as good as before, one that is searched on disk is
        // not.
        for game in 0..3 {
            player.new_game(game);
            let limits = GoLimits::from_usi("nodes 100");
            let choice = player.choose(&Position::hirate(), &limits, &Arc::default());
            assert!(matches!(choice.best, BestMove::Move { .. }));
            assert_eq!(player.book_fault().is_some(), on_disk);
        }
    }
}
