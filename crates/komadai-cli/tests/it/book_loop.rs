//! `komadai book grow` and `komadai book match`, as their users run them, and killed at any moment.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use komadai::Position;
use komadai::book::queue::{JobQueue as _, JobSettings, NewJob, PlanChanges, QueueOptions};
use komadai::book::store::Store;
use serde_json::Value;

use crate::komadai;

fn book(subcommand: &str, store: &Path) -> Command {
    let mut command = komadai("book");
    command.arg(subcommand).arg(store).stdin(Stdio::null());
    command
}

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    output
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Starts a command, kills it if it has not ended after some time, and returns true if it was
/// killed.
fn run_and_kill(command: &mut Command, after: Duration) -> bool {
    let started = Instant::now();
    let mut child: Child =
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    while started.elapsed() < after {
        if let Some(status) = child.try_wait().expect("it is our child") {
            assert!(status.success(), "{status}");
            return false;
        }
        std::thread::yield_now();
    }
    // On Unix this is SIGKILL.
    child.kill().expect("it is our child");
    child.wait().expect("it is our child");
    true
}

/// Removes a store that was finished before its kills: the machine has become faster since the time
/// was measured.
fn start_anew(store: &Path, kills: &mut u32) {
    std::fs::remove_file(store).expect("a store");
    *kills = 0;
}

/// Returns the contents of a store: positions with their moves and values, and all analyses with
/// nodes.
pub(crate) fn contents(path: &Path) -> Vec<String> {
    let mut store = Store::open(path).expect("a store");
    let check = store.check().expect("a store that can be read");
    assert_eq!(check.wrong_positions, 0);
    let mut rows = Vec::new();
    for stored in store.records().expect("readable") {
        let record = stored.expect("readable").record;
        rows.push(format!("{:?} {:?}", record.position.to_string(), record.moves));
    }
    for entry in store.log().expect("readable") {
        let logged = entry.expect("readable").analysis;
        let (nodes, lines) = (logged.analysis.nodes, logged.analysis.lines);
        rows.push(format!("{} {nodes} {lines:?}", logged.position));
    }
    rows
}

pub(crate) const GROWTH: [&str; 10] = [
    "--nodes",
    "1500",
    "--per-round",
    "7",
    "--windows",
    "next,refutations,rejoin",
    "--hash-mib",
    "1",
    "--multi-pv",
    "3",
];

#[test]
fn a_killed_grow_continues_to_the_same_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, killed) = (folder.path().join("whole.kbook"), folder.path().join("killed.kbook"));
    let started = Instant::now();
    let one = ["--threads", "1", "--positions", "60", "--json"];
    let output = run(book("grow", &whole).args(GROWTH).args(one));
    let time = started.elapsed();
    let printed = json(&output);
    assert_eq!((&printed["analysed"], &printed["positions"]), (&60.into(), &60.into()));
    assert_eq!(printed["end"], "enough");

    // Each run is killed sooner after its start than the one before, so that kills hit every stage.
    let first = ["--positions", "60", "--quiet"];
    let (mut kills, mut share) = (0, 3);
    while kills < 6 {
        // It may have been killed before it had stored its target.
        let has_target = killed.exists()
            && Store::open(&killed)
                .is_ok_and(|store| store.snapshots().is_ok_and(|all| !all.is_empty()));
        let mut command = book("grow", &killed);
        command.args(GROWTH).args(["--threads", "2"]);
        if has_target {
            command.args(["--resume", "--quiet"])
        } else {
            command.args(first)
        };
        if run_and_kill(&mut command, time / share) {
            kills += 1;
        } else if kills >= 2 {
            break;
        } else {
            start_anew(&killed, &mut kills);
        }
        share += 1;
        assert!(share < 100, "no run is killed");
    }
    assert!(kills >= 2, "{kills} kills");
    run(book("grow", &killed).args(GROWTH).args(["--resume", "--quiet"]));
    assert!(contents(&whole) == contents(&killed), "the same positions, values and evaluations");

    // No work is left.
    let output = run(book("grow", &killed).args(GROWTH).args(["--resume", "--json", "--quiet"]));
    assert_eq!(json(&output)["analysed"], 0);
}

/// Returns the nodes of every analysis in a store's log, and the number of analyses of a position.
fn analyses(store: &Store, position: &Position) -> (Vec<u64>, usize) {
    let (mut nodes, mut of_position) = (Vec::new(), 0);
    for entry in store.log().expect("readable") {
        let logged = entry.expect("readable").analysis;
        nodes.push(logged.analysis.nodes);
        of_position += usize::from(logged.position.key() == position.key());
    }
    (nodes, of_position)
}

/// Grows a book, kills the process when some jobs of a round are done and others wait, and returns
/// the store.
fn killed_within_a_round(path: &Path) -> Store {
    let mut grow = book("grow", path);
    grow.args(["--nodes", "20000", "--per-round", "9", "--threads", "1", "--hash-mib", "1"]);
    let mut child = grow.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    // The book is read while it grows, so that the process can be killed within a round.
    let started = Instant::now();
    let is_within_a_round = || {
        let store = Store::open_to_read(path).ok()?;
        let counts = store.queue(QueueOptions::default()).counts().ok()?;
        Some(counts.waiting >= 2 && counts.done >= 2)
    };
    while is_within_a_round() != Some(true) {
        assert!(child.try_wait().expect("it is our child").is_none(), "it was too fast");
        assert!(started.elapsed() < Duration::from_secs(100), "it does not come to a round");
    }
    child.kill().expect("it is our child");
    child.wait().expect("it is our child");
    Store::open(path).expect("a store")
}

#[cfg(any(target_os = "linux", target_vendor = "apple", windows))]
#[test]
fn jobs_with_other_settings_are_withdrawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.kbook");
    // A slow look into the book may come after the round, in which case nothing waits: once more,
    // then.
    let mut tries = 0;
    let store = loop {
        let store = killed_within_a_round(&path);
        let counts = store.queue(QueueOptions::default()).counts().expect("readable");
        if counts.waiting >= 1 && counts.done >= 2 {
            break store;
        }
        drop(store);
        std::fs::remove_file(&path).expect("a store");
        tries += 1;
        assert!(tries < 20, "{counts:?}");
    };
    let elsewhere = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b G 1").expect("a position");
    let ((before, none), queue) =
        (analyses(&store, &elsewhere), store.queue(QueueOptions::default()));
    // A job for another engine is planned, which must be kept.
    let settings = JobSettings {
        nodes: Some(500),
        generation: 1,
        engine: "another".to_owned().to_owned(),
        ..JobSettings::default()
    };
    let planned = NewJob { position: elsewhere.clone(), priority: 9, settings };
    queue.plan(&PlanChanges::wanted(vec![planned])).expect("it can be written");
    drop(store);

    run(book("grow", &path).args(GROWTH).args(["--positions", "12", "--quiet"]));
    let store = Store::open(&path).expect("a store");
    let (after, planned) = analyses(&store, &elsewhere);
    let many = |nodes: &[u64]| nodes.iter().filter(|&&nodes| nodes > 5_000).count();
    assert!(many(&before) >= 2, "{before:?}");
    assert_eq!(many(&after), many(&before), "{before:?} {after:?}");
    assert_eq!((none, planned), (0, 0));
    let waiting = store.queue(QueueOptions::default()).waiting_by_engine().expect("readable");
    assert_eq!(waiting.get("another"), Some(&1));
    assert_eq!(after.len(), before.len() + 12);
}

#[test]
fn a_plan_for_another_engine_is_left_to_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.kbook");
    let args = ["--nodes", "300", "--positions", "3", "--threads", "1", "--hash-mib", "1"];
    run(book("grow", &path).args(args).arg("--quiet"));
    let plan = ["--enqueue", "--nodes", "200", "--max-positions", "2", "--engine"];
    run(book("refresh", &path).args(plan).arg("otherengine 9.9"));
    let output = run(book("grow", &path).args(args).arg("--json"));
    assert_eq!(json(&output)["waiting_for_others"], 2);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("jobs waiting for the engine \"otherengine 9.9\": 2"), "{errors}");
    let info = json(&run(book("info", &path).arg("--json")));
    assert_eq!(info["working_book"]["jobs_waiting_by_engine"]["otherengine 9.9"], 2);
    // A plan for the embedded engine is done first, with its own number of lines.
    let plan = ["--enqueue", "--nodes", "200", "--max-positions", "1", "--engine", "komadai"];
    run(book("refresh", &path).args(plan).args(["--min-nodes", "9999999", "--multi-pv", "7"]));
    run(book("grow", &path).args(args).arg("--quiet"));
    let store = Store::open(&path).expect("a store");
    let with_seven = store.analysts().expect("readable");
    let with_seven = with_seven.iter().filter(|id| id.options.contains("MultiPV=7 ")).count();
    assert_eq!(with_seven, 1);
}

const MATCH: [&str; 20] = [
    "--nodes",
    "60",
    "--opponent",
    "one=komadai",
    "--opponent",
    "two=komadai:MateNodes=0",
    "--games",
    "8",
    "--max-plies",
    "40",
    "--extend-nodes",
    "300",
    "--extend-turns",
    "3",
    "--threads",
    "1",
    "--hash-mib",
    "1",
    "--concurrency",
    "1",
];

#[test]
fn a_killed_match_continues_to_the_same_games_and_the_same_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, killed) = (folder.path().join("whole.kbook"), folder.path().join("killed.kbook"));
    let args = ["--generations", "2", "--json", "--quiet"];
    let started = Instant::now();
    let output = run(book("match", &whole).args(MATCH).args(args));
    let time = started.elapsed();
    let printed = json(&output);
    assert_eq!(printed["generations"].as_array().map(Vec::len), Some(2));
    let (first, second) = (&printed["by_generation"][0], &printed["by_generation"][1]);
    assert!(first["mean_length"].as_f64() < second["mean_length"].as_f64(), "{printed}");
    assert_eq!(printed["by_generation_and_opponent"].as_array().map(Vec::len), Some(4));

    let (mut kills, mut share) = (0, 2);
    while kills < 6 {
        if run_and_kill(book("match", &killed).args(MATCH).args(args), time / share) {
            kills += 1;
        } else if kills >= 1 {
            break;
        } else {
            start_anew(&killed, &mut kills);
        }
        share += 1;
        assert!(share < 100, "no run is killed");
    }
    assert!(kills >= 1, "{kills} kills");
    let output = run(book("match", &killed).args(MATCH).args(args));
    let again = json(&output);
    for part in ["wins", "draws", "losses", "mean_length", "longest"] {
        assert_eq!(again["by_generation"][1][part], printed["by_generation"][1][part], "{part}");
    }
    assert_eq!(again["deletions"], printed["deletions"]);
    assert!(contents(&whole) == contents(&killed), "the same positions, values and evaluations");
}

const SHIBA: [&str; 14] = [
    "--opponent",
    "komadai:MateNodes=0",
    "--nodes",
    "60",
    "--games",
    "8",
    "--generations",
    "2",
    "--max-plies",
    "30",
    "--walk",
    "2",
    "--hash-mib",
    "1",
];

#[test]
fn one_command_grows_a_book_and_writes_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().join("mine");
    let (store, page) = (name.with_extension("kbook"), name.with_extension("html"));
    run(book("shiba", &name).args(SHIBA).arg("--quiet"));
    let html = std::fs::read_to_string(&page).expect("a page");
    for part in ["Games with the book", "by opponent", "<h2>Branches</h2>", "komadai"] {
        assert!(html.contains(part), "{part}");
    }
    // Added positions are searched with thirteen times the nodes of a move.
    let opened = Store::open(&store).expect("a book");
    let log = opened.log().expect("a log");
    let nodes: Vec<u64> =
        log.map(|entry| entry.expect("an entry").analysis.analysis.nodes).collect();
    drop(opened);
    let enough = nodes.iter().filter(|&&nodes| nodes >= 13 * 60).count();
    assert!(2 * enough > nodes.len(), "{nodes:?}");
    // Times are measured although the games are limited in nodes.
    let shown = json(&run(book("report", &store).arg("--json")));
    let first = &shown["working"]["matches"]["by_generation"][0];
    assert!(first["own_thought_at"].as_f64() > Some(2.0), "{first}");
    assert!(!shown["working"]["matches"]["branches"].as_array().expect("a list").is_empty());

    // A third generation continues the book.
    let before = contents(&store).len();
    let mut third = SHIBA;
    third[7] = "3";
    let printed = json(&run(book("shiba", &name).args(third).args(["--quiet", "--json"])));
    let generations = printed["generations"].as_array().expect("a list");
    assert_eq!(generations.len(), 3);
    // Games start after openings, whose values the book holds.
    assert!(generations[1]["figures"]["root_cp"].is_number(), "{printed}");
    assert!(contents(&store).len() > before);

    // The games at their branches.
    let first = json(&run(book("branches", &store).args([
        "--ply",
        "3",
        "--json",
        "--max-positions",
        "99",
    ])));
    let games = |points: &Value| -> u64 {
        let points = points.as_array().expect("a list");
        let moves = points.iter().flat_map(|point| point["moves"].as_array().expect("a list"));
        let count = |row: &Value, name: &str| row[name].as_u64().expect("a number");
        moves
            .map(|row| ["wins", "draws", "losses"].map(|name| count(row, name)).iter().sum::<u64>())
            .sum()
    };
    assert_eq!(games(&first), 24, "every game has a third move");
    let text = run(book("branches", &store).args(["--ply", "3", "--boards"])).stdout;
    assert!(String::from_utf8_lossy(&text).contains("move 3 by the "));
    let branches = folder.path().join("branches.html");
    run(book("branches", &store).args(["--ply", "5", "--html"]).arg(&branches));
    assert!(std::fs::read_to_string(branches).expect("a page").contains("<svg"));
    let early = book("branches", &store).args(["--ply", "1", "--moves", "7g7f"]).output();
    assert_eq!(early.expect("it starts").status.code(), Some(2), "move 1 is before the line's end");
    let nobody = book("branches", &store).args(["--ply", "3", "--opponent", "nobody"]).output();
    let errors = String::from_utf8_lossy(&nobody.expect("it starts").stderr).into_owned();
    assert!(errors.contains("opponents: komadai"), "{errors}");

    // A variation is cut, and restored with all data.
    let whole = contents(&store);
    let point = &first[0];
    let sfen = point["sfen"].as_str().expect("a text");
    let m = point["moves"][0]["move"].as_str().expect("a text");
    let line = format!("sfen {sfen} moves {m}");
    run(book("prune", &store).args(["--variation", &line]));
    assert!(contents(&store).len() < whole.len());
    run(book("undo", &store).arg("--last"));
    assert_eq!(contents(&store), whole);
    let illegal = book("prune", &store).args(["--variation", "7g7e"]).output();
    assert_eq!(illegal.expect("it starts").status.code(), Some(2));
}

#[test]
fn bad_arguments_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("book.kbook");
    let fault = |command: &mut Command| {
        let output = command.output().expect("the program starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, text) = fault(book("grow", &store).arg("--resume"));
    assert_eq!(code, Some(1));
    assert!(text.contains("found no earlier run of this book"), "{text}");
    let (code, text) = fault(book("grow", &store).args(["--windows", "next,nowhere"]));
    assert_eq!((code, text.contains("refutations")), (Some(2), true), "{text}");
    let (code, text) = fault(book("grow", &store).args(["--engine", "/no/such/engine"]));
    assert_eq!(code, Some(1));
    assert!(text.contains("/no/such/engine"), "{text}");
    let (code, _) = fault(book("match", &store).args(["--nodes", "10"]));
    assert_eq!(code, Some(2), "nobody to play against");
    let share = ["--nodes", "5", "--opponent", "komadai", "--min-rate", "30"];
    let (code, text) = fault(book("match", &store).args(share));
    assert_eq!((code, text.contains("--min-rate 30: expected 0 to 1")), (Some(2), true), "{text}");
    let (code, text) = fault(book("match", &store).args(["--opponent", "one=komadai"]));
    assert_eq!(code, Some(2));
    assert!(text.contains("nothing limits the moves"), "{text}");
    let options = ["--nodes", "5", "--opponent", "one=komadai", "--opponent-limit", "two:nodes=5"];
    let (code, text) = fault(book("match", &store).args(options));
    assert_eq!(code, Some(2));
    assert!(text.contains("no opponent called"), "{text}");
}
