//! The subcommands `grow` and `match` of the example `book`, as their users run them, and as a machine
//! that loses its power does.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use komadai::Position;
use komadai::book::queue::{JobQueue as _, JobSettings, NewJob, QueueOptions};
use komadai::book::store::{LogEntry, Store, StoreError};
use komadai_testdata::programs::example;
use serde_json::Value;

fn book(subcommand: &str, store: &Path) -> Command {
    let mut command = example("book");
    command.arg(subcommand).arg(store).stdin(Stdio::null());
    command
}

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the example starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    output
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Starts a command, and kills it after a while if it has not come to its end by then; whether it was
/// killed.
fn run_and_kill(command: &mut Command, after: Duration) -> bool {
    let started = Instant::now();
    let mut child: Child =
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the example starts");
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

/// What a store holds: positions with their moves and values, and who said so with how many nodes.
fn contents(path: &Path) -> Vec<String> {
    let mut store = Store::open(path).expect("a store");
    let check = store.check().expect("a store that can be read");
    assert_eq!(check.wrong_positions, 0);
    let mut rows = Vec::new();
    store
        .for_each_position(|stored| -> Result<(), StoreError> {
            rows.push(format!(
                "{:?} {:?}",
                stored.record.position.to_string(),
                stored.record.moves
            ));
            Ok(())
        })
        .expect("readable");
    store
        .for_each_analysis(|entry| -> Result<(), StoreError> {
            let logged = entry.analysis;
            rows.push(format!(
                "{} {} {:?}",
                logged.position, logged.analysis.nodes, logged.analysis.lines
            ));
            Ok(())
        })
        .expect("readable");
    rows
}

const GROWTH: [&str; 10] =
    ["--nodes", "1500", "--per-round", "7", "--threads", "1", "--hash-mib", "1", "--multi-pv", "3"];

#[test]
fn a_killed_grow_goes_on_to_the_same_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, killed) = (folder.path().join("whole.kbook"), folder.path().join("killed.kbook"));
    let started = Instant::now();
    let output = run(book("grow", &whole).args(GROWTH).args(["--positions", "60", "--json"]));
    let time = started.elapsed();
    let told = json(&output);
    assert_eq!((&told["analysed"], &told["positions"]), (&60.into(), &60.into()));
    assert_eq!(told["end"], "enough");

    // The first runs are killed sooner and sooner after their start, so that every stage is met.
    let first = ["--positions", "60", "--quiet"];
    let mut kills =
        u32::from(run_and_kill(book("grow", &killed).args(GROWTH).args(first), time / 3));
    let mut share = 2;
    while kills < 6 {
        let mut again = book("grow", &killed);
        again.args(GROWTH).args(["--resume", "--quiet"]);
        if Store::open(&killed).is_ok_and(|store| store.snapshots().is_ok_and(|all| all.is_empty()))
        {
            // It was killed before it had noted what was wanted.
            again = book("grow", &killed);
            again.args(GROWTH).args(first);
        }
        share += 1;
        kills += 1;
        if !run_and_kill(&mut again, time / share) {
            break;
        }
    }
    assert!(kills >= 2, "{kills} kills");
    run(book("grow", &killed).args(GROWTH).args(["--resume", "--quiet"]));
    assert!(contents(&whole) == contents(&killed), "the same positions, values and evaluations");

    // There is nothing left to do.
    let output = run(book("grow", &killed).args(GROWTH).args(["--resume", "--json", "--quiet"]));
    assert_eq!(json(&output)["analysed"], 0);
}

/// The nodes of every analysis in a store's log, and how many of them are of a position.
fn analyses(store: &Store, position: &Position) -> (Vec<u64>, usize) {
    let (mut nodes, mut of_position) = (Vec::new(), 0);
    let hear = |entry: LogEntry| -> Result<(), StoreError> {
        nodes.push(entry.analysis.analysis.nodes);
        of_position += usize::from(entry.analysis.position.key() == position.key());
        Ok(())
    };
    store.for_each_analysis(hear).expect("readable");
    (nodes, of_position)
}

#[cfg(any(target_os = "linux", target_vendor = "apple", windows))]
#[test]
fn what_was_to_be_done_otherwise_is_not_done() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.kbook");
    let mut first = book("grow", &path);
    first.args(["--nodes", "20000", "--per-round", "9", "--threads", "1", "--hash-mib", "1"]);
    let mut child = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    // A book is looked at while it grows: it is killed within a round.
    let started = Instant::now();
    let is_within_a_round = || {
        let store = Store::open_to_read(&path).ok()?;
        let counts = store.queue(QueueOptions::default()).counts().ok()?;
        Some(counts.waiting >= 2 && counts.done >= 2)
    };
    while is_within_a_round() != Some(true) {
        assert!(child.try_wait().expect("it is our child").is_none(), "it was too fast");
        assert!(started.elapsed() < Duration::from_secs(100), "it does not come to a round");
    }
    child.kill().expect("it is our child");
    child.wait().expect("it is our child");

    let store = Store::open(&path).expect("a store");
    let elsewhere = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b G 1").expect("a position");
    let ((before, none), queue) =
        (analyses(&store, &elsewhere), store.queue(QueueOptions::default()));
    assert!(queue.counts().expect("readable").waiting >= 1);
    // Somebody plans a job for another engine, which has nothing to do with that.
    let settings = JobSettings {
        nodes: Some(500),
        generation: 1,
        engine: "another".to_owned(),
        ..JobSettings::default()
    };
    let planned = NewJob { position: elsewhere.clone(), priority: 9, settings };
    queue.enqueue(&[planned]).expect("it can be written");
    drop(store);

    run(book("grow", &path).args(GROWTH).args(["--positions", "12", "--quiet"]));
    let store = Store::open(&path).expect("a store");
    let (after, planned) = analyses(&store, &elsewhere);
    let many = |nodes: &[u64]| nodes.iter().filter(|&&nodes| nodes > 5_000).count();
    assert!(many(&before) >= 2, "{before:?}");
    assert_eq!(many(&after), many(&before), "{before:?} {after:?}");
    assert_eq!((none, planned), (0, 1));
    assert_eq!(after.len(), before.len() + 12);
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
fn a_killed_match_goes_on_to_the_same_games_and_the_same_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, killed) = (folder.path().join("whole.kbook"), folder.path().join("killed.kbook"));
    let args = ["--generations", "2", "--json", "--quiet"];
    let started = Instant::now();
    let output = run(book("match", &whole).args(MATCH).args(args));
    let time = started.elapsed();
    let told = json(&output);
    assert_eq!(told["generations"].as_array().map(Vec::len), Some(2));
    let (first, second) = (&told["by_generation"][0], &told["by_generation"][1]);
    assert!(first["mean_length"].as_f64() < second["mean_length"].as_f64(), "{told}");
    assert_eq!(told["by_generation_and_opponent"].as_array().map(Vec::len), Some(4));

    let mut kills = 0;
    for share in [2, 3, 4, 5, 3, 2] {
        let was_killed = run_and_kill(book("match", &killed).args(MATCH).args(args), time / share);
        kills += u32::from(was_killed);
        if !was_killed {
            break;
        }
    }
    assert!(kills >= 1, "{kills} kills");
    let output = run(book("match", &killed).args(MATCH).args(args));
    let again = json(&output);
    for part in ["wins", "draws", "losses", "mean_length", "longest"] {
        assert_eq!(again["by_generation"][1][part], told["by_generation"][1][part], "{part}");
    }
    assert_eq!(again["deletions"], told["deletions"]);
    assert!(contents(&whole) == contents(&killed), "the same positions, values and evaluations");
}

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("book.kbook");
    let fault = |command: &mut Command| {
        let output = command.output().expect("the example starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, text) = fault(book("grow", &store).arg("--resume"));
    assert_eq!(code, Some(1));
    assert!(text.contains("no run of this book has noted an aim"), "{text}");
    let (code, text) = fault(book("grow", &store).args(["--engine", "/no/such/engine"]));
    assert_eq!(code, Some(1));
    assert!(text.contains("/no/such/engine"), "{text}");
    let (code, _) = fault(book("match", &store).args(["--nodes", "10"]));
    assert_eq!(code, Some(2), "nobody to play against");
    let (code, text) = fault(book("match", &store).args(["--opponent", "one=komadai"]));
    assert_eq!(code, Some(2));
    assert!(text.contains("nothing limits the moves"), "{text}");
    let options = ["--nodes", "5", "--opponent", "one=komadai", "--opponent-limit", "two:nodes=5"];
    let (code, text) = fault(book("match", &store).args(options));
    assert_eq!(code, Some(2));
    assert!(text.contains("no opponent called"), "{text}");
}
