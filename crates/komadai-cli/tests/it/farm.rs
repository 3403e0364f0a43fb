//! `komadai book serve`, `worker --queue` and `queue`, with a server of their own.

// The tests of the queue use more of it.
#[allow(dead_code, reason = "it belongs to the tests of komadai-farm")]
#[path = "../../../komadai-farm/tests/it/cluster.rs"]
pub(crate) mod cluster;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use komadai_farm::FarmQueue;
use serde_json::Value;

use self::cluster::{Cluster, Options};
use crate::book_cli::Workplace;
use crate::book_loop::{GROWTH, contents};
use crate::{Running, komadai, text};

/// Limit of all waits.
const PATIENCE: Duration = Duration::from_secs(120);

/// An engine that ends when it is to search.
const BAD_ENGINE: &str = "sh -c 'while read line; do case \"$line\" in \
    usi) echo id name Bad; echo option name MultiPV type spin default 1 min 1 max 9; echo usiok;; \
    isready) echo readyok;; go*) exit 1;; esac; done'";

/// An engine that resigns.
const WEAK_ENGINE: &str = "sh -c 'while read line; do case \"$line\" in \
    usi) echo id name Weak; echo usiok;; isready) echo readyok;; go*) echo bestmove resign;; \
    quit) exit;; esac; done'";

/// A folder with a queue.
struct Farm {
    place: Workplace,
    cluster: Cluster,
    owner: String,
    anna: String,
}

impl Farm {
    /// A queue made by the commands; `None` without a server.
    fn new() -> Option<Self> {
        let cluster = Cluster::start(Options::Shared)?;
        let place = Workplace::new();
        let owner = cluster.url("root", "mine").to_string();
        let anna = cluster.url("anna", "mine").to_string();
        let printed = place.done(&["queue", "init", &owner]);
        assert_eq!(printed, "made the schema mine, version 2\n");
        let printed = place.done(&["queue", "add-worker", &owner, "anna", "--secret", "anna.txt"]);
        assert!(printed.contains(&format!("worker --queue '{anna}' --password-file anna.txt")));
        Some(Self { place, cluster, owner, anna })
    }

    /// Starts a command of `komadai book` in the folder.
    fn start(&self, arguments: &[&str]) -> Running {
        let child = self.command(arguments).stdin(Stdio::null()).spawn();
        Running(child.expect("the program starts"))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = komadai("book");
        command.args(arguments).current_dir(self.place.path(""));
        command
    }

    fn status(&self) -> Value {
        self.place.json(&["queue", "status", &self.owner, "--json"])
    }

    /// Waits until the state of the queue meets a condition.
    fn until(&self, is_met: impl Fn(&Value) -> bool) {
        let start = Instant::now();
        loop {
            let status = self.status();
            if is_met(&status) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{status}");
            sleep(Duration::from_millis(20));
        }
    }

    /// Lets the clock of the queue run ahead.
    fn pass(&self, time: Duration) {
        let seconds = time.as_secs();
        let sql = format!(
            "create or replace function mine.clock() returns timestamptz language sql volatile
                 set search_path = mine, pg_temp
                 as $$ select clock_timestamp() + interval '{seconds} s' $$"
        );
        self.cluster.admin().batch_execute(&sql).expect("a clock");
    }
}

fn terminate(running: &mut Running) -> Option<i32> {
    let status = Command::new("kill").arg("-TERM").arg(running.0.id().to_string()).status();
    assert!(status.expect("there is a command `kill`").success());
    running.0.wait().expect("it is our child").code()
}

fn done(status: &Value) -> u64 {
    status["done"].as_u64().expect("a number")
}

#[test]
fn two_killed_machines_grow_the_book_of_one() {
    let Some(farm) = Farm::new() else { return };
    let growth = [&GROWTH[..], &["--positions", "60"]].concat();
    farm.place.done(&[&["grow", "one.kbook", "--threads", "1", "--quiet"], &growth[..]].concat());

    let serve = ["serve", "two.kbook", "--queue", &farm.owner, "--quiet"];
    let worker = |threads, spool| {
        let options = ["--threads", threads, "--hash-mib", "1", "--quiet", "--spool", spool];
        farm.start(&[&["worker", "--queue", &farm.anna], &options[..]].concat())
    };
    let mut server = farm.start(&[&serve[..], &growth].concat());
    let (mut first, mut second) = (worker("1", "a.spool"), worker("2", "b.spool"));
    farm.until(|status| done(status) >= 8);
    // A machine that is told to end gives its jobs back.
    assert_eq!(terminate(&mut first), Some(130));
    farm.until(|status| done(status) >= 16);
    second.0.kill().expect("it runs");
    drop(second);
    // There is one coordinator.
    let other = ["serve", "other.kbook", "--queue", &farm.owner, "--quiet"];
    let errors = farm.place.refused(&other, 1);
    assert!(errors.contains("another program is the coordinator"), "{errors}");
    assert!(!farm.place.path("other.kbook").exists());
    server.0.kill().expect("it runs");
    drop(server);

    // The jobs of the machine that died wait again after five minutes.
    let mut third = worker("2", "c.spool");
    farm.pass(Duration::from_secs(301));
    let resumed = [&serve[..], &GROWTH, &["--resume", "--json"]].concat();
    let output = farm.command(&resumed).output().expect("the program starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!((&printed["positions"], &printed["end"]), (&60.into(), &"enough".into()));
    assert_eq!(terminate(&mut third), Some(130));
    let status = farm.status();
    assert_eq!((&status["leased"], &status["unmerged"]), (&0.into(), &0.into()), "{status}");

    let sorted = |name| {
        let mut rows = contents(&farm.place.path(name));
        rows.sort();
        rows
    };
    assert!(sorted("one.kbook") == sorted("two.kbook"), "the same positions, values, evaluations");
}

#[test]
fn a_queue_is_managed_by_commands() {
    let Some(farm) = Farm::new() else { return };
    let Farm { place, owner, anna, .. } = &farm;
    let nothing = farm.cluster.url("root", "nothing").to_string();
    let errors = place.refused(&["queue", "status", &nothing], 1);
    assert!(errors.contains("there is no queue in the schema nothing"), "{errors}");
    let errors = place.refused(&["queue", "init", owner], 1);
    assert!(errors.contains("there is a schema mine already"), "{errors}");
    let printed = place.done(&["queue", "upgrade", owner]);
    assert_eq!(printed, "the schema mine has version 2 already\n");
    let mode = fs::metadata(place.path("anna.txt")).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let errors = place.refused(&["queue", "add-worker", owner, "Otto", "--no-password"], 1);
    assert!(errors.contains("expected at most 63 of a-z"), "{errors}");
    // A secret of a role that could not be made is the password of nobody.
    let errors = place.refused(&["queue", "add-worker", owner, "anna", "--secret", "new.txt"], 1);
    assert!(errors.contains("role \"anna\" already exists"), "{errors}");
    assert!(!place.path("new.txt").exists());
    fs::write(place.path("empty.txt"), "\n").expect("writable");
    let errors = place.refused(&["queue", "add-worker", owner, "otto", "--secret", "empty.txt"], 1);
    assert!(errors.contains("empty.txt: the first line is empty"), "{errors}");
    // The role of a worker may neither read nor command.
    for arguments in [
        &["queue", "status", anna][..],
        &["queue", "pause", anna],
        &["queue", "workers", anna],
        &["queue", "retry", anna],
        &["serve", "b.kbook", "--queue", anna],
    ] {
        let errors = place.refused(arguments, 1);
        assert!(errors.contains("permission denied"), "{errors}");
    }
    assert!(!place.path("b.kbook").exists());

    // A paused queue hands out nothing.
    let mut server = farm.start(&[
        "serve",
        "b.kbook",
        "--queue",
        owner,
        "--nodes",
        "300",
        "--positions",
        "4",
        "--per-round",
        "4",
        "--quiet",
    ]);
    farm.until(|status| status["waiting"] == 1);
    place.done(&["queue", "pause", owner]);
    let worker = ["worker", "--queue", anna, "--threads", "1", "--hash-mib", "1", "--until-empty"];
    assert_eq!(place.done(&worker), "0 jobs done, 0 failures\n");
    assert!(
        place
            .done(&["queue", "status", owner])
            .contains("1 waiting, 0 leased, 0 done, 0 given up, paused")
    );
    place.done(&["queue", "resume", owner]);

    // An engine that fails at everything gets no more jobs, and nobody else has done them yet.
    let errors = place.refused(
        &["worker", "--queue", anna, "--engine", BAD_ENGINE, "--processes", "1", "--until-empty"],
        1,
    );
    assert!(errors.contains("warning: "), "{errors}");
    let failures = place.json(&["queue", "failures", owner, "--json"]);
    assert!(
        failures[0]["worker"].as_str().is_some_and(|name| name.ends_with("#0 (anna)")),
        "{failures}"
    );
    assert!(place.done(&["queue", "failures", owner]).contains(" b - "));
    let workers = place.json(&["queue", "workers", owner, "--json"]);
    assert!(workers[0]["failures"].as_u64() >= Some(3), "{workers}");
    assert!(place.done(&["queue", "workers", owner]).starts_with("role  worker"));
    assert_eq!(
        place.done(&["queue", "retry", owner]),
        "1 jobs had failures, which are forgotten\n"
    );

    // A good one does all, with a limit of time that it does not need.
    let worker = [&worker[..7], &["--exit-after", "1h", "--quiet"]].concat();
    let mut worker = farm.start(&worker);
    assert!(server.0.wait().expect("it is our child").success());
    assert_eq!(terminate(&mut worker), Some(130));
    assert_eq!(farm.status()["done"], 4);
    assert_eq!(place.done(&["queue", "drop", owner, "--all"]), "0 jobs removed\n");
    place.refused(&["queue", "drop", owner], 2);
    place.refused(&["queue", "drop", owner, "no position"], 2);
    // Without work the time ends it.
    let waiting =
        ["worker", "--queue", anna, "--threads", "1", "--hash-mib", "1", "--exit-after", "1s"];
    assert_eq!(place.done(&waiting), "0 jobs done, 0 failures\n");
}

#[test]
fn results_are_verified_on_another_machine() {
    let Some(farm) = Farm::new() else { return };
    let Farm { place, cluster, owner, anna, .. } = &farm;
    let other = cluster.url("root", "other").to_string();
    place.done(&["queue", "init", &other]);
    let serve = |book: &str, queue: &str, engine: &[&str]| {
        let options = ["--nodes", "500", "--quiet", "--verify", "100%"];
        let command = ["serve", book, "--queue", queue, "--hash-mib", "1"];
        let mut command = farm.command(&[&command[..], &options, engine].concat());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    };
    let worker = ["worker", "--queue", anna, "--processes", "1", "--quiet"];
    let good = serve("good.kbook", owner, &["--positions", "6"]);
    let mut honest = farm.start(&[&worker[..], &["--hash-mib", "1"]].concat());
    let output = good.wait_with_output().expect("it is our child");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("verified: 6 results are equal, 0 differ"));
    assert_eq!(terminate(&mut honest), Some(130));

    // An engine that knows less on one machine than on the other, under the same name.
    let engine = |cp: &str| {
        format!(
            "sh -c 'while read line; do case \"$line\" in usi) echo id name Two; \
             echo option name MultiPV type spin default 1 min 1 max 9; echo usiok;; isready) echo readyok;; \
             go*) echo info depth 1 nodes 500 score cp {cp} pv 5g5f; echo bestmove 5g5f;; esac; done'"
        )
    };
    let (here, there) = (engine("10"), engine("20"));
    let errors = place.refused(&["serve", "bad.kbook", "--queue", owner, "--quiet"], 1);
    assert!(errors.contains("a queue of another schema is for another book"), "{errors}");
    assert!(!place.path("bad.kbook").exists());
    let bad = serve("bad.kbook", &other, &["--engine", &here, "--positions", "1"]);
    let worker = ["worker", "--queue", &other, "--processes", "1", "--quiet"];
    let mut liar = farm.start(&[&worker[..], &["--engine", &there, "--spool", "b.spool"]].concat());
    let output = bad.wait_with_output().expect("it is our child");
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("#0 has another result for lnsgkgsnl/"), "{errors}");
    assert!(errors.contains("+20 5g5f") && errors.contains("+10 5g5f on this machine"), "{errors}");
    assert_eq!(terminate(&mut liar), Some(130));
}

/// The games of a match's log, without times, in the order of their numbers.
fn games(farm: &Farm, folder: &str) -> Vec<Value> {
    let log = fs::read_to_string(farm.place.path(folder).join("games.jsonl")).expect("a log");
    let mut games: Vec<Value> =
        log.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    for game in &mut games {
        let fields = game.as_object_mut().expect("an object");
        for key in ["us", "cpu_us", "start_depth", "ponder_hit"] {
            fields.remove(key);
        }
    }
    games.sort_by_key(|game| game["game"].as_u64());
    games
}

#[test]
fn killed_workers_play_the_match_of_one_machine() {
    let Some(farm) = Farm::new() else { return };
    let players = [
        "--first",
        "komadai:USI_Hash=1,MateHash=1,MateNodes=0",
        "--second",
        "komadai:USI_Hash=2,MateHash=1",
    ];
    let rest = [
        "--nodes",
        "3000",
        "--games",
        "25",
        "--random-plies",
        "2",
        "--adjudicate",
        "500,2",
        "--quiet",
        "--json",
    ];
    let plan = [&players[..], &rest].concat();
    let start = |arguments: &[&str]| {
        let mut command = komadai(arguments[0]);
        command.args(&arguments[1..]).current_dir(farm.place.path("")).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let done = |arguments: &[&str]| {
        let output = start(arguments).output().expect("the program starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let json: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        json
    };
    let alone = done(&[&["match", "--out", "alone"], &plan[..]].concat());
    let on_queue = ["--queue", farm.owner.as_str(), "--run", "test"];
    let shared = [&["match", "--out", "shared"], &on_queue[..], &plan].concat();
    let worker = || {
        let child =
            start(&["match-worker", "--queue", &farm.anna, "--concurrency", "1", "--quiet"])
                .spawn();
        Running(child.expect("the program starts"))
    };
    let mut coordinator = Running(start(&shared).spawn().expect("the program starts"));
    // A report of a worker with a fault: the pair is played again.
    let rogue = FarmQueue::open(&farm.cluster.url("anna", "mine"), "rogue").expect("a queue");
    let lease = Duration::from_secs(300);
    let task = loop {
        let kinds = rogue.task_kinds().expect("a queue");
        match rogue.claim_task("rogue", &kinds, lease).expect("a queue") {
            Some(task) => break task,
            None => sleep(Duration::from_millis(20)),
        }
    };
    rogue.finish_task("rogue", &task.lease, "[]").expect("a queue");
    let (mut first, mut second) = (worker(), worker());
    let log = farm.place.path("shared").join("games.jsonl");
    let lines = || fs::read_to_string(&log).map_or(0, |log| log.lines().count());
    let until = |count| {
        let start = Instant::now();
        while lines() < count {
            assert!(start.elapsed() < PATIENCE, "{} lines", lines());
            sleep(Duration::from_millis(10));
        }
    };
    until(3);
    first.0.kill().expect("it runs");
    assert_eq!(terminate(&mut second), Some(130));
    // Without the coordinator, workers play on.
    let status = Command::new("kill").arg("-INT").arg(coordinator.0.id().to_string()).status();
    assert!(status.expect("there is a command `kill`").success());
    assert_eq!(coordinator.0.wait().expect("it is our child").code(), Some(130));
    farm.pass(Duration::from_secs(301));
    let third = worker();
    let together = done(&shared);
    drop(third);
    assert!(games(&farm, "alone") == games(&farm, "shared"), "the same games");
    for key in ["wins_draws_losses", "pairs", "elo", "games"] {
        assert_eq!(alone[key], together[key], "{key}");
    }
    assert_eq!(together["games"], 25);
    // The run is gone from the queue, and the log has all.
    assert_eq!(done(&shared)["games"], 25);

    // A test that is decided ends the match before all pairs are played.
    let sprt = [
        "match",
        "--first",
        "komadai:USI_Hash=1",
        "--second",
        "weak",
        "--option-second",
        "USI_Hash=1",
        "--nodes-first",
        "1000",
        "--nodes-second",
        "1000",
        "--max-plies",
        "40",
        "--games",
        "400",
        "--sprt",
        "0,300",
        "--out",
        "sprt",
        "--quiet",
        "--json",
    ];
    let mut weak = Running(
        start(&[
            "match-worker",
            "--queue",
            &farm.anna,
            "--concurrency",
            "2",
            "--quiet",
            "--engine",
            &format!("weak={WEAK_ENGINE}"),
        ])
        .spawn()
        .expect("it starts"),
    );
    let decided = done(&[&sprt[..], &["--queue", farm.owner.as_str(), "--run", "sprt"]].concat());
    assert_eq!(decided["sprt"]["verdict"], "accepted", "{decided}");
    assert!(decided["games"].as_u64().is_some_and(|games| games < 100), "{decided}");
    assert_eq!(terminate(&mut weak), Some(130));

    // Players that workers cannot know, and engines that they cannot have.
    let mut unknown = sprt;
    unknown[4] = "./weak --quick";
    let output = start(&[&unknown[..], &["--queue", farm.owner.as_str(), "--run", "x"]].concat())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("match-worker --engine NAME=COMMAND"));
    let mut nameless = [&sprt[..], &["--queue", farm.owner.as_str(), "--run", ""]].concat();
    for name in ["", "a\nb", &"a".repeat(201)] {
        *nameless.last_mut().expect("a name") = name;
        assert_eq!(start(&nameless).output().unwrap().status.code(), Some(2), "{name:?}");
    }
    for engine in ["komadai=./x", "a b=./x", "x"] {
        let output =
            start(&["match-worker", "--queue", &farm.anna, "--engine", engine]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{engine}");
    }
}

#[test]
fn a_book_that_was_restored_from_a_copy_grows_again() {
    let Some(farm) = Farm::new() else { return };
    let serve = |book: &str, positions: &str| {
        let queue = ["serve", book, "--queue", &farm.owner, "--processes", "1", "--quiet"];
        farm.place.done(&[&queue[..], &GROWTH, &["--positions", positions]].concat());
        contents(&farm.place.path(book))
    };
    let copied = serve("a.kbook", "3");
    fs::copy(farm.place.path("a.kbook"), farm.place.path("b.kbook")).expect("a copy");
    let whole = serve("a.kbook", "9");
    assert!(whole != copied);
    // The queue has their jobs as done, and the results are in the other book.
    assert!(serve("b.kbook", "9") == whole);
}

#[test]
fn a_planned_match_gets_further_games_and_workers_tell_when_they_do_nothing() {
    let Some(farm) = Farm::new() else { return };
    let run = |arguments: &[&str]| {
        let mut command = komadai(arguments[0]);
        command.args(&arguments[1..]).current_dir(farm.place.path("")).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let plan = |games: &'static str| {
        let limits = ["--nodes", "200", "--max-plies", "40", "--games", games, "--quiet", "--json"];
        let players = ["match", "--first", "bad", "--second", "komadai", "--out", "games"];
        let queue = ["--queue", farm.owner.as_str(), "--run", "test"];
        run(&[&players[..], &limits, &queue].concat())
    };
    let tasks = |status: &Value, state: &str| {
        status["tasks"].get(0).map_or(0, |tasks| tasks[state].as_u64().expect("a number"))
    };
    let interrupt = |mut running: Running| {
        let status = Command::new("kill").arg("-INT").arg(running.0.id().to_string()).status();
        assert!(status.expect("there is a command `kill`").success());
        assert_eq!(running.0.wait().expect("it is our child").code(), Some(130));
    };
    let worker = |engine: &[&str]| {
        let worker = ["match-worker", "--queue", farm.anna.as_str(), "--until-empty", "--quiet"];
        let output = run(&[&worker[..], engine].concat()).output().expect("the program starts");
        (output.status.code(), text(&output.stderr).to_owned())
    };
    // The last pair has one game in this match.
    let planning = Running(plan("3").spawn().expect("the program starts"));
    farm.until(|status| tasks(status, "waiting") == 2);
    interrupt(planning);
    let (code, errors) = worker(&[]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("found tasks for match") && errors.contains("bad komadai"), "{errors}");
    let planning = plan("5").spawn().expect("the program starts");
    farm.until(|status| tasks(status, "waiting") == 3);
    let (code, errors) = worker(&["--engine", &format!("bad={WEAK_ENGINE}"), "--concurrency", "1"]);
    assert_eq!(code, Some(0), "{errors}");
    let output = planning.wait_with_output().expect("it is our child");
    let result: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(result["games"], 5, "{result} {}", text(&output.stderr));

    // A run that nobody continues.
    farm.place.refused(&["queue", "drop", &farm.owner, "--run", "test"], 1);
    let abandoned = Running(plan("9").spawn().expect("the program starts"));
    farm.until(|status| tasks(status, "waiting") == 3);
    interrupt(abandoned);
    // One that does not start, or ends in each game, does not decide the match.
    let (code, errors) = worker(&["--engine", &format!("bad={BAD_ENGINE}"), "--concurrency", "1"]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("both games ended by a fault of an engine: crash"), "{errors}");
    let (code, errors) = worker(&["--engine", "bad=false", "--concurrency", "1"]);
    assert_eq!(code, Some(1), "{errors}");
    let printed = farm.place.done(&["queue", "status", &farm.owner]);
    assert!(printed.contains("tasks of the run test (match "), "{printed}");
    let printed = farm.place.done(&["queue", "drop", &farm.owner, "--run", "test"]);
    assert_eq!(printed, "3 tasks removed\n");
}

#[test]
fn faulty_addresses_are_refused_with_a_reason() {
    let place = Workplace::new();
    for (address, reason) in [
        ("postgres://anna:secret@localhost/books", "all users of the machine can read"),
        ("mysql://anna@localhost/books", "starts with postgres://"),
        ("postgres://localhost/books", "has no user"),
    ] {
        let errors = place.refused(&["queue", "status", address], 2);
        assert!(errors.contains(reason), "{errors}");
        let errors = place.refused(&["worker", "--queue", address], 2);
        assert!(errors.contains(reason), "{errors}");
    }
    // Nobody listens there.
    let nobody = "postgres://anna@localhost:1/books";
    let errors = place.refused(&["worker", "--queue", nobody, "--threads", "1"], 1);
    assert!(errors.contains("not available"), "{errors}");
    let far = "postgres://anna@db.example/books";
    let errors = place.refused(&["worker", "--queue", far, "--threads", "1"], 1);
    assert!(errors.contains("sslrootcert"), "{errors}");
    place.refused(&["worker", "jobs.txt", "--threads", "1"], 2);
    place.refused(&["worker", "jobs.txt", "out.log", "--queue", nobody], 2);
}

#[test]
fn the_jobs_of_a_book_are_tried_again_or_dropped() {
    let place = Workplace::new();
    let grow = ["grow", "a.kbook", "--nodes", "300", "--positions", "1", "--threads", "1"];
    let failing = ["--engine", BAD_ENGINE, "--quiet"];
    // One engine alone may be the cause, so the position is left to others.
    let alone = ["--processes", "1", "--json"];
    let grown = place.json(&[&grow[..6], &alone, &failing].concat());
    assert_eq!((&grown["left_failed"], &grown["end"]), (&1.into(), &"exhausted".into()), "{grown}");
    assert_eq!(place.json(&["queue", "status", "a.kbook", "--json"])["waiting"], 1);
    place.run(&[&grow[..6], &["--processes", "2"], &failing[..]].concat());
    let status = place.json(&["queue", "status", "a.kbook", "--json"]);
    let left = status["waiting"].as_u64().unwrap() + status["dead"].as_u64().unwrap();
    assert_eq!(left, 1, "{status}");
    let printed = place.done(&["queue", "retry", "a.kbook"]);
    assert_eq!(printed, "1 jobs had failures, which are forgotten\n");
    assert_eq!(
        place.done(&["queue", "retry", "a.kbook"]),
        "0 jobs had failures, which are forgotten\n"
    );
    place.done(&[&grow[..], &["--hash-mib", "1", "--quiet"]].concat());
    assert_eq!(place.json(&["queue", "status", "a.kbook", "--json"])["done"], 1);
}
