//! `komadai tsume-make` and `komadai tsume-mend`: problems of the bundled games, runs that go on,
//! and help with a composition.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use komadai::problems::{Judge, Problem, parse_problems};
use komadai_testdata::games;

use crate::text;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_komadai"));
    command.current_dir(folder).args(arguments).output().expect("it starts")
}

/// The first bundled games as a file of moves.
fn write_games(folder: &Path, count: usize) {
    let games = games::tournament().take(count);
    let games: Vec<String> = games.map(|game| format!("startpos moves {}", game.moves)).collect();
    fs::write(folder.join("games.usi"), games.join("\n")).unwrap();
}

fn problems(text: &str) -> Vec<Problem> {
    parse_problems(text).map(|problem| problem.expect("a problem")).collect()
}

#[test]
fn games_become_different_problems_that_the_judge_confirms() {
    let folder = tempfile::tempdir().unwrap();
    write_games(folder.path(), 77);
    let arguments = ["tsume-make", "games.usi", "--count", "3=4,5=3,7=1", "--threads", "2"];
    let printed = run(folder.path(), &arguments);
    let made = problems(&text(&printed.stdout));
    assert!(made.len() >= 5, "{printed:?}");
    let mut judge = Judge::new(1_000_000);
    for problem in &made {
        let judged = judge.examine(&problem.position).expect("one solution");
        assert_eq!(judged.line.len(), problem.line.len(), "{problem}");
    }
    let different: HashSet<String> =
        made.iter().map(|problem| problem.position.to_string()).collect();
    assert_eq!(different.len(), made.len());
    assert!(made.is_sorted_by_key(Problem::rating));

    // One thread makes the same, in a file; which is not overwritten.
    let arguments = ["tsume-make", "games.usi", "--count", "3=4,5=3,7=1", "--out", "made.tsv"];
    let written = run(folder.path(), &arguments);
    assert_eq!(written.status.code(), printed.status.code());
    let file = fs::read_to_string(folder.path().join("made.tsv")).unwrap();
    assert_eq!(file, text(&printed.stdout));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no other file is left");
    let again = run(folder.path(), &arguments);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains("made.tsv exists"), "{again:?}");
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_problems() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["tsume-make", "--random", "--count", "3=12", "--seed", "4"];
    let whole = text(&run(folder.path(), &arguments).stdout);
    assert_eq!(problems(&whole).len(), 12, "{whole}");

    // The log of a run that was killed after no batch, in the middle of a line.
    let log = whole.lines().next().expect("a problem").split_at(20).0.to_owned();
    fs::write(folder.path().join("made.tsv.part"), log).unwrap();
    let out = [&arguments[..], &["--out", "made.tsv"]].concat();
    assert_eq!(run(folder.path(), &out).status.code(), Some(1), "the log is not overwritten");
    let resumed = run(folder.path(), &[&out[..], &["--resume"]].concat());
    assert!(resumed.status.success(), "{resumed:?}");
    assert_eq!(fs::read_to_string(folder.path().join("made.tsv")).unwrap(), whole);

    fs::write(folder.path().join("bad.tsv.part"), "nonsense\n").unwrap();
    let bad = run(folder.path(), &[&arguments[..], &["--out", "bad.tsv", "--resume"]].concat());
    assert_eq!(bad.status.code(), Some(1));
    assert!(text(&bad.stderr).contains("bad.tsv.part: line 1: found 1 fields"), "{bad:?}");
}

#[test]
fn bad_usage_of_the_maker_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["tsume-make"][..],
        &["tsume-make", "--random", "games.usi"],
        &["tsume-make", "--random", "--count", "4=1"],
        &["tsume-make", "--random", "--count", "17=1"],
        &["tsume-make", "--random", "--count", "3"],
        &["tsume-make", "--random", "--resume"],
        &["tsume-mend"],
        &["tsume-mend", "4k4/9/9/9/9/9/9/9/9 b G 1", "--distance", "9"],
    ] {
        let output = run(folder.path(), arguments);
        let is_count = arguments.contains(&"3");
        let expected = if is_count { Some(0) } else { Some(2) };
        assert_eq!(output.status.code(), expected, "{arguments:?}: {output:?}");
    }
    let empty = run(folder.path(), &["tsume-make", "missing.psv"]);
    assert_eq!(empty.status.code(), Some(1));
    assert!(text(&empty.stderr).contains("missing.psv"), "{empty:?}");
}

#[test]
fn each_piece_is_examined() {
    let folder = tempfile::tempdir().unwrap();
    // A lance that the mate does not need.
    let bare = "4k4/9/4P4/9/9/9/9/9/9 b GL 1";
    let output = run(folder.path(), &["tsume-mend", bare]);
    let printed = text(&output.stdout);
    assert!(printed.starts_with("flaw: pieces left in hand at the end\n"), "{printed}");
    assert!(printed.contains("without L in hand: one solution, 1 plies: G*5b"), "{printed}");
    assert!(printed.contains("without G in hand: no mate"), "{printed}");
    assert_eq!(output.status.code(), Some(1));

    let one = run(folder.path(), &["tsume-mend", "4k4/9/4P4/9/9/9/9/9/9 b G 1"]);
    assert!(text(&one.stdout).starts_with("one solution, 1 plies: G*5b\n"), "{one:?}");
    assert_eq!(one.status.code(), Some(0));

    fs::write(folder.path().join("none.sfen"), "4k4/9/9/9/9/9/9/9/9 b G 1\n").unwrap();
    let none = run(folder.path(), &["tsume-mend", "none.sfen"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(text(&none.stderr).contains("no mate: nothing to mend"), "{none:?}");
}
