//! `komadai usi check` as its users run it.
//!
//! The engine with faults is this test program, started again: if the environment variable is set,
//! the test [`engine`] does not return but runs as that engine.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use komadai_testdata::programs::{play_engine, say};
use serde_json::Value;

use crate::{komadai, text};

const FAULT: &str = "KOMADAI_CHECKED_ENGINE";

#[test]
fn engine() {
    play_engine(FAULT, |fault| {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            match (fault, line.split(' ').next().unwrap_or_default()) {
                ("mute", _) => {}
                (_, "usi") => say("id name Faulty\nid author nobody\nusiok"),
                (_, "isready") => say("readyok"),
                (_, "go") => say("info depth 1 score cp 0 pv 5e5d\nbestmove 5e5d"),
                (_, "quit") => return,
                _ => {}
            }
        }
    });
}

fn check(engine: &str) -> Command {
    let mut command = komadai("usi");
    command.args(["check", engine]).env("LC_ALL", "C").env_remove(FAULT);
    command
}

/// The check of the engine with a fault.
fn check_faulty(fault: &str) -> Command {
    let program = std::env::current_exe().expect("this program has a path");
    let words = "usi_check::engine --exact --test-threads=2";
    let mut command = check(&format!("'{}' {words}", program.display()));
    command.env(FAULT, fault);
    command
}

fn output(command: &mut Command) -> Output {
    command.output().expect("it starts")
}

#[test]
fn the_own_engine_passes_every_check() {
    let output = output(check("komadai:USI_Ponder=true").args(["--json", "--margin", "10000"]));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let checks = report["checks"].as_array().expect("checks");
    let with = |result: &str| -> Vec<&Value> {
        checks.iter().filter(|check| check["result"] == result).collect()
    };
    assert!(with("fail").is_empty(), "{:#?}", with("fail"));
    assert_eq!(output.status.code(), Some(0));
    let other: Vec<_> = with("not-applicable").iter().map(|check| check["id"].clone()).collect();
    let system = if cfg!(target_os = "linux") { vec![] } else { vec!["no-children"] };
    assert_eq!(other, system);
    assert!(report["name"].as_str().expect("a name").contains("komadai"));
    assert!(with("note")[0]["found"][0].as_str().expect("a text").starts_with("the same"));
}

#[test]
fn faults_are_reported_in_the_language_of_the_reader() {
    let english = output(check_faulty("illegal").args(["--wait", "2", "--failed"]));
    assert_eq!(english.status.code(), Some(1));
    let table = text(&english.stdout);
    for part in [
        "Faulty (nobody)",
        "FAIL   legal-move             bestmove 5e5d: illegal: ",
        "expected: bestmove is a legal move",
        "source: USI, Shogidokoro",
        "FAIL   go-infinite",
        " failed, ",
    ] {
        assert!(table.contains(part), "no {part:?} in {table}");
    }
    assert!(!table.contains("\npass"), "{table}");
    let japanese = output(check_faulty("illegal").args(["--wait", "2", "--lang", "ja"]));
    let table = text(&japanese.stdout);
    for part in ["不合格", "legal-move", "規則：bestmove は合法手", "合格 "] {
        assert!(table.contains(part), "no {part:?} in {table}");
    }
}

#[test]
fn dead_and_mute_engines_are_reported_soon() {
    let start = Instant::now();
    let mute = output(check_faulty("mute").args(["--start-timeout", "1"]));
    assert_eq!(mute.status.code(), Some(1));
    let table = text(&mute.stdout);
    assert!(table.contains("FAIL   usi-answer"), "{table}");
    assert!(table.contains("no answer within 1000 ms"), "{table}");
    let missing = output(&mut check("/no/such/engine"));
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stdout).contains("FAIL   launch"), "{missing:?}");
    let unclosed = output(&mut check("'engine"));
    assert_eq!(unclosed.status.code(), Some(2), "{unclosed:?}");
    assert!(start.elapsed() < Duration::from_secs(60));
}
