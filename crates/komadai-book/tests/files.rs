//! Files on disk, written whole or not at all, and logs as text.

use std::fs;
use std::io::{self, Write};

use komadai_book::{
    AnalystId, Book, BookError, EntryError, Input, LogReader, Provenance, SeedOptions, Seeder,
    write_atomically,
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

fn read(log: &[u8], tolerance: Tolerance) -> Result<Book, BookError> {
    let mut book = Book::new();
    LogReader::new(log, tolerance).read_into(&mut book).map(|_| book)
}

fn merge(book: &mut Book, analysis: &Analysis, engine: &AnalystId, when: u64) {
    let provenance = Provenance { analyst: book.analyst(engine), when };
    book.merge_analysis(&Position::hirate(), analysis, provenance).unwrap();
}

#[test]
fn a_log_keeps_everything_that_is_known() {
    let mut seeder = Seeder::new(SeedOptions::default());
    for game in parse_usi_games("startpos moves 2g2f 8c8d\n", Tolerance::Strict).unwrap().records {
        seeder.add(&game).unwrap();
    }
    let mut book = seeder.into_book();
    book.add_input(Input { fingerprint: u64::MAX, games: 1, name: "a\tb".into() });
    let engine = AnalystId::new("engine", "1").with_options("hash 8 MiB\n2 threads");
    merge(&mut book, &analysis(30), &engine, 5);
    merge(&mut book, &analysis(40), &AnalystId::new("other", ""), 6);
    let m = "7g7f".parse().unwrap();
    let provenance = Provenance { analyst: book.analyst(&engine), when: 7 };
    let answered = analysis_of_answer();
    book.merge_successor_analysis(&Position::hirate(), m, &answered, provenance).unwrap();

    let expected = texts(&book);
    let again = read(expected.1.as_bytes(), Tolerance::Strict).unwrap();
    assert_eq!(texts(&again), expected);
    assert_eq!(again.inputs(), book.inputs());
    assert_eq!(again.analysts(), book.analysts());
}

fn analysis_of_answer() -> Analysis {
    let line = Line { score: Score::cp(-9), bound: Bound::Exact, pv: "3c3d".parse().unwrap() };
    Analysis { lines: vec![line], ..Analysis::default() }
}

#[test]
fn a_log_that_was_cut_off_at_any_byte_has_its_whole_lines() {
    let mut book = Book::new();
    for cp in 0..3 {
        merge(&mut book, &analysis(cp), &AnalystId::new("engine", "1"), 0);
    }
    let (_, log) = texts(&book);
    let first_line = log.find('\n').unwrap();
    for length in first_line..log.len() {
        let cut = &log[..length];
        let whole = cut.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let whole = whole.filter(|line| line.starts_with("eval")).count();
        let read = read(cut.as_bytes(), Tolerance::Lenient).unwrap();
        // A line of which the end of its last cell is missing may look whole.
        assert!((whole..=whole + 1).contains(&read.evaluations()), "{length}");
    }
}

/// What has no place in a line of the log cannot be written.
#[test]
fn a_name_that_is_too_long_for_a_log_is_an_error() {
    let mut book = Book::new();
    merge(&mut book, &analysis(3), &AnalystId::new("x".repeat(70_000), ""), 0);
    assert!(book.write_log(&mut Vec::new()).is_err());
}

#[test]
fn an_analysis_with_an_illegal_move_is_not_added_at_all() {
    let mut book = Book::new();
    let mut broken = analysis(1);
    broken.lines.push(Line { pv: "1a1b".parse().unwrap(), ..broken.lines[0].clone() });
    let provenance = Provenance { analyst: book.analyst(&AnalystId::new("engine", "")), when: 0 };
    let merged = book.merge_analysis(&Position::hirate(), &broken, provenance);
    assert!(matches!(merged, Err(EntryError::IllegalMove { .. })), "{merged:?}");
    assert_eq!(book.evaluations(), 0);
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
fn more_analysts_than_a_book_can_number_are_an_error() {
    let mut text = "#KOMADAI-BOOK-LOG 1\n".to_owned();
    for number in 0..70_000 {
        text += &format!("analyst\t{}\tn{number}\t\t\n", number % 10);
    }
    let mut book = Book::new();
    let read = LogReader::new(text.as_bytes(), Tolerance::Lenient).read_into(&mut book);
    assert!(matches!(read, Err(BookError::Full { line: 65_538, .. })), "{read:?}");
}
