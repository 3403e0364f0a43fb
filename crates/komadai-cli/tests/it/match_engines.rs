//! `komadai match` as its users run it.
//!
//! The engines are this test program, started again: if the environment variable is set, the tests
//! named `engine_that_…` do not return but run a USI engine on stdin and stdout.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use komadai::engine::UsiEngine;
use komadai::kifu::{Outcome, Record, Tolerance, parse_csa};
use komadai::usi::serve_stdio;
use serde_json::Value;

use crate::{komadai, text};

const AS_ENGINE: &str = "KOMADAI_TEST_AS_ENGINE";

/// The answer of the engine that gives a word.
const WORD: &str = "KOMADAI_TEST_WORD";

/// Runs a USI engine that prints or does `at_go` on `go`.
fn act(at_go: &str) {
    if std::env::var_os(AS_ENGINE).is_none() {
        return;
    }
    let mut out = std::io::stdout();
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let answer = match line.split(' ').next().unwrap_or_default() {
            "usi" if at_go == "never usiok" => "",
            "usi" => "usiok\n",
            "isready" => "readyok\n",
            "go" if at_go == "exit" => {
                // Not `eprintln!`, which the test harness captures.
                writeln!(std::io::stderr(), "out of cheese").expect("standard error is open");
                std::process::exit(3);
            }
            "go" => at_go,
            "quit" => std::process::exit(0),
            _ => "",
        };
        write!(out, "{answer}").and_then(|()| out.flush()).expect("the match listens");
    }
    std::process::exit(0);
}

#[test]
fn engine_that_plays() {
    if std::env::var_os(AS_ENGINE).is_some() {
        serve_stdio(UsiEngine::new()).expect("the match listens");
        std::process::exit(0);
    }
}

#[test]
fn engine_that_resigns() {
    act("info depth 7 nodes 100 score cp -900\nbestmove resign\n");
}

#[test]
fn engine_that_crashes() {
    act("exit");
}

#[test]
fn engine_that_hangs() {
    act("info string thinking\n");
}

#[test]
fn engine_that_cheats() {
    act("bestmove 5e5d\n");
}

#[test]
fn engine_that_babbles() {
    act("bestmove castles\n");
}

#[test]
fn engine_that_says_a_word() {
    let word = std::env::var(WORD).unwrap_or_default();
    act(&format!("bestmove {word}\n"));
}

#[test]
fn engine_that_declares() {
    act("bestmove win\n");
}

#[test]
fn engine_that_is_none() {
    act("never usiok");
}

/// Returns the command of such an engine.
fn engine(test: &str) -> String {
    let program = std::env::current_exe().expect("this program has a path");
    format!("'{}' match_engines::{test} --exact --test-threads=2", program.display())
}

fn match_engines(arguments: &[&str]) -> Command {
    let mut command = komadai("match");
    command.env(AS_ENGINE, "1").args(arguments);
    command
}

const SMALL_PLAYER: &str = "komadai:USI_Hash=1,MateHash=1";

/// The embedded player against one without a mate solver, at a hundred nodes a move.
const SMALL: [&str; 8] = [
    "--first",
    SMALL_PLAYER,
    "--second",
    "komadai:USI_Hash=1,MateHash=1,MateNodes=0",
    "--nodes",
    "100",
    "--max-plies",
    "80",
];

fn run(command: &mut Command) -> Output {
    command.output().expect("the program starts")
}

/// Runs a match to its end, and returns its JSON output.
fn json(arguments: &[&str]) -> Value {
    let output = run(match_engines(arguments).arg("--json"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Returns the games of a log without their times, sorted.
fn games(folder: &Path) -> Vec<Value> {
    let log = fs::read_to_string(folder.join("games.jsonl")).expect("the log is there");
    let mut games: Vec<Value> = log
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).expect("a line is an object"))
        .collect();
    games.sort_by_key(|game| game["game"].as_u64());
    for game in &mut games {
        let game = game.as_object_mut().expect("a game is an object");
        assert!(game.remove("us").is_some() && game.remove("cpu_us").is_some());
        assert!(game.remove("start_depth").is_some());
    }
    games
}

/// Returns the game records. Their moves are checked for legality.
fn records(folder: &Path) -> Vec<Record> {
    let text = fs::read(folder.join("games.csa")).expect("the records are there");
    parse_csa(text, Tolerance::Strict).expect("they are well formed").records
}

#[test]
fn players_ponder_if_they_are_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let program = engine("engine_that_plays");
    let set = ["--option-first", "USI_Hash=1", "--option-second", "USI_Hash=1", "--nodes", "300"];
    let players = ["--first", &program, "--second", &program, "--games", "2", "--max-plies", "30"];
    let both = [&set[..], &players].concat();
    let result = json(&[&both[..], &["--ponder", "--out", &out]].concat());
    assert_eq!(result["settings"]["ponder"], serde_json::json!([true, true]));
    let mut all_hits = 0;
    for player in result["players"].as_array().unwrap() {
        let [moves, pondered, hits] =
            ["moves", "pondered", "ponder_hits"].map(|key| player[key].as_u64().unwrap());
        assert!(moves > 10 && pondered > moves / 2 && pondered < moves, "{player}");
        assert!(hits <= pondered, "{player}");
        all_hits += hits;
    }
    // The same engine guesses some of its own moves, fewer on a busy machine.
    assert!(all_hits > 0, "{result}");
    // The log has the same figures, and belongs to a match of players that ponder.
    let again = json(&[&both[..], &["--ponder", "--out", &out]].concat());
    for key in ["moves", "pondered", "ponder_hits", "start_depth"] {
        assert_eq!(again["players"][0][key], result["players"][0][key], "{key}");
    }
    let output = run(&mut match_engines(&[&both[..], &["--out", &out]].concat()));
    assert!(text(&output.stderr).contains("ponder was [true,true]"), "{}", text(&output.stderr));
    let printed = run(&mut match_engines(&[&both[..], &["--ponder=second"]].concat()));
    let printed = text(&printed.stdout);
    assert_eq!(printed.matches("ponder hits").count(), 1, "{printed}");
    // Under a clock the embedded player ponders in a process of its own, with the same name and
    // settings; without one between its turns.
    for clock in [&["--byoyomi", "1000"][..], &[]] {
        let result = json(&[&SMALL[..], clock, &["--ponder=first", "--games", "2"]].concat());
        assert_eq!(result["names"][0], SMALL_PLAYER);
        let count = |player: usize, key: &str| result["players"][player][key].as_u64();
        assert!(count(0, "pondered") > Some(10) && count(1, "pondered") == Some(0), "{result}");
        assert!(count(0, "ponder_hits") > Some(0), "{result}");
    }
}

#[test]
fn a_match_is_played_saved_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut logs = Vec::new();
    for threads in ["1", "3"] {
        let out = folder.path().join(format!("new/{threads}"));
        let named = ["--games", "6", "--concurrency", threads, "--name-first", "A"];
        let mut arguments = [&SMALL[..], &named].concat();
        let path = out.display().to_string();
        arguments.extend(["--out", &path]);
        let result = json(&arguments);
        assert_eq!((&result["games"], &result["stopped"]), (&6.into(), &false.into()));
        assert_eq!(result["names"][0], "A");
        let pairs: u64 = result["pairs"].as_array().unwrap().iter().filter_map(Value::as_u64).sum();
        assert_eq!(pairs, 3);
        assert!(result["elo"]["low"].as_f64() <= result["elo"]["elo"].as_f64());
        for player in result["players"].as_array().unwrap() {
            assert!(player["moves"].as_u64() > Some(60), "{player}");
            assert!(
                player["nodes_per_move"].as_f64() > Some(30.0)
                    && player["depth"].as_f64() >= Some(1.0)
            );
        }
        let records = records(&out);
        assert_eq!(records.len(), 6);
        let in_order = |record: &&Record| record.header.event() == Some("game 1");
        let first = records.iter().find(in_order).expect("there is a first game");
        assert_eq!(first.header.player(komadai::Color::Black), Some("A"));
        assert!(
            first.moves.last().is_some_and(|last| last.time.is_some() && !last.comments.is_empty())
        );
        logs.push(games(&out));
    }
    assert_eq!(logs[0], logs[1], "the number of threads changed the games");
    assert_eq!(logs[0][0]["first"], "black");
    assert_eq!(logs[0][1]["first"], "white");
    assert_eq!(logs[0][0]["start"], logs[0][1]["start"]);

    let output = run(&mut match_engines(&[&SMALL[..], &["--games", "2"]].concat()));
    let printed = text(&output.stdout);
    for words in [
        "2 games",
        "Elo",
        "LOS",
        "pairs 0-2:",
        ": as Black +",
        ", as White +",
        "endings:",
        "ms/move",
        "nodes/move",
    ] {
        assert!(printed.contains(words), "no {words} in {printed}");
    }
}

#[test]
fn a_match_continues_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let play = |out: &Path, games: &str| {
        let out = out.display().to_string();
        json(&[&SMALL[..], &["--games", games, "--out", &out]].concat())
    };
    let at_once = play(&whole, "6");
    play(&parts, "3");
    // An incomplete line, left by a crash, does not count, nor does an incomplete record.
    let log = parts.join("games.jsonl");
    let mut torn = fs::read_to_string(&log).unwrap();
    assert_eq!(torn.lines().count(), 4);
    let half = torn.lines().last().unwrap().to_owned();
    torn += &half[..half.len() / 2];
    fs::write(&log, torn).unwrap();
    fs::write(parts.join("games.csa"), "V2.2\nPI\n+\n+77").unwrap();
    let resumed = play(&parts, "6");
    assert_eq!(games(&parts), games(&whole));
    assert_eq!(records(&parts).len(), 6);
    for key in ["games", "pairs", "wins_draws_losses", "endings"] {
        assert_eq!(resumed[key], at_once[key]);
    }
    // No game is left to play.
    let before = fs::read(&log).unwrap();
    assert_eq!(play(&parts, "6")["games"], 6);
    assert_eq!(fs::read(&log).unwrap(), before);

    // The log of another match is refused and left unchanged.
    let csa = fs::read(parts.join("games.csa")).unwrap();
    let out = parts.display().to_string();
    let other = [&SMALL[..], &["--seed", "2", "--out", &out]].concat();
    let output = run(&mut match_engines(&other));
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stderr);
    assert!(printed.contains("another match: seed was 1, is 2"), "{printed}");
    assert_eq!(fs::read(&log).unwrap(), before);
    assert_eq!(fs::read(parts.join("games.csa")).unwrap(), csa);
    let output = run(match_engines(&other).args(["--fresh", "--games", "2"]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(fs::read(parts.join("games.jsonl.old")).unwrap(), before);
    assert_eq!(games(&parts).len(), 2);

    fs::write(&log, "Dear Sir,\n").unwrap();
    let output = run(&mut match_engines(&other));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("line 1"), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(&log).unwrap(), "Dear Sir,\n");
}

#[test]
fn a_process_plays_as_the_embedded_player_does() {
    let process = engine("engine_that_plays");
    let mut arguments = vec!["--first", SMALL_PLAYER, "--second", &process, "--nodes", "300"];
    arguments.extend(["--option-second", "USI_Hash=1", "--option-second", "MateHash=1"]);
    arguments.extend(["--games", "4", "--max-plies", "100", "--concurrency", "2"]);
    let result = json(&arguments);
    assert_eq!(result["pairs"], serde_json::json!([0, 0, 2, 0, 0]));
    let [first, second] = [0, 1].map(|player| result["players"][player].clone());
    for key in ["moves", "nodes_per_move", "depth"] {
        assert_eq!(first[key], second[key]);
    }
    // Each side has another kind of clock.
    let clocks = ["--first", &process, "--second", SMALL_PLAYER, "--option-first", "USI_Hash=1"];
    let own = ["--time", "500", "--increment", "10", "--byoyomi-second", "20"];
    let result = json(
        &[&clocks[..], &own, &["--games", "2", "--max-plies", "60", "--margin", "5000"]].concat(),
    );
    assert_eq!(result["games"], 2);
    assert!(
        result["endings"].as_array().unwrap().iter().all(|end| end["ending"] != "time forfeit")
    );
}

#[test]
fn faults_lose_games_and_are_counted() {
    for (name, ending, words) in [
        ("engine_that_crashes", "crash", "out of cheese"),
        ("engine_that_cheats", "illegal move", "5e5d"),
        ("engine_that_babbles", "bad answer", "castles"),
        ("engine_that_declares", "false declaration", "needed"),
        ("engine_that_hangs", "hang", "killed"),
    ] {
        let faulty = engine(name);
        let arguments =
            ["--first", &faulty, "--second", SMALL_PLAYER, "--nodes", "50", "--games", "2"];
        let more = ["--hang", "1", "--name-first", "it", "--concurrency", "2", "--json"];
        let output = run(match_engines(&arguments).args(more));
        let printed = text(&output.stderr);
        assert!(output.status.success(), "{printed}");
        let result: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        let expected = serde_json::json!([
            { "ending": ending, "is_fault": true, "loser": "it", "games": 2 }
        ]);
        assert_eq!(result["endings"], expected, "{printed}");
        assert!(
            printed.contains(&format!("it lost by {ending}")) && printed.contains(words),
            "{printed}"
        );
        assert_eq!(result["wins_draws_losses"], serde_json::json!([0, 0, 2]));
        let by_color = serde_json::json!([[[0, 0, 1], [0, 0, 1]], [[1, 0, 0], [1, 0, 0]]]);
        assert_eq!(result["wins_draws_losses_by_color"], by_color);
    }
}

#[test]
fn words_for_no_move_are_faults_where_there_is_one() {
    let engine = engine("engine_that_says_a_word");
    let arguments = ["--first", &engine, "--second", SMALL_PLAYER, "--nodes", "50", "--games", "2"];
    for (word, ending, is_fault) in [
        ("0000", "bad answer", true),
        ("(none)", "bad answer", true),
        ("none", "bad answer", true),
        ("null", "bad answer", true),
        ("NULL ponder 7g7f", "bad answer", true),
        ("pass", "bad answer", true),
        ("rep_draw", "bad answer", true),
        ("", "bad answer", true),
        ("resign", "resignation", false),
    ] {
        let output =
            run(match_engines(&arguments).args(["--name-first", "it", "--json"]).env(WORD, word));
        let result: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        let expected = serde_json::json!([
            { "ending": ending, "is_fault": is_fault, "loser": "it", "games": 2 }
        ]);
        assert_eq!(result["endings"], expected, "{word}: {}", text(&output.stderr));
    }
}

#[test]
fn the_rule_for_declaring_is_that_of_players_and_referee() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, line: &str| -> String {
        let path = folder.path().join(name);
        fs::write(&path, line).unwrap();
        path.display().to_string()
    };
    // White has 26 points, and ten for the rook and the bishop that it gave.
    let handicap = file(
        "handicap",
        "\u{feff}sfen 4K4/9/9/9/9/9/+p+p+p+p+p+p+p2/4k4/1+p+p+p+p+p3 w RB2G2S2N2L2g2s2n2l6p 200\n",
    );
    let tried = file("tried", "sfen 9/4K4/9/9/9/9/9/9/8k b - 1\n");
    let process = engine("engine_that_plays");
    let stated = "komadai:USI_Hash=1,MateHash=1,EnteringKingRule=CSARule27H";
    let small = ["--option-first", "USI_Hash=1", "--option-second", "USI_Hash=1"];
    let limits = ["--nodes", "100", "--games", "2", "--max-plies", "204"];
    let play = |players: [&str; 2], more: &[&str]| {
        let players = ["--first", players[0], "--second", players[1]];
        let output = run(match_engines(&players).args(limits).args(small).args(more).arg("--json"));
        let result = serde_json::from_slice::<Value>(&output.stdout).expect("one JSON object");
        let endings = result["endings"].as_array().expect("a list").iter();
        let words: Vec<String> = endings
            .map(|ending| format!("{} {}", ending["ending"].as_str().unwrap(), ending["games"]))
            .collect();
        (words.join(", "), text(&output.stderr))
    };
    let rule = |name| ["--openings", &handicap, "--declaration", name];
    for players in [["komadai", "komadai"], ["komadai", &process], [&process, &process]] {
        for name in ["CSARule27H", "CSARule24H"] {
            let (endings, printed) = play(players, &rule(name));
            assert_eq!(endings, "declaration 1, declaration 1", "{printed}");
            assert!(!printed.contains("warning: komadai"), "{printed}");
        }
        let (endings, _) = play(players, &rule("none"));
        assert!(!endings.contains("declaration"), "{endings}");
        let (endings, _) = play(players, &["--openings", &tried, "--declaration", "TryRule"]);
        assert_eq!(endings, "try 1, try 1");
    }
    // The rule that both players state is that of the match.
    let (endings, printed) = play([stated, stated], &["--openings", &handicap]);
    assert_eq!(endings, "declaration 1, declaration 1", "{printed}");
    // One of them alone is warned of, and keeps its rule.
    let (endings, printed) = play([stated, "komadai"], &["--openings", &handicap]);
    assert!(printed.contains("declares wins by CSARule27H"), "{printed}");
    assert!(endings.contains("false declaration 1"), "{endings}");
    // An engine without the option cannot be told.
    let resigns = engine("engine_that_resigns");
    let (_, printed) = play(["komadai", &resigns], &["--declaration", "TryRule"]);
    assert!(printed.contains("does not have the option EnteringKingRule"), "{printed}");
}

#[test]
fn a_match_that_continues_keeps_its_rule_for_declaring() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let arguments = [&SMALL[..], &["--games", "2", "--out", &out]].concat();
    json(&[&arguments[..], &["--declaration", "CSARule24"]].concat());
    for more in [&[][..], &["--declaration", "TryRule"]] {
        let output = run(match_engines(&arguments).args(more));
        assert_eq!(output.status.code(), Some(1));
        let printed = text(&output.stderr);
        assert!(printed.contains("declaration was \"CSARule24\", is"), "{printed}");
    }
    assert_eq!(json(&[&arguments[..], &["--declaration", "csarule24"]].concat())["games"], 2);
    // A log from before there was a choice belongs to the usual rule.
    let log = folder.path().join("games.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, text.replacen("\"declaration\":\"CSARule24\",", "", 1)).unwrap();
    assert_eq!(json(&arguments)["games"], 2);
}

#[cfg(unix)]
#[test]
fn an_engine_that_another_program_runs_has_the_name_that_it_says() {
    let plays = engine("engine_that_plays");
    let silent = engine("engine_that_resigns");
    for (command, name) in [
        (format!("env A=1 {plays}"), concat!("komadai ", env!("CARGO_PKG_VERSION"))),
        (format!("nice -n 1 {plays}"), concat!("komadai ", env!("CARGO_PKG_VERSION"))),
        (format!("env {silent}"), "env"),
        (plays, "it-"),
    ] {
        let arguments = ["--first", &command, "--second", SMALL_PLAYER, "--nodes", "1"];
        let result = json(&[&arguments[..], &["--games", "1", "--max-plies", "1"]].concat());
        let found = result["names"][0].as_str().unwrap();
        assert!(found.starts_with(name), "{command}: {found}");
    }
}

#[test]
fn names_cannot_steer_a_terminal() {
    let name = "a\u{1b}]0;x\u{7}\n|b\u{202e}";
    let arguments = ["--first", "/no/such/engine", "--second", "komadai", "--nodes", "1"];
    let output = run(match_engines(&arguments).args(["--name-first", name]));
    assert_eq!(output.status.code(), Some(1));
    let shown = "a\u{fffd}]0;x\u{fffd}\u{fffd}|b\u{fffd}";
    assert!(text(&output.stderr).contains(shown), "{:?}", text(&output.stderr));
    let output = run(match_engines(&SMALL).args(["--games", "1", "--name-second", name]));
    assert!(text(&output.stdout).contains(shown), "{:?}", text(&output.stdout));
}

#[test]
fn an_engine_that_does_not_start_ends_the_match() {
    let none = engine("engine_that_is_none");
    for (command, words) in
        [("/no/such/engine", "cannot start /no/such/engine"), (none.as_str(), "no `usiok`")]
    {
        let arguments = ["--first", SMALL_PLAYER, "--second", command, "--nodes", "50"];
        let more = ["--start-timeout", "1", "--name-second", "it"];
        let output = run(match_engines(&arguments).args(more));
        assert_eq!(output.status.code(), Some(1));
        let printed = text(&output.stderr);
        assert!(printed.contains("it cannot be started") && printed.contains(words), "{printed}");
    }
    let plays = engine("engine_that_plays");
    let arguments = ["--first", &plays, "--second", "komadai", "--option-first", "Nonsense=1"];
    let output = run(match_engines(&arguments).args(["--nodes", "9"]));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("Nonsense"), "{}", text(&output.stderr));
}

#[test]
fn a_sequential_test_stops_by_itself() {
    let resigns = engine("engine_that_resigns");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let mut arguments = vec!["--first", SMALL_PLAYER, "--second", &resigns, "--nodes", "20"];
    arguments.extend(["--sprt", "0,200", "--games", "400", "--out", &out]);
    let result = json(&arguments);
    // Eight pairs won: 8 ln(0.7597 / 0.5) = 3.35 > 2.94.
    assert_eq!(result["sprt"]["verdict"], "accepted");
    assert_eq!((&result["games"], &result["stopped"]), (&16.into(), &false.into()));
    assert_eq!(result["elo"]["elo"], Value::Null);
    assert!(result["elo"]["low"].as_f64() > Some(200.0));
    assert_eq!(result["players"][1]["moves"], 0);
    // A second run plays no further game.
    assert_eq!(json(&arguments)["games"], 16);
    arguments.swap(1, 3);
    arguments.extend(["--fresh"]);
    assert_eq!(json(&arguments)["sprt"]["verdict"], "rejected");
}

#[test]
fn bad_usage_is_reported_before_anything_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("none").display().to_string();
    let openings = folder.path().join("openings");
    fs::write(&openings, "startpos moves 7g7f # fine\nstartpos moves 7g7e\n").unwrap();
    let openings = openings.display().to_string();
    let base = ["--first", "komadai", "--out", &out];
    for (arguments, words) in [
        (&["--second", "komadai"][..], "nothing limits the moves"),
        (&["--second", "komadai", "--nodes-first", "5"], "of the second player"),
        (&["--nodes", "5"], "--second"),
        (&["--second", "komadai:Nonsense=1", "--nodes", "5"], "no option is named \"Nonsense\""),
        (&["--second", "komadai:USI_Hash=0", "--nodes", "5"], "cannot be \"0\""),
        (&["--second", "komadai:USI_Hash", "--nodes", "5"], "Name=Value"),
        (&["--second", "'open", "--nodes", "5"], "not closed"),
        (&["--second", "", "--nodes", "5"], "empty"),
        (&["--second", "komadai", "--nodes", "5", "--sprt", "5,0"], "elo0"),
        (&["--second", "komadai", "--nodes", "5", "--sprt", "5"], "two numbers"),
        (&["--second", "komadai", "--nodes", "5", "--adjudicate", "x"], "2000,4"),
        (&["--second", "komadai", "--nodes", "5", "--concurrency", "0"], "concurrency"),
        (&["--second", "komadai", "--nodes", "5", "--openings", &openings], "line 2"),
        (&["--second", "komadai", "--nodes", "5", "--openings", "/no/such"], "/no/such"),
        (&["--second", "komadai", "--nodes", "many"], "many"),
        (&["--second", "komadai", "--nodes", "5", "--games", "99999999999"], "10000000"),
        (&["--second", "komadai", "--nodes", "5", "--declaration", "27"], "CSARule27H"),
        #[cfg(unix)]
        (&["--second", "komadai", "--nodes", "5", "--openings", "/dev/null"], "a regular file"),
    ] {
        let output = run(match_engines(&base).args(arguments));
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{printed}");
        assert!(printed.contains(words), "no {words:?} in {printed}");
    }
    assert!(!Path::new(&out).exists());
    let help = run(&mut match_engines(&["--help"]));
    assert!(help.status.success() && text(&help.stdout).contains("Examples:"));
}

/// Sends a signal to a process, or to a group of them if the number is negative.
#[cfg(unix)]
fn interrupt(whom: i64) {
    let status = Command::new("kill").args(["-INT", "--", &whom.to_string()]).status();
    assert!(status.expect("there is a command `kill`").success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_games_and_counts_no_fault() {
    use std::os::unix::process::CommandExt as _;
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    // A terminal also signals the engines, which end the playing process.
    let process = engine("engine_that_plays");
    let mut arguments = vec!["--first", SMALL_PLAYER, "--second", &process, "--nodes", "60"];
    arguments.extend(["--max-plies", "40", "--out", &out]);
    let long = ["--games", "100000", "--every", "0", "--random-plies", "1"];
    let mut command = match_engines(&[&arguments[..], &long].concat());
    command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = crate::Running(command.spawn().expect("the program starts"));
    let mut stderr = BufReader::new(child.0.stderr.take().expect("it is piped")).lines();
    let line = stderr.find(|line| line.as_ref().is_ok_and(|line| line.starts_with("2/100000")));
    assert!(line.is_some());
    // The folder is locked meanwhile.
    let second = run(&mut match_engines(&[&arguments[..], &long].concat()));
    assert_eq!(second.status.code(), Some(1));
    assert!(text(&second.stderr).contains("in use by another match"), "{}", text(&second.stderr));

    interrupt(-i64::from(child.0.id()));
    assert_eq!(child.0.wait().unwrap().code(), Some(130));
    let printed: Vec<String> = stderr.map(Result::unwrap).collect();
    let printed = printed.join("\n");
    assert!(
        printed.contains("stopping") && printed.contains("the same command continues"),
        "{printed}"
    );
    assert!(!printed.contains("lost by"), "{printed}");
    let kept = games(folder.path()).len();
    assert!(kept >= 2);
    let games = (kept + 2).to_string();
    let more = ["--games", games.as_str(), "--random-plies", "1"];
    assert_eq!(json(&[&arguments[..], &more].concat())["games"], kept + 2);
}

#[test]
fn records_contain_the_winner() {
    let resigns = engine("engine_that_resigns");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let arguments = ["--first", &resigns, "--second", SMALL_PLAYER, "--nodes", "20"];
    let result =
        json(&[&arguments[..], &["--games", "2", "--out", &out, "--name-first", "it"]].concat());
    assert_eq!(result["wins_draws_losses"], serde_json::json!([0, 0, 2]));
    for record in records(folder.path()) {
        let Outcome::Win(winner) = record.outcome() else { panic!("{record:?}") };
        assert_ne!(record.header.player(winner), Some("it"));
    }
}
