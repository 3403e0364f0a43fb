//! Pipes, devices and folders in place of files: an error at once, and the other files of a folder
//! are read.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::text;

/// Runs the command for at most 20 seconds; most runs need some milliseconds.
fn run(folder: &Path, line: &str) -> Output {
    let words = line.split(' ').map(|word| word.replace('_', " "));
    let output = Command::new("timeout")
        .args(["20", env!("CARGO_BIN_EXE_komadai")])
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    assert_ne!(output.status.code(), Some(124), "{line} waits");
    let printed = text(&output.stderr);
    assert!(output.status.code().is_some(), "{line}: {}: {printed}", output.status);
    assert!(!printed.contains("panicked"), "{line}: {printed}");
    output
}

fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().expect("it starts");
    assert!(made.success(), "{}", path.display());
}

const GAME: &str = "PI\n+\n+7776FU\n-3334FU\n%TORYO\n";

/// A folder with pipes of many names, a game, a book, and a folder that has both.
fn workplace() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for ending in
        ["", ".csa", ".kif.gz", ".zip", ".db", ".ybb", ".sbk", ".bin", ".kbook", ".psv", ".part"]
    {
        make_pipe(&path(&format!("pipe{ending}")));
    }
    fs::create_dir(path("games")).unwrap();
    for name in ["a.csa", "games/b.csa", "games/d.csa"] {
        fs::write(path(name), GAME).unwrap();
    }
    for name in ["games/a.kif", "games/c.csa.gz", "games/e.zip"] {
        make_pipe(&path(name));
    }
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    fs::write(path("a.db"), format!("#YANEURAOU-DB2016 1.00\n{start}\n7g7f none 30 5 1\n"))
        .unwrap();
    assert!(run(folder.path(), "book import a.kbook a.db").status.success());
    folder
}

/// Commands that read a file; each `pipe` stands for one.
const READERS: &[&str] = &[
    "kifu stats pipe",
    "kifu stats pipe.csa",
    "kifu stats pipe.kif.gz",
    "kifu stats pipe.zip",
    "convert pipe out.csa",
    "convert pipe.kif.gz out.csa",
    "convert pipe.zip out.kif",
    "board pipe.csa",
    "page pipe.csa out.html",
    "analyse pipe.csa --nodes 10",
    "tsume --file pipe",
    "tsume --file pipe.zip",
    "tsume-check pipe",
    "tsume-make pipe",
    "tsume-make pipe.psv",
    "tsume-mend pipe",
    "eval --parameters pipe",
    "grow pipe --out grown",
    "ladder pipe",
    "match --first komadai --second komadai --nodes 10 --openings pipe",
    "csa --user A --password-file pipe",
    "book info pipe",
    "book info pipe.db",
    "book info pipe.ybb",
    "book info pipe.sbk",
    "book info pipe.bin",
    "book info pipe.kbook",
    "book probe pipe.db",
    "book probe pipe.bin",
    "book convert pipe.db out.ybb",
    "book convert pipe.sbk out.db",
    "book sort pipe.db out.db",
    "book merge a.db pipe.db out.db",
    "book validate pipe.db",
    "book validate pipe.ybb",
    "book propagate pipe.db out.db",
    "book next pipe.db",
    "book next pipe.kbook",
    "book next a.db --start-positions pipe",
    "book traps pipe.db",
    "book frontier-diff pipe.db --before a.db",
    "book frontier-diff a.db --before pipe.db",
    "book refutations pipe.db --side black",
    "book rejoin pipe.db",
    "book unsolved a.db pipe.csa",
    "book opponent a.db pipe.db",
    "book grow pipe.kbook",
    "book match pipe.kbook --opponent A=komadai --nodes 10",
    "book report pipe.kbook",
    "book report pipe.db",
    "book import pipe.kbook a.db",
    "book import new.kbook pipe",
    "book import new.kbook pipe.ybb",
    "book import new.kbook pipe.kbook",
    "book sources pipe.kbook",
    "book refresh pipe.kbook --engine A",
    "book policy pipe.kbook",
    "book prune pipe.kbook",
    "book prune a.kbook --apply pipe",
    "book undo pipe.kbook --list",
    "book snapshot pipe.kbook",
    "book log export pipe.kbook out.log",
    "book log import new.kbook pipe",
    "book check pipe.kbook",
    "book check pipe.db",
    "book compact pipe.kbook",
    "train validate pipe.psv",
    "train validate pipe.part",
    "train filter out.psv pipe.psv",
    "train split out.psv other.psv pipe.psv",
    "train shuffle out.psv pipe.psv",
    "train deduplicate out.psv pipe.psv",
    "train rescore out.psv pipe.psv",
    "train moves out pipe.psv",
    "train network out pipe.psv",
    "train statistics pipe.psv",
    "train compare out pipe.psv",
    "train generate out --eval pipe",
];

/// The exit code of a command whose file cannot be read; a match takes its openings for a part of
/// its options.
fn code_of(line: &str) -> i32 {
    if line.starts_with("match ") { 2 } else { 1 }
}

#[test]
fn pipes_are_refused_at_once() {
    let folder = workplace();
    for line in READERS {
        let output = run(folder.path(), line);
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code_of(line)), "{line}: {printed}");
        assert!(printed.contains("expected a regular file, found a pipe"), "{line}: {printed}");
        let leftovers = ["out.psv", "out.psv.unfinished", "out.csa", "out.db", "grown"];
        for name in leftovers {
            assert!(!folder.path().join(name).exists(), "{line} left {name}");
        }
    }
}

#[test]
fn a_pipe_is_not_continued() {
    let folder = workplace();
    make_pipe(&folder.path().join("made.part"));
    let output = run(folder.path(), "tsume-make a.csa --out made --resume");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("made.part: expected a regular file, found a pipe"));
    for options in ["", " --resume"] {
        let output = run(folder.path(), &format!("tsume --file a.csa --out pipe{options}"));
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("pipe is no regular file"));
    }
}

#[test]
fn devices_and_folders_are_refused_at_once() {
    let folder = workplace();
    for line in READERS {
        // Names of devices have no ending, which some commands ask for; folders of records are
        // read.
        for (name, found) in [("/dev/zero", "a device"), ("/dev/full", "a device")] {
            let words: Vec<&str> = line
                .split(' ')
                .map(|word| if word.starts_with("pipe") { name } else { word })
                .collect();
            let line = words.join(" ");
            let output = run(folder.path(), &line);
            let printed = text(&output.stderr);
            assert_eq!(output.status.code(), Some(code_of(&line)), "{line}: {printed}");
            assert!(printed.contains(found), "{line}: {printed}");
        }
    }
    for line in ["tsume-check games", "eval --parameters games", "book info games"] {
        let output = run(folder.path(), line);
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert!(
            text(&output.stderr).contains("found a folder"),
            "{line}: {}",
            text(&output.stderr)
        );
    }
}

#[test]
fn a_pipe_in_a_folder_does_not_hide_the_files_beside_it() {
    let folder = workplace();
    for (line, code, printed) in [
        ("kifu stats games", 0, "White won                                    2"),
        ("convert games out.usi", 1, "out.usi: 2 games"),
        ("book import new.kbook games", 0, "2"),
        ("grow games --out grown --positions 0 --first-nodes 10 --max-ply 2", 0, "2"),
        // Three files cannot be read.
        ("tsume --file games --nodes 100", 1, "games/b.csa"),
        ("analyse games --nodes 10 --lenient", 0, "P-7f"),
    ] {
        let output = run(folder.path(), line);
        let (out, errors) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{line}: {errors}");
        assert!(out.contains(printed), "{line}: {out}");
        assert!(errors.contains("found a pipe"), "{line}: {errors}");
    }
}

#[test]
fn the_engine_names_a_file_that_is_a_pipe() {
    let folder = workplace();
    for option in ["EvalFile", "BookFile"] {
        let script = format!("usi\nsetoption name {option} value pipe.bin\nisready\n");
        fs::write(folder.path().join("script"), script).unwrap();
        let output = Command::new("timeout")
            .args(["20", env!("CARGO_BIN_EXE_komadai"), "engine"])
            .current_dir(folder.path())
            .stdin(fs::File::open(folder.path().join("script")).unwrap())
            .output()
            .unwrap();
        assert_ne!(output.status.code(), Some(124), "{option}");
        let printed = text(&output.stdout);
        let answer = printed.lines().find(|line| line.contains("found a pipe"));
        assert!(answer.is_some_and(|line| line.starts_with("info string ")), "{printed}");
    }
}
