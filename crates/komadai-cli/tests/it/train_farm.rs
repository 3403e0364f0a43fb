//! `komadai train generate --queue`, `worker` and `collect`, with a server of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use komadai_farm::{FarmQueue, NewTask, TaskState};
use tempfile::TempDir;

use crate::farm::cluster::{Cluster, Options, TestSchema, set_clock};
use crate::{Running, komadai, text};

/// Limit of all waits.
const PATIENCE: Duration = Duration::from_secs(120);

/// The settings of all games.
const GAMES: [&str; 4] = ["--nodes", "80", "--seed", "5"];

/// A folder, and a queue on a server.
struct Farm {
    folder: TempDir,
    schema: TestSchema,
    coordinator: FarmQueue,
    // Dropped last.
    cluster: Cluster,
}

impl Farm {
    /// `None` without a server.
    fn new(options: Options) -> Option<Self> {
        let cluster = Cluster::start(options)?;
        let schema = cluster.schema();
        let coordinator = schema.coordinator();
        Some(Self { folder: tempfile::tempdir().expect("a folder"), schema, coordinator, cluster })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = komadai("train");
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    /// Runs a command to its end.
    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    /// The output of a command that succeeds.
    fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// The messages of a command that ends with this code.
    fn refused(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        let messages = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {messages}");
        messages
    }

    fn plan(&self, more: &[&str]) -> Vec<String> {
        let queue = self.schema.coordinator.to_string();
        let fixed = ["generate", "--queue", &queue, "--run", "may"];
        [&fixed, &GAMES[..], more].concat().iter().map(|&text| text.to_owned()).collect()
    }

    fn planned(&self, more: &[&str]) -> String {
        let arguments = self.plan(more);
        self.done(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn worker(&self) -> Vec<String> {
        let queue = self.schema.worker.to_string();
        ["worker", "--queue", &queue, "--records", "records", "--threads", "2", "--quiet"]
            .map(str::to_owned)
            .into()
    }

    fn start_worker(&self) -> Running {
        let arguments = self.worker();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        Running(
            self.command(&arguments)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .spawn()
                .expect("the program starts"),
        )
    }

    /// Lets a worker do all that waits.
    fn work(&self) -> String {
        let arguments = self.worker();
        let arguments = arguments.iter().map(String::as_str).chain(["--until-empty"]);
        self.done(&arguments.collect::<Vec<_>>())
    }

    fn collect(&self, more: &[&str]) -> Output {
        let queue = self.schema.coordinator.to_string();
        let fixed = ["collect", "--queue", &queue, "--run", "may", "--records", "records"];
        self.run(&[&fixed, more].concat())
    }

    /// The numbers of tasks that are leased and done.
    fn counts(&self) -> (usize, usize) {
        let tasks = self.coordinator.tasks("may").expect("the server runs");
        let count =
            |is: fn(&TaskState) -> bool| tasks.iter().filter(|task| is(&task.state)).count();
        let leased = count(|state| matches!(state, TaskState::Leased { .. }));
        (leased, count(|state| matches!(state, TaskState::Done { .. })))
    }

    /// Waits until the numbers of tasks that are leased and done meet a condition.
    fn until(&self, is_met: impl Fn(usize, usize) -> bool) {
        let start = Instant::now();
        loop {
            let (leased, done) = self.counts();
            if is_met(leased, done) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{leased} leased, {done} done");
            sleep(Duration::from_millis(5));
        }
    }

    /// The files of records.
    fn records(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.path("records/may")).expect("a folder");
        let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
        files.sort();
        files
    }
}

/// Checks that two folders have the same data and manifest.
fn assert_same(one: &Path, other: &Path) {
    for file in ["00000.psv", "manifest.json"] {
        let [one, other] = [one, other].map(|folder| fs::read(folder.join(file)).expect(file));
        assert!(one == other, "{file}");
    }
}

#[test]
fn killed_workers_make_the_data_of_one_machine() {
    let Some(farm) = Farm::new(Options::Shared) else { return };
    let mut clock = farm.schema.with_test_clock();
    let planned = farm.planned(&["--games", "22", "--per-task", "4"]);
    assert_eq!(planned, "6 tasks added; the run may has 6 tasks of 22 games\n");
    let planned = farm.planned(&["--games", "22", "--per-task", "4"]);
    assert_eq!(planned, "0 tasks added; the run may has 6 tasks of 22 games\n");
    let planned = farm.planned(&["--games", "29", "--per-task", "4"]);
    assert_eq!(planned, "2 tasks added; the run may has 8 tasks of 29 games\n");

    let mut first = farm.start_worker();
    farm.until(|leased, _| leased > 0);
    first.0.kill().expect("it runs");
    drop(first);
    let (leased, before) = farm.counts();
    let mut second = farm.start_worker();
    farm.until(|_, done| done > before);
    let status = Command::new("kill").arg("-TERM").arg(second.0.id().to_string()).status();
    assert!(status.expect("there is a command `kill`").success());
    assert_eq!(second.0.wait().expect("it is our child").code(), Some(130));
    // It has given its task back; the other one could not.
    assert_eq!(farm.counts().0, leased);
    let output = farm.collect(&["many"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("of 8 tasks have no sound records"), "{output:?}");
    assert!(!farm.path("many").exists());
    set_clock(&mut clock, 301_000);
    farm.work();
    assert_eq!(farm.counts(), (0, 8));

    let output = farm.collect(&["many"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    assert!(printed.starts_with("run may: 8 of 8 tasks have sound records, 0 are not done"));
    assert!(printed.contains(" of 29 games in many"), "{printed}");
    assert!(text(&farm.collect(&["many"]).stderr).contains("such a folder already"));
    let size = fs::metadata(farm.path("many/00000.psv")).expect("a file").len();
    let positions = (size / 40).to_string();
    farm.done(
        &[&["generate", "one", "--positions", &positions, "--threads", "3"], &GAMES[..]].concat(),
    );
    assert_same(&farm.path("one"), &farm.path("many"));

    // A damaged and a missing file.
    let files = farm.records();
    assert_eq!(files.len(), 8);
    let mut bytes = fs::read(&files[2]).expect("a file");
    bytes[50] ^= 1;
    fs::write(&files[2], bytes).expect("a file");
    fs::remove_file(&files[5]).expect("a file");
    for more in [&[][..], &["again"], &["again/", "--again"]] {
        let output = farm.collect(more);
        assert_eq!(output.status.code(), Some(1));
        let messages = text(&output.stderr);
        assert!(messages.contains("task 2 of ") && messages.contains("SHA-256"), "{messages}");
        assert!(messages.contains("task 5 of ") && messages.contains("000005-"), "{messages}");
        assert!(messages.contains("2 of 8 tasks have no sound records"), "{messages}");
        assert!(!farm.path("again").exists());
    }
    assert_eq!(farm.counts(), (0, 6));
    let output = farm.collect(&["some", "--partial"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(farm.work().starts_with("2 tasks done, 6 games, "));
    assert!(farm.collect(&[]).status.success());
    let output = farm.collect(&["again/"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_same(&farm.path("one"), &farm.path("again"));
    // Remains of a run that was killed are not overwritten.
    fs::create_dir(farm.path("last.part")).expect("a folder");
    let messages = text(&farm.collect(&["last"]).stderr);
    assert!(messages.contains("last.part") && messages.contains("remove it"), "{messages}");
    assert!(farm.path("last.part").exists());
}

#[test]
fn a_worker_waits_for_a_server_that_is_away() {
    let Some(mut farm) = Farm::new(Options::Synced) else { return };
    drop(farm.schema.with_test_clock());
    farm.planned(&["--games", "12", "--per-task", "2"]);
    let worker = farm.start_worker();
    farm.until(|_, done| done > 0);
    farm.cluster.kill();
    sleep(Duration::from_millis(500));
    farm.cluster.start_again();
    farm.coordinator = farm.schema.coordinator();
    // The answer to a claim may have been lost with the server; its lease ends then.
    set_clock(&mut farm.schema.admin(), 301_000);
    farm.until(|_, done| done == 6);
    drop(worker);
    let output = farm.collect(&["data"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains(" of 12 games in data"), "{output:?}");
}

#[test]
fn tasks_are_for_workers_of_the_same_evaluation() {
    let Some(farm) = Farm::new(Options::Shared) else { return };
    farm.planned(&["--games", "4", "--per-task", "2", "--eval", "<classical>"]);
    let worker = farm.worker();
    let worker: Vec<&str> = worker.iter().map(String::as_str).chain(["--until-empty"]).collect();
    let messages = farm.refused(&worker, 1);
    assert!(messages.contains("found tasks for self-play by komadai"), "{messages}");
    assert!(messages.contains("evaluation classical, none for self-play"), "{messages}");
    let other = farm.plan(&["--games", "4"]);
    let messages = farm.refused(&other.iter().map(String::as_str).collect::<Vec<_>>(), 1);
    assert!(messages.contains("the run may has other settings"), "{messages}");
    // A folder that cannot be made: the worker ends, and the task waits again.
    fs::write(farm.path("records/may"), "").expect("a file");
    let worker = [&worker[..], &["--eval", "<classical>"]].concat();
    let messages = farm.refused(&worker, 1);
    assert!(messages.contains("records/may"), "{messages}");
    assert_eq!(farm.counts(), (0, 0));
    fs::remove_file(farm.path("records/may")).expect("a file");
    assert!(farm.done(&worker).starts_with("2 tasks done, 4 games, "));
    assert!(farm.done(&worker).starts_with("0 tasks done"));

    // Tasks that cannot be understood, or whose name is no folder's, do not stay with a worker.
    let kind = farm.coordinator.tasks("may").expect("the server runs").remove(0).kind;
    for (run, spec) in [("strange", "{}"), ("../up", "{}")] {
        let task = NewTask { number: 0, spec: spec.into() };
        farm.coordinator.plan_tasks(run, &kind, &[task]).expect("the server runs");
        let messages = farm.refused(&worker, 1);
        assert!(messages.contains("all tasks have failed"), "{messages}");
        let reason = if run == "strange" { "not a range of games" } else { "found the name" };
        assert_eq!(messages.matches(reason).count(), 3, "{messages}");
    }

    assert_eq!(farm.planned(&["--drop"]), "2 tasks of the run may removed\n");
    let output = farm.collect(&["out"]);
    assert!(text(&output.stderr).contains("the queue has no run may"), "{output:?}");
    let queue = farm.schema.coordinator.to_string();
    for arguments in [
        &["generate", "--queue", &queue, "--run", "../may", "--games", "4"][..],
        &["generate", "--queue", &queue, "--run", "may"],
        &["generate", "--queue", &queue, "--games", "4"],
        &["generate", "--run", "may", "--games", "4"],
        &["generate", "data", "--queue", &queue, "--run", "may", "--games", "4"],
        &["generate", "data", "--games", "4"],
        &["worker", "--queue", "somewhere", "--records", "records"],
    ] {
        farm.refused(arguments, 2);
    }
}
