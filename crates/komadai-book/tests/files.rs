//! Files on disk: written whole or not at all, and logs that survive the end of their process.

use std::fs;
use std::io::{self, Write};

use komadai_book::{
    AnalystId, Book, BookError, Input, LogReader, LoggedBook, LoggedBookError, Provenance,
    SeedOptions, Seeder, write_atomically,
};
use komadai_core::{Analysis, Bound, Line, Position, Score};
use komadai_kifu::{Tolerance, parse_usi_games};

fn names(folder: &std::path::Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_failed_write_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    write_atomically(&path, |out| out.write_all(b"old")).unwrap();
    let failed = write_atomically(&path, |out| {
        out.write_all(&[b'x'; 100_000])?;
        Err::<(), _>(io::Error::other("the disk is full"))
    });
    assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["book.db"]);
    assert!(write_atomically(folder.path().join("none/book.db"), |_| Ok(())).is_err());
    assert!(write_atomically("/", |_| Ok(())).is_err());
}

/// A process that is ended in the middle of writing has not renamed its file.
#[test]
fn a_write_that_never_ends_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    write_atomically(&path, |out| out.write_all(b"old")).unwrap();
    let result = std::panic::catch_unwind(|| {
        write_atomically(&path, |out| -> io::Result<()> {
            out.write_all(b"new")?;
            panic!("the process ends here");
        })
    });
    assert!(result.is_err());
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

fn analysis(cp: i32) -> Analysis {
    let line = Line { score: Score::cp(cp), bound: Bound::Exact, pv: "2g2f 8c8d".parse().unwrap() };
    Analysis { lines: vec![line], nodes: 7, ..Analysis::default() }
}

fn texts(book: &Book) -> (String, String) {
    let (mut db, mut log) = (Vec::new(), Vec::new());
    book.write_db(&mut db, komadai_book::UnknownMoves::Write).unwrap();
    book.write_log(&mut log).unwrap();
    (String::from_utf8(db).unwrap(), String::from_utf8(log).unwrap())
}

#[test]
fn a_log_keeps_everything_that_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.log");
    let (mut book, _) = LoggedBook::open(&path, Tolerance::Strict).unwrap();
    let mut seeder = Seeder::new(SeedOptions::default());
    for game in parse_usi_games("startpos moves 2g2f 8c8d\n", Tolerance::Strict).unwrap().records {
        seeder.add(&game).unwrap();
    }
    let mut seed = seeder.into_book();
    let input = Input { fingerprint: u64::MAX, games: 1, name: "a\tb".into() };
    seed.add_input(input.clone());
    book.merge(&seed).unwrap();
    let engine = AnalystId::new("engine", "1").with_options("hash 8 MiB\n2 threads");
    let start = Position::hirate();
    book.merge_analysis(&start, &analysis(30), &engine, 5).unwrap();
    book.merge_analysis(&start, &analysis(40), &AnalystId::new("other", ""), 6).unwrap();
    let m = "7g7f".parse().unwrap();
    book.merge_successor_analysis(&start, m, &analysis_of_answer(), &engine, 7).unwrap();
    book.sync().unwrap();
    let expected = texts(book.book());
    let analysts = book.book().analysts().to_owned();
    drop(book);

    let (again, import) = LoggedBook::open(&path, Tolerance::Strict).unwrap();
    assert!(import.skipped.is_empty());
    assert_eq!(texts(again.book()), expected);
    assert_eq!(again.book().inputs(), [input]);
    assert_eq!(again.book().analysts(), analysts);
}

fn analysis_of_answer() -> Analysis {
    let line = Line { score: Score::cp(-9), bound: Bound::Exact, pv: "3c3d".parse().unwrap() };
    Analysis { lines: vec![line], ..Analysis::default() }
}

#[test]
fn a_log_may_be_cut_off_at_any_byte_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.log");
    let engine = AnalystId::new("engine", "1");
    let (mut book, _) = LoggedBook::open(&path, Tolerance::Strict).unwrap();
    for cp in 0..3 {
        book.merge_analysis(&Position::hirate(), &analysis(cp), &engine, 0).unwrap();
    }
    drop(book);
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let (mut book, import) = LoggedBook::open(&path, Tolerance::Strict).unwrap();
        assert!(import.skipped.is_empty());
        let kept = whole[..length].split(|&byte| byte == b'\n').filter(|l| l.starts_with(b"eval"));
        let kept =
            kept.count() - usize::from(!whole[..length].ends_with(b"\n") && torn(&whole[..length]));
        assert_eq!(book.book().evaluations(), kept, "{length}");
        book.merge_analysis(&Position::hirate(), &analysis(99), &engine, 0).unwrap();
        drop(book);
        let (again, _) = LoggedBook::open(&path, Tolerance::Strict).unwrap();
        assert_eq!(again.book().evaluations(), kept + 1, "{length}");
    }
}

/// Whether the last line is an unfinished evaluation.
fn torn(log: &[u8]) -> bool {
    log.rsplit(|&byte| byte == b'\n').next().is_some_and(|line| line.starts_with(b"eval"))
}

#[test]
fn a_merge_is_logged_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.log");
    let engine = AnalystId::new("engine", "1");
    let (mut book, _) = LoggedBook::open(&path, Tolerance::Strict).unwrap();
    book.merge_analysis(&Position::hirate(), &analysis(1), &engine, 0).unwrap();
    book.sync().unwrap();
    let before = fs::read(&path).unwrap();

    let mut other = Book::new();
    other.add_games(&Position::hirate(), "7g7f".parse().unwrap(), 12).unwrap();
    // What has no place in a line of the log cannot be logged.
    let mut unfit = other.clone();
    let analyst = AnalystId::new("x".repeat(70_000), "");
    let provenance = Provenance { analyst: unfit.analyst(&analyst), when: 0 };
    unfit.merge_analysis(&Position::hirate(), &analysis(3), provenance).unwrap();
    assert!(matches!(book.merge(&unfit), Err(LoggedBookError::Io { .. })));
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(names(folder.path()), [".book.log.lock", "book.log"]);
    drop(book);

    let (mut book, _) = LoggedBook::open(&path, Tolerance::Strict).unwrap();
    book.merge(&other).unwrap();
    assert!(fs::read(&path).unwrap().starts_with(&before));
    book.merge_analysis(&Position::hirate(), &analysis(2), &engine, 0).unwrap();
    let expected = texts(book.book());
    drop(book);
    let (again, _) = LoggedBook::open(&path, Tolerance::Strict).unwrap();
    assert_eq!(texts(again.book()), expected);
    assert_eq!(again.book().evaluations(), 2);
}

#[test]
fn a_log_is_open_once_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.log");
    let open = || LoggedBook::open(&path, Tolerance::Strict);
    let (mut book, _) = open().unwrap();
    assert!(matches!(open(), Err(LoggedBookError::InUse { .. })));
    assert!(matches!(LoggedBook::begin(&path), Err(LoggedBookError::InUse { .. })));
    // The log that replaces this one is locked as well.
    let mut other = Book::new();
    other.add_games(&Position::hirate(), "7g7f".parse().unwrap(), 1).unwrap();
    book.merge(&other).unwrap();
    assert!(matches!(open(), Err(LoggedBookError::InUse { .. })));
    drop(book);
    assert_eq!(open().unwrap().0.book().len(), 1);
}

#[test]
fn a_new_beginning_keeps_every_older_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.log");
    let mut other = Book::new();
    other.add_games(&Position::hirate(), "7g7f".parse().unwrap(), 1).unwrap();
    for kept in [None, Some("book.log.old"), Some("book.log.old2"), Some("book.log.old3")] {
        let (mut book, old) = LoggedBook::begin(&path).unwrap();
        assert_eq!(old, kept.map(|name| fs::canonicalize(folder.path()).unwrap().join(name)));
        assert!(book.book().is_empty());
        book.merge(&other).unwrap();
        drop(book);
        // One that says nothing is not worth keeping.
        if kept.is_none() {
            fs::write(&path, "#KOMADAI-BOOK-LOG 1\n").unwrap();
            assert_eq!(LoggedBook::begin(&path).unwrap().1, None);
            LoggedBook::begin(&path).unwrap().0.merge(&other).unwrap();
        }
    }
}

#[test]
fn an_analysis_with_an_illegal_move_is_not_added_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.log");
    let (mut book, _) = LoggedBook::begin(&path).unwrap();
    let mut broken = analysis(1);
    broken.lines.push(Line { pv: "1a1b".parse().unwrap(), ..broken.lines[0].clone() });
    let merged =
        book.merge_analysis(&Position::hirate(), &broken, &AnalystId::new("engine", ""), 0);
    assert!(matches!(merged, Err(LoggedBookError::Entry(_))));
    assert_eq!(book.book().evaluations(), 0);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_outlive_a_replacement() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    fs::write(&real, "old").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("real", &link).unwrap();
    write_atomically(&link, |out| write!(out, "new")).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&real).unwrap(), b"new");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(names(folder.path()), ["link", "real"]);
}

#[test]
fn logs_of_other_kinds_are_refused_however_lenient() {
    for first in ["#KOMADAI-BOOK-LOG 2", "#KOMADAI-BOOK-LOG 10", "Dear Sir,"] {
        let text = format!("{first}\nanalyst\t0\tx\t\t\n");
        let mut book = Book::new();
        let read = LogReader::new(text.as_bytes(), Tolerance::Lenient).read_into(&mut book);
        assert!(matches!(read, Err(BookError::Header { .. })), "{first}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.log");
        fs::write(&path, &text).unwrap();
        let opened = LoggedBook::open(&path, Tolerance::Lenient);
        assert!(matches!(opened, Err(LoggedBookError::Log { .. })), "{first}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn more_analysts_than_a_book_can_number_are_an_error() {
    let mut text = "#KOMADAI-BOOK-LOG 1\n".to_owned();
    for number in 0..70_000 {
        text += &format!("analyst\t{}\tn{number}\t\t\n", number % 10);
    }
    let mut book = Book::new();
    let read = LogReader::new(text.as_bytes(), Tolerance::Lenient).read_into(&mut book);
    assert!(matches!(read, Err(BookError::Full { line: 65_538, .. })), "{read:?}");
}

#[test]
fn a_file_that_is_no_log_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    for content in
        ["#YANEURAOU-DB2016 1.00\n", "a letter without a line end", "#KOMADAI-BOOK-LOG 2\n"]
    {
        let path = folder.path().join("letter");
        fs::write(&path, content).unwrap();
        for tolerance in [Tolerance::Strict, Tolerance::Lenient] {
            let error = LoggedBook::open(&path, tolerance).unwrap_err();
            assert!(matches!(error, LoggedBookError::Log { .. }), "{error}");
            assert!(error.to_string().contains("letter: line 1: found"), "{error}");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
}
