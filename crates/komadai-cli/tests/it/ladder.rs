//! `komadai ladder` as its users run it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{komadai, text};

/// Plays a match of the embedded player against itself with other nodes.
fn play(folder: &Path, [first, second]: [(&str, &str); 2]) {
    let out = folder.join(format!("{}-{}", first.0, second.0));
    let mut command = komadai("match");
    command.args(["--first", "komadai", "--second", "komadai", "--games", "6", "--quiet"]);
    command.args(["--name-first", first.0, "--nodes-first", first.1, "--max-plies", "60"]);
    command.args(["--name-second", second.0, "--nodes-second", second.1, "--out"]).arg(out);
    assert!(command.output().expect("the program starts").status.success());
}

#[test]
fn players_of_several_matches_are_ranked() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (one, some, many) = (("one", "1"), ("some", "100"), ("many", "1500"));
    play(folder.path(), [one, some]);
    play(folder.path(), [many, some]);
    let paths = ["one-some", "many-some"].map(|name| folder.path().join(name));
    let output = komadai("ladder").args(&paths).arg("--json").output().expect("it starts");
    let ladder: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(ladder["zero"], "one");
    let of = |key: &str| -> Vec<&Value> {
        ladder["players"].as_array().expect("players").iter().map(|player| &player[key]).collect()
    };
    // Who is the strongest of these, six games do not tell.
    let elo: Vec<f64> = of("elo").iter().filter_map(|elo| elo.as_f64()).collect();
    assert_eq!(elo.len(), 3);
    assert!(elo.is_sorted_by(|higher, lower| higher >= lower), "{elo:?}");
    let total: f64 = of("points").iter().filter_map(|points| points.as_f64()).sum();
    assert!((total - 12.0).abs() < 1e-9);
    for player in ladder["players"].as_array().expect("players") {
        assert_eq!(player["games"], if player["name"] == "some" { 12 } else { 6 });
        assert!(player["name"] != "one" || player["elo"] == 0.0, "{player}");
    }

    // A log in place of its folder, and another player at zero.
    let log = paths[1].join("games.jsonl");
    let output = komadai("ladder").arg(&paths[0]).arg(log).args(["--zero", "some"]).output();
    let table = text(&output.expect("it starts").stdout);
    let rows: Vec<&str> = table.lines().skip(2).take(3).collect();
    assert!(rows.iter().any(|row| row.starts_with("| some | +0 | zero | 12 |")), "{table}");
    assert_eq!(table.lines().count(), 10, "{table}");
}

#[test]
fn matches_that_give_no_ladder_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let refused = |arguments: &[&str]| {
        let output = komadai("ladder").args(arguments).current_dir(folder.path()).output();
        let output = output.expect("it starts");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        text(&output.stderr)
    };
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content);
    assert!(refused(&["missing"]).contains("missing"));
    write("text", "not a log\n").expect("it is written");
    assert!(refused(&["text"]).contains("text, line 1: expected the head of a match"));
    write("empty", "").expect("it is written");
    assert!(refused(&["empty"]).contains("line 1"));
    write("damaged", "{\"names\":[\"a\",\"b\"]}\n{\"game\":1}\n").expect("it is written");
    assert!(refused(&["damaged"]).contains("damaged, line 2"));
    write("a", "{\"names\":[\"a\",\"b\"]}\n").expect("it is written");
    assert!(refused(&["a"]).contains("no complete pairs of games connect b to a"));
    assert!(refused(&["a", "--zero", "c"]).contains("no match of \"c\", expected one of a, b"));
}
