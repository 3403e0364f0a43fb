//! `komadai ladder` as its users run it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

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
        // Half of the games with each colour.
        for results in player["wins_draws_losses_by_color"].as_array().expect("two colours") {
            let counts: Vec<u64> =
                results.as_array().unwrap().iter().filter_map(Value::as_u64).collect();
            assert_eq!(counts.iter().sum::<u64>() * 2, player["games"], "{player}");
        }
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

/// A log of games of the first player with these results, `+`, `=` or `-`, from its head.
fn log(names: [&str; 2], command: &str, results: &str) -> String {
    let players =
        json!({ "first": { "command": command, "options": [] }, "second": { "command": "b" } });
    let mut log =
        format!("{}\n", json!({ "match": players, "names": names, "builds": [null, null] }));
    for (number, result) in results.chars().enumerate() {
        let is_black = number % 2 == 0;
        let winner = match result {
            '=' => "draw",
            result if (result == '+') == is_black => "black",
            _ => "white",
        };
        let game = json!({
            "game": number, "opening": number / 2, "first": if is_black { "black" } else { "white" },
            "winner": winner, "ending": "resignation", "detail": "", "start": "startpos", "moves": "",
            "us": [], "cp": [], "nodes": [], "depth": [], "cpu_us": [null, null],
        });
        log += &format!("{game}\n");
    }
    log
}

#[test]
fn all_columns_count_the_games_of_complete_pairs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (results, rows, not_counted) in [
        ("+-+--", ["| a | +0 | zero | 4 | 50.0 % |", "| a | b | 2, 0, 2 | 50.0 % |"], 1),
        ("+-+-+", ["| a | +0 | zero | 4 | 50.0 % |", "| a | b | 2, 0, 2 | 50.0 % |"], 1),
        ("+-+-=", ["| a | +0 | zero | 4 | 50.0 % |", "| a | b | 2, 0, 2 | 50.0 % |"], 1),
        ("+===", ["| a | +0 | zero | 4 | 62.5 % |", "| a | b | 1, 3, 0 | 62.5 % |"], 0),
    ] {
        // An editor may have left a byte order mark.
        let log = format!("\u{feff}{}", log(["a", "b"], "a", results));
        fs::write(folder.path().join("log"), log).expect("it is written");
        let run = |more: &[&str]| {
            let output =
                komadai("ladder").arg("log").args(more).current_dir(folder.path()).output();
            text(&output.expect("it starts").stdout)
        };
        let table = run(&[]);
        assert!(rows.iter().all(|row| table.contains(row)), "{results}: {table}");
        let note = "Not counted: 1 game whose partner in its pair is missing.";
        assert_eq!(table.contains(note), not_counted == 1, "{table}");
        let ladder: Value = serde_json::from_str(&run(&["--json"])).expect("one JSON object");
        assert_eq!(ladder["games_not_counted"], not_counted);
        assert_eq!(ladder["players"][0]["games"], 4);
    }
}

#[test]
fn engines_that_differ_under_one_name_are_pointed_out() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rebuilt = log(["python3", "b"], "python3 one.py", "+-")
        .replace("[null,null],\"match\"", "[\"9 bytes\",null],\"match\"");
    let old = rebuilt.replace("9 bytes", "8 bytes");
    for (logs, words) in [
        (
            [
                log(["python3", "b"], "python3 one.py", "+-"),
                log(["python3", "b"], "python3 two.py", "+-"),
            ],
            Some("python3 is `python3 one.py` in 0, but `python3 two.py` in 1"),
        ),
        (
            [
                log(["python3", "b"], "python3 one.py", "+-"),
                log(["python3", "b"], "python3 one.py", "-+"),
            ],
            None,
        ),
        ([old, rebuilt.clone()], Some("python3 was rebuilt between 0 and 1")),
        ([rebuilt.clone(), rebuilt], None),
    ] {
        for (number, log) in logs.iter().enumerate() {
            fs::write(folder.path().join(number.to_string()), log).expect("it is written");
        }
        let output = komadai("ladder").args(["0", "1"]).current_dir(folder.path()).output();
        let output = output.expect("it starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
        match words {
            Some(words) => {
                assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr))
            }
            None => assert_eq!(text(&output.stderr), ""),
        }
    }
}

#[test]
fn names_cannot_break_the_tables() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = "a\u{1b}[2J|b\nc\u{202e}";
    fs::write(folder.path().join("log"), log([name, "b"], "a", "+-")).expect("it is written");
    let output = komadai("ladder").arg("log").current_dir(folder.path()).output();
    let table = text(&output.expect("it starts").stdout);
    assert!(table.contains("| a\u{fffd}[2J\\|b\u{fffd}c\u{fffd} | +0 |"), "{table:?}");
    assert_eq!(table.lines().count(), 8, "{table:?}");
    let output = komadai("ladder").args(["log", "--zero", "x"]).current_dir(folder.path()).output();
    let message = text(&output.expect("it starts").stderr);
    assert!(!message.contains('\u{1b}') && message.lines().count() == 1, "{message:?}");
}

#[test]
fn logs_without_end_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("long");
    let head = log(["a", "b"], "a", "");
    for (content, place) in [(String::new(), 1), (head, 2)] {
        fs::write(&path, content + &" ".repeat((16 << 20) + 1)).expect("it is written");
        let output = komadai("ladder").arg(&path).output().expect("it starts");
        assert_eq!(output.status.code(), Some(1));
        let message = text(&output.stderr);
        let words = format!("line {place}: a line of more than 16 MiB");
        assert!(message.contains(&words), "{message}");
    }
    #[cfg(unix)]
    for device in ["/dev/zero", "/dev/null"] {
        let output = komadai("ladder").arg(device).output().expect("it starts");
        assert_eq!(output.status.code(), Some(1));
        assert!(
            text(&output.stderr).contains("expected a regular file"),
            "{}",
            text(&output.stderr)
        );
    }
}
