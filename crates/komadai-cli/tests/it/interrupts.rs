//! Ctrl-C ends each long command with code 130, after what is finished has been saved.
//!
//! `komadai match`, `csa` and `grow` are interrupted beside their other tests.

use std::fs;
use std::io::{BufRead as _, BufReader, Lines};
use std::path::Path;
use std::process::{ChildStderr, Command, Stdio};

use crate::{Running, komadai};

/// A number of nodes with which no search ends by itself.
const ENDLESS: &str = "100000000000";

/// The messages of a running command.
type Messages = Lines<BufReader<ChildStderr>>;

/// Starts a command, interrupts it after `wait`, and returns its exit code and its later messages.
fn interrupt(command: &mut Command, wait: impl FnOnce(&mut Messages)) -> (Option<i32>, String) {
    let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = Running(started.expect("the program starts"));
    let mut stderr = BufReader::new(child.0.stderr.take().expect("it is piped")).lines();
    wait(&mut stderr);
    let status = Command::new("kill").arg("-INT").arg(child.0.id().to_string()).status();
    assert!(status.expect("there is a command `kill`").success());
    let code = child.0.wait().expect("it is our child").code();
    let lines: Vec<String> = stderr.map(|line| line.expect("messages are UTF-8")).collect();
    (code, lines.join("\n"))
}

/// Waits for a message that begins with `stage`.
fn stage(stage: &str) -> impl FnOnce(&mut Messages) {
    move |messages| {
        let reached = messages.find(|line| line.as_ref().is_ok_and(|line| line.starts_with(stage)));
        assert!(reached.is_some(), "it ended before {stage:?}");
    }
}

/// Waits until something is in a folder.
fn file_in(folder: &Path) -> impl FnOnce(&mut Messages) {
    move |_| {
        while !fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some()) {
            std::thread::yield_now();
        }
    }
}

/// Checks that an interrupted command reports how to continue, and returns its messages.
fn assert_continues(command: &mut Command, wait: impl FnOnce(&mut Messages)) -> String {
    let (code, messages) = interrupt(command, wait);
    assert_eq!(code, Some(130), "{messages}");
    for part in ["stopping; press Ctrl-C again", "stopped", "continue"] {
        assert!(messages.contains(part), "{part:?} is missing in {messages}");
    }
    assert!(!messages.contains("error"), "{messages}");
    messages
}

fn book(subcommand: &str, store: &Path) -> Command {
    let mut command = komadai("book");
    command.arg(subcommand).arg(store);
    command
}

/// Games whose searches do not end.
const GAMES: [&str; 8] =
    ["--opponent", "komadai", "--nodes", ENDLESS, "--games", "2", "--concurrency", "1"];

#[test]
fn generations_of_a_book_are_incomplete() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("match.kbook");
    let messages = assert_continues(book("match", &store).args(GAMES), stage("generation 0"));
    assert!(messages.contains("stopped in generation 0"), "{messages}");
    assert!(store.exists());
    // The page about the book is written nevertheless.
    let name = folder.path().join("mine");
    assert_continues(book("shiba", &name).args(GAMES), stage("generation 0"));
    assert!(name.with_extension("kbook").exists() && name.with_extension("html").exists());
}

#[test]
fn a_growing_book_is_incomplete() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("grown.kbook");
    let grow = |arguments: &[&str]| {
        let mut command = book("grow", &store);
        command.args(["--threads", "1", "--hash-mib", "1"]).args(arguments);
        command
    };
    let mut first = grow(&["--positions", "1", "--nodes", "100", "--quiet"]);
    let first = first.stdout(Stdio::null()).status();
    assert!(first.expect("the program starts").success());
    let more = ["--positions", "5", "--nodes", ENDLESS];
    let messages = assert_continues(&mut grow(&more), stage("growing: 0/5"));
    assert!(messages.contains("--resume"), "{messages}");
}

#[test]
fn training_data_are_incomplete_only_if_a_number_is_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    let [some, many] = ["some", "many"].map(|name| folder.path().join(name));
    let generate = |folder: &Path| {
        let mut command = komadai("train");
        command.arg("generate").arg(folder);
        command.args(["--nodes", "40", "--threads", "1"]);
        command
    };
    let wanted = ["--positions", "100000000"];
    assert_continues(generate(&some).args(wanted), file_in(&some));
    let (code, messages) = interrupt(&mut generate(&many), file_in(&many));
    assert_eq!(code, Some(0), "{messages}");
    assert!([some, many].iter().all(|folder| folder.join("manifest.json").exists()));
}
