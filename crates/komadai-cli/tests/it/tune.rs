//! `komadai tune` as its users run it.
//!
//! The engine is this test program, started again: if the environment variable is set, the test
//! [`engine`] does not return but plays, the better the nearer its option `Skill` is to 70.

use std::fs;
use std::io::BufRead as _;
use std::path::Path;
use std::process::{Command, Output};

use komadai::core::{SplitMix64, UsiPosition};
use komadai::movegen::{MoveGen as _, play};
use komadai_testdata::programs::{play_engine, say};
use serde_json::Value;

use crate::{komadai, text};

const AS_ENGINE: &str = "KOMADAI_TUNED_ENGINE";

#[test]
fn engine() {
    play_engine(AS_ENGINE, |_| {
        let (mut skill, mut position) = (20.0, String::new());
        for line in std::io::stdin().lines().map_while(Result::ok) {
            match line.split(' ').next().unwrap_or_default() {
                "usi" => {
                    say("option name Skill type spin default 20 min 0 max 100");
                    say("option name Style type string default x");
                    say("option name USI_Ponder type check default false\nusiok");
                }
                "isready" => say("readyok"),
                "setoption" => {
                    if let Some(value) = line.strip_prefix("setoption name Skill value ") {
                        skill = value.parse().expect("a number");
                    }
                }
                "position" => position = line,
                "go" => answer(&position, skill),
                "quit" => return,
                _ => {}
            }
        }
    });
}

/// Resigns by a probability that grows with the distance of the skill from 70, otherwise plays a
/// random move. The same position and skill give the same answer.
fn answer(position: &str, skill: f64) {
    let game = UsiPosition::from_usi(position.trim_start_matches("position ")).expect("a position");
    let position = play(&game).expect("a legal game");
    let seed = position
        .to_string()
        .bytes()
        .fold(skill as u64, |seed, byte| SplitMix64::mix(seed ^ u64::from(byte)));
    let mut random = SplitMix64::new(seed);
    let hazard = 0.05 + 0.5 * ((skill - 70.0) / 70.0f64).powi(2);
    let moves = position.legal_moves();
    if (random.below(1_000_000) as f64) < hazard * 1e6 || moves.is_empty() {
        return say("bestmove resign");
    }
    say(&format!("bestmove {}", moves[random.below(moves.len() as u64) as usize]));
}

fn tune(folder: &Path, arguments: &[&str]) -> Command {
    let program = std::env::current_exe().expect("this program has a path");
    let words = "tune::engine --exact --test-threads=2";
    let mut command = komadai("tune");
    command.arg(format!("'{}' {words}", program.display())).args(arguments);
    command.current_dir(folder).env(AS_ENGINE, "1").env("LC_ALL", "C");
    command
}

fn output(command: &mut Command) -> Output {
    command.output().expect("it starts")
}

/// The arguments of a tuning of this many steps into `out`.
fn usual<'a>(steps: &'a str, out: &'a str) -> Vec<&'a str> {
    vec!["--parameters", "p.txt", "--nodes", "1", "--steps", steps, "--out", out]
}

fn with_parameters(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("p.txt"), text).expect("it can be written");
    folder
}

const SKILL: &str = "# name, int, start, min, max, c_end, r_end\nSkill, int, 20, 0, 100, 8, 0.04\n";

#[test]
fn a_number_is_tuned_to_its_optimum_and_the_test_confirms_it() {
    let folder = with_parameters(SKILL);
    let test = ["--sprt", "0,100", "--sprt-games", "400", "--quiet"];
    let tuned = output(&mut tune(folder.path(), &[&usual("250", "out")[..], &test].concat()));
    let table = text(&tuned.stdout);
    assert_eq!(tuned.status.code(), Some(0), "{table}{}", text(&tuned.stderr));
    let command = table.lines().find_map(|line| line.strip_prefix("setoption name Skill value "));
    let value: f64 = command.expect("a command").parse().expect("a number");
    assert!((50.0..=90.0).contains(&value), "{table}");
    assert!(table.contains("250 of 250 steps") && table.contains("0 … 100"), "{table}");
    assert!(table.contains("tuned") && table.contains("start"), "{table}");
    assert!(folder.path().join("out/sprt/games.jsonl").exists());
    // All is done: the same command prints the same at once.
    let again = output(&mut tune(folder.path(), &[&usual("250", "out")[..], &["--json"]].concat()));
    let json: Value = serde_json::from_slice(&again.stdout).expect("one JSON object");
    assert_eq!((&json["done"], &json["parameters"][0]["value"]), (&250.into(), &value.into()));
    let japanese = [&usual("250", "out")[..], &["--lang", "ja"]].concat();
    let japanese = text(&output(&mut tune(folder.path(), &japanese)).stdout);
    assert!(japanese.contains("250 ステップ中 250") && japanese.contains("調整値"), "{japanese}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_tuning_goes_on_where_it_was() {
    use std::io::BufReader;
    use std::process::Stdio;

    use crate::Running;

    let folder = with_parameters(SKILL);
    let whole = output(&mut tune(folder.path(), &usual("60", "whole")));
    assert_eq!(whole.status.code(), Some(0), "{}", text(&whole.stderr));
    let mut command = tune(folder.path(), &usual("60", "parts"));
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = Running(child.expect("it starts"));
    let mut lines = BufReader::new(child.0.stderr.take().expect("it is piped")).lines();
    let reached = lines.find(|line| line.as_ref().is_ok_and(|line| line.starts_with("step ")));
    assert!(reached.is_some(), "it ended before the first step");
    let killed = Command::new("kill").arg("-INT").arg(child.0.id().to_string()).status();
    assert!(killed.expect("there is a command `kill`").success());
    assert_eq!(child.0.wait().expect("it is our child").code(), Some(130));
    let messages: Vec<String> = lines.map_while(Result::ok).collect();
    assert!(
        messages.iter().any(|line| line.contains("the same command continues")),
        "{messages:?}"
    );
    let rest = output(&mut tune(folder.path(), &usual("60", "parts")));
    assert!(text(&rest.stderr).contains("continued after step"), "{}", text(&rest.stderr));
    let values =
        |out: &str| fs::read_to_string(folder.path().join(out).join("tuning.txt")).unwrap();
    assert_eq!(values("parts"), values("whole"));
}

#[test]
fn what_cannot_be_tuned_is_refused_with_its_line() {
    for (line, part) in [
        ("Style, int, 1, 0, 2, 1, 0.002", "p.txt:1: Style is a string: only numbers (spin)"),
        ("USI_Ponder, int, 1, 0, 2, 1, 0.002", "p.txt:1: USI_Ponder is a check"),
        ("Depth, int, 1, 0, 2, 1, 0.002", "p.txt:1: the engine has no option \"Depth\""),
        ("Skill, int, 20, 0, 200, 8, 0.04", "p.txt:1: Skill is from 0 to 100"),
        ("Skill, int, 20, 0, 100, 0.2, 0.04", "p.txt:1: Skill: expected c_end of at least 0.5"),
        ("Skill, int, 20, 0, 100", "p.txt:1: found"),
        ("# nothing", "p.txt has no parameter"),
    ] {
        let folder = with_parameters(line);
        let refused = output(&mut tune(folder.path(), &usual("2", "out")));
        assert!(!refused.status.success() && !folder.path().join("out").exists(), "{line}");
        assert!(text(&refused.stderr).contains(part), "{line}: {}", text(&refused.stderr));
    }
    let folder = with_parameters(SKILL);
    let unlimited = ["--parameters", "p.txt", "--out", "out"];
    let refused = output(&mut tune(folder.path(), &unlimited));
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("nothing limits the moves"));
}

#[test]
fn a_state_of_other_settings_is_kept() {
    let folder = with_parameters(SKILL);
    let run =
        |more: &[&str]| output(&mut tune(folder.path(), &[&usual("2", "out")[..], more].concat()));
    assert_eq!(run(&[]).status.code(), Some(0));
    let other = run(&["--seed", "2"]);
    assert_eq!(other.status.code(), Some(1));
    let message = text(&other.stderr);
    assert!(message.contains("has other seed") && message.contains("--fresh"), "{message}");
    assert_eq!(run(&["--seed", "2", "--fresh"]).status.code(), Some(0));
    assert!(folder.path().join("out/tuning.txt.old").exists());

    fs::write(folder.path().join("out/tuning.txt"), "steps 1\nOther 2").expect("it can be written");
    let damaged = text(&run(&["--seed", "2"]).stderr);
    assert!(damaged.contains("line 2 of the state"), "{damaged}");
}

#[test]
fn the_numbers_of_an_engine_are_listed_as_a_file() {
    let folder = with_parameters("");
    let listed = output(&mut tune(folder.path(), &["--list"]));
    let file = text(&listed.stdout);
    assert!(file.contains("\nSkill, int, 20, 0, 100, 5, 0.002\n"), "{file}");
    assert!(file.contains("# Style: string, not a number to tune"), "{file}");
    fs::write(folder.path().join("p.txt"), &file).expect("it can be written");
    assert_eq!(output(&mut tune(folder.path(), &usual("1", "out"))).status.code(), Some(0));
}
