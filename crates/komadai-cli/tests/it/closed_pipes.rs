//! Programs whose output no one reads to its end, as in `komadai book info book.db | head -1`.

use std::fs;
use std::io::pipe;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use komadai::Position;
use komadai::book::WorkingBook;
use komadai::book::clock::seconds_since_1970;
use komadai::book::store::{Deletion, Store};
use komadai_testdata::books::synthetic;

use crate::text;

/// The code of a program whose reader has left.
const READER_LEFT: i32 = 141;

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_komadai"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

/// Runs a command whose standard output has been closed by its reader.
fn run_unread(folder: &Path, arguments: &[&str]) -> Output {
    let (reader, writer) = pipe().expect("a pipe");
    drop(reader);
    command(folder, arguments).stdout(writer).output().expect("it starts")
}

/// A folder with a book, `a.db`, and a working book, `a.kbook`, with a deletion and a snapshot.
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let book = synthetic::books().find(|book| book.name == "small50").expect("it is bundled");
    fs::write(folder.path().join("a.db"), book.solved).expect("it can be written");
    for arguments in [
        &["book", "sort", "a.db", "sorted.db"][..],
        &["book", "import", "a.kbook", "a.db"],
        &["book", "snapshot", "a.kbook", "first"],
    ] {
        let output = command(folder.path(), arguments).output().expect("it starts");
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    }
    let book = WorkingBook::open_or_create(folder.path().join("a.kbook")).expect("a book");
    let start = Position::hirate();
    let record = book.store().position(&start).expect("readable").expect("it is there").record;
    let deletion = Deletion {
        position: start,
        m: Some(record.moves[0].m),
        reason: "a test".to_owned(),
        when: seconds_since_1970(),
        generation: 1,
        games: Vec::new(),
    };
    book.store().delete(&[deletion]).expect("it can be deleted");
    folder
}

#[test]
fn programs_end_quietly_when_their_reader_leaves() {
    let place = workplace();
    for arguments in [
        &["perft", "--depth", "3"][..],
        &["perft", "--depth", "3", "--divide"],
        &["tsume", "--sfen", "4k4/9/4P4/9/9/9/9/9/9 b G 1"],
        &["tsume-check", "--sfen", "4k4/9/4P4/9/9/9/9/9/9 b G 1"],
        &["engine", "bench", "--depth", "1"],
        &["eval"],
        &["eval", "--after", "7g7f", "--all", "--json"],
        &["board"],
        &["board", "--svg", "-"],
        &["completions", "bash"],
        &["man", "man"],
        &["book", "info", "a.db"],
        &["book", "info", "a.kbook"],
        &["book", "info", "a.db", "--json"],
        &["book", "probe", "sorted.db"],
        &["book", "probe", "a.kbook", "--values"],
        &["book", "validate", "sorted.db"],
        &["book", "convert", "a.db", "out.ybb"],
        &["book", "sort", "a.db", "out.db"],
        &["book", "merge", "a.db", "a.db", "out.db"],
        &["book", "propagate", "a.db", "out.db"],
        &["book", "sources", "a.kbook"],
        &["book", "next", "a.kbook"],
        &["book", "prune", "a.kbook", "--json"],
        &["book", "undo", "a.kbook", "--list"],
        &["book", "undo", "a.kbook", "--last"],
        &["book", "snapshot", "a.kbook"],
        &["book", "policy", "a.kbook"],
        &["book", "log", "export", "a.kbook", "out.log"],
        &["book", "check", "a.kbook"],
        &["book", "compact", "a.kbook"],
        &["book", "import", "new.kbook", "a.db"],
        &["book", "report", "a.kbook", "--json"],
    ] {
        let output = run_unread(place.path(), arguments);
        let printed = text(&output.stderr);
        assert!(!printed.contains("panicked"), "{arguments:?}: {printed}");
        assert!(!printed.to_lowercase().contains("pipe"), "{arguments:?}: {printed}");
        assert_eq!(output.status.code(), Some(READER_LEFT), "{arguments:?}: {printed}");
    }
}

#[test]
fn help_ends_quietly_when_its_reader_leaves() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [&["--help"][..], &["--version"], &["help"], &["book", "--help"]] {
        let output = run_unread(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(READER_LEFT), "{arguments:?}");
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_finds_no_room_is_an_error() {
    let place = workplace();
    for arguments in [
        &["--help"][..],
        &["-h"],
        &["--version"],
        &["-V"],
        &["help"],
        &["help", "book"],
        &["book", "--help"],
        &["book", "info", "-h"],
        &["tsume", "--help"],
        &["perft", "--depth", "2"],
        &["board"],
        &["board", "--svg", "-"],
        &["eval", "--json"],
        &["completions", "zsh"],
        &["engine", "bench", "--depth", "1"],
        &["tsume", "--sfen", "4k4/9/4P4/9/9/9/9/9/9 b G 1"],
        &["book", "info", "a.db"],
        &["book", "info", "a.kbook", "--json"],
        &["book", "next", "a.kbook"],
        &["book", "sources", "a.kbook"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let output = command(place.path(), arguments).stdout(full).output().expect("it starts");
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {printed}");
        assert!(printed.contains("No space left"), "{arguments:?}: {printed}");
    }
}

#[test]
fn a_closed_standard_error_ends_no_program() {
    let place = workplace();
    for (arguments, code) in [
        (&["book", "info", "missing.db"][..], 1),
        (&["book", "info", "--no-such-option"], 2),
        (&["book", "import", "new.kbook", "a.db"], 0),
        (&["book", "refutations", "a.db", "--side", "black"], 0),
    ] {
        let (reader, writer) = pipe().expect("a pipe");
        drop(reader);
        let output = command(place.path(), arguments).stderr(writer).output().expect("it starts");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn work_is_done_although_no_one_reads_about_it() {
    let place = workplace();
    run_unread(place.path(), &["book", "import", "new.kbook", "a.db", "sorted.db"]);
    let store = Store::open_to_read(place.path().join("new.kbook")).expect("a book");
    assert_eq!(store.inputs().expect("readable").len(), 2);
    run_unread(place.path(), &["book", "undo", "a.kbook", "--last"]);
    let store = Store::open_to_read(place.path().join("a.kbook")).expect("a book");
    assert!(store.tombstones().expect("readable").iter().all(|found| found.undone.is_some()));
    let games = ["--max-ply", "3", "--first-nodes", "50", "--positions", "0", "--out", "grown"];
    let output = run_unread(place.path(), &[&["grow"][..], &games].concat());
    assert_eq!(output.status.code(), Some(READER_LEFT), "{}", text(&output.stderr));
    assert!(place.path().join("grown/report.html").exists());
}
