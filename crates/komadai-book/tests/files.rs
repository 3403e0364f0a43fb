//! Files on disk: written whole or not at all, and logs that survive the end of their process.

use std::fs;
use std::io::{self, Write};

use komadai_book::{
    AnalystId, Book, Input, LoggedBook, LoggedBookError, SeedOptions, Seeder, write_atomically,
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

    let (again, import) = LoggedBook::open(&path, Tolerance::Strict).unwrap();
    assert!(import.skipped.is_empty());
    assert_eq!(texts(again.book()), expected);
    assert_eq!(again.book().inputs(), [input]);
    assert_eq!(again.book().analysts(), book.book().analysts());
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
    // Where the temporary file belongs is a folder.
    let temporary = path.with_file_name(format!(".book.log.{}.tmp", std::process::id()));
    fs::create_dir(&temporary).unwrap();
    assert!(matches!(book.merge(&other), Err(LoggedBookError::Io { .. })));
    assert_eq!(fs::read(&path).unwrap(), before);
    drop(book);
    fs::remove_dir(&temporary).unwrap();

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
            assert!(error.to_string().contains("letter: line 1, column 1: found"), "{error}");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
}
