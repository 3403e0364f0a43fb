//! Searches of positions: tables, JSON, pictures, engines.

use std::fs;
use std::process::{Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::{Running, komadai, text};

/// A gold in front of the king mates.
const MATE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

fn search(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = komadai("search");
    command.args(arguments).current_dir(folder.path()).env("LC_ALL", "C").stdin(Stdio::null());
    command.output().unwrap()
}

fn printed(folder: &TempDir, arguments: &[&str]) -> String {
    let output = search(folder, arguments);
    let messages = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {messages}");
    text(&output.stdout)
}

/// Returns the JSON object without the time.
fn json(folder: &TempDir, arguments: &[&str]) -> Value {
    let all = [arguments, &["--threads", "1", "--hash-mib", "1", "--json"]].concat();
    let mut value: Value = serde_json::from_str(&printed(folder, &all)).expect("it is JSON");
    assert!(value["ms"].take().is_u64());
    value
}

#[test]
fn a_position_is_searched_into_a_table_json_and_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let position = ["startpos", "moves", "7g7f", "3c3d"];
    let with = |more: &[&'static str]| [&position[..], more].concat();
    let found = json(&folder, &with(&["--nodes", "3000", "--lines", "2", "--svg", "a.svg"]));
    assert_eq!(found, json(&folder, &with(&["--nodes", "3000", "--lines", "2"])));
    let lines = found["lines"].as_array().unwrap();
    assert_eq!((lines.len(), &found["best"]), (2, &lines[0]["pv"][0]));
    assert!(found["nodes"].as_u64().unwrap() >= 3_000 && found["side"] == "black");
    assert_eq!(lines[0]["score"], lines[0]["black"]);
    let svg = fs::read_to_string(folder.path().join("a.svg")).unwrap();
    let arrow = |line: &Value| format!("Arrow: {}", line["pv"][0].as_str().unwrap());
    assert!(svg.contains(&format!("{} (good).", arrow(&lines[0]))), "{svg}");
    assert!(svg.contains(&arrow(&lines[1])) && svg.contains("Last move: 3c3d."), "{svg}");
    // An existing picture is replaced only on request.
    let again = with(&["--depth", "1", "--svg", "a.svg"]);
    assert_eq!(search(&folder, &again).status.code(), Some(1));
    printed(&folder, &[&again[..], &["--force"]].concat());

    let table = printed(&folder, &with(&["--depth", "4", "--lines", "2", "--threads", "1"]));
    for part in ["Black to move, move 3", "1 thread, hash 64 MiB", "depth 4/", " nodes in ", "line"]
    {
        assert!(table.contains(part), "no {part:?} in {table}");
    }
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with(['1', '2'])).collect();
    assert!(rows.len() == 2 && rows[0].contains("  4  "), "{table}");
    let japanese = printed(&folder, &with(&["--depth", "4", "--lang", "ja", "--threads", "1"]));
    assert!(japanese.contains("評価値（先手）") && japanese.contains("▲"), "{japanese}");
    assert!(japanese.contains("|v香v桂v銀"), "{japanese}");
}

#[test]
fn a_mate_that_the_solver_proves_is_told_as_such() {
    let folder = tempfile::tempdir().unwrap();
    // The bundled problem of 7 plies needs more depth than the search gets.
    let problem = "2+R3G2/4S1G1k/6ppp/9/9/9/9/9/8K b r2b2g3s4n4l15p 1";
    let with = |more: &[&'static str]| [&[problem, "--depth", "1", "--lines", "1"], more].concat();
    let found = json(&folder, &with(&[]));
    assert_eq!((&found["mate"]["plies"], &found["mate"]["is_shortest"]), (&7.into(), &true.into()));
    assert_eq!(found["mate"]["pv"][0], "3b2b");
    assert_eq!(found["mate"]["pv_names"].as_array().unwrap().len(), 7);
    assert!(json(&folder, &with(&["--mate-nodes", "0"]))["mate"].is_null());
    let table = printed(&folder, &with(&[]));
    let proven = "nodes): Black mates in 7, the shortest\n  G-2b Kx2b G-2a";
    assert!(table.contains("proven by the mate solver (") && table.contains(proven), "{table}");
    let japanese = printed(&folder, &with(&["--lang", "ja"]));
    assert!(japanese.contains("ノード）：7手詰（最短）\n  ▲２二金 △同玉"), "{japanese}");
    assert!(json(&folder, &["startpos", "--depth", "1"])["mate"].is_null());
}

#[test]
fn mates_are_words_and_a_lost_side_has_no_line() {
    let folder = tempfile::tempdir().unwrap();
    let by_depth = |more: &[&'static str]| {
        printed(&folder, &[&[MATE, "--depth", "3", "--lines", "1"], more].concat())
    };
    assert!(by_depth(&[]).contains("Black mates in 1  "), "{}", by_depth(&[]));
    assert!(by_depth(&["--lang", "ja"]).contains("先手勝ち（1手詰）"));
    // White, who is to move, is mated after every move but does not know it for free.
    let turned = "4k4/9/9/9/9/9/4p4/9/4K4 w g 1";
    let table = printed(&folder, &[turned, "--depth", "3", "--lines", "1"]);
    assert!(table.contains("White mates in 1"), "{table}");
    let mated = printed(&folder, &["4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"]);
    assert!(mated.contains("White has no legal move"), "{mated}");
    let found = json(&folder, &["4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"]);
    assert_eq!((&found["best"], found["lines"].as_array().unwrap().len()), (&Value::Null, 0));
}

#[test]
fn every_mode_and_an_engine_find_the_mate() {
    let folder = tempfile::tempdir().unwrap();
    for mode in ["alpha-beta", "tree", "hybrid", "realization-probability", "abc"] {
        let found = json(&folder, &[MATE, "--mode", mode, "--nodes", "2000"]);
        assert_eq!(found["best"], "G*5b", "{mode}: {found}");
    }
    let engine = format!("'{}' engine", env!("CARGO_BIN_EXE_komadai"));
    let with_engine = ["--engine", &engine, "--option", "SearchMode=MonteCarlo", "--nodes", "2000"];
    let found = json(&folder, &[&[MATE], &with_engine[..]].concat());
    assert!(found["best"] == "G*5b" && found["engine"].as_str().unwrap().contains("komadai"));
    assert_eq!(found["options"]["SearchMode"], "MonteCarlo", "{found}");
    for alias in ["best", "go"] {
        let output = komadai(alias).args([MATE, "--depth", "1"]).output().unwrap();
        assert!(
            text(&output.stdout).contains("mates in 1") || text(&output.stdout).contains("手詰")
        );
    }
}

#[test]
fn bad_usage_has_its_code() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, code, expected) in [
        (&["--mode", "tree", "--engine", "x"][..], 2, "cannot be used with"),
        (&["--mode", "best"], 2, "alpha-beta, tree, hybrid"),
        (&["--lines", "0"], 2, "--lines"),
        (&["--seconds", "0"], 2, "expected seconds above 0"),
        (&["--option", "Foo=1"], 1, "no option is named \"Foo\""),
        (&["--engine", "./no-such-engine"], 1, "no-such-engine"),
        (&["--flip"], 2, "--svg"),
        (&["startpos", "moves", "7g7e"], 2, "move 1, 7g7e, is illegal"),
    ] {
        let output = search(&folder, arguments);
        let messages = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {messages}");
        assert!(messages.contains(expected), "{arguments:?}: {messages}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_search_prints_what_it_has_found() {
    let mut command = komadai("search");
    command.args(["--seconds", "3600", "--threads", "1", "--hash-mib", "1"]);
    let started = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = Running(started.unwrap());
    // The bit of SIGINT among the signals that the process handles.
    let handles = |id: u32| {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
        u64::from_str_radix(mask.trim(), 16).unwrap_or(0) & 2 != 0
    };
    while !handles(child.0.id()) {
        assert!(child.0.try_wait().unwrap().is_none(), "it ended");
        std::thread::yield_now();
    }
    let kill =
        std::process::Command::new("kill").arg("-INT").arg(child.0.id().to_string()).status();
    assert!(kill.unwrap().success());
    let (out, err) = (child.0.stdout.take().unwrap(), child.0.stderr.take().unwrap());
    let printed = std::io::read_to_string(out).unwrap();
    let messages = std::io::read_to_string(err).unwrap();
    assert_eq!(child.0.wait().unwrap().code(), Some(130), "{messages}");
    assert!(messages.contains("the lines found so far"), "{messages}");
    assert!(printed.lines().any(|line| line.starts_with("1  ")), "{printed}");
}
