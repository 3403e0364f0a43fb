//! A process that is killed at any moment loses nothing that it has acknowledged.
//!
//! The child is this test binary itself: it executes the steps of a script and reports each
//! finished step. The parent kills it, checks the file, and starts the next child at the next step.
//!
//! `cargo test -p komadai-book --lib killed -- --ignored` kills five hundred times.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::changes::{Random, perform, script, undisturbed};
use crate::store::Store;

const FILE: &str = "KOMADAI_BOOK_KILL_TEST_FILE";
const FIRST_STEP: &str = "KOMADAI_BOOK_KILL_TEST_STEP";
const SEED: u64 = 20;
const STEPS: usize = 60;

/// The child; nothing if this is not one.
#[test]
fn child_of_the_kill_test() {
    let (Some(file), Ok(first)) = (std::env::var_os(FILE), std::env::var(FIRST_STEP)) else {
        return;
    };
    let store = Store::open(file).unwrap();
    let mut out = std::io::stdout();
    for (number, step) in script(SEED, STEPS).iter().enumerate().skip(first.parse().unwrap()) {
        perform(&store, step).unwrap();
        writeln!(out, "\ndone {number}").and_then(|()| out.flush()).unwrap();
    }
}

/// A child that continues after `done` steps.
fn child(path: &Path, done: usize) -> Command {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child
        .args(["store::tests::kill::child_of_the_kill_test", "--exact", "--nocapture"])
        .env(FILE, path)
        .env(FIRST_STEP, done.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    child
}

/// Lets a child go on after `done` steps and kills it after a while, if it has not come to the end
/// by then. Returns the number of steps that are done by now, as far as the child has said.
fn run_and_kill(path: &Path, done: usize, after: Duration) -> usize {
    let mut child = child(path, done).spawn().unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let (ended, has_ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // The other end is dropped when the child has ended.
            let _ = has_ended.recv_timeout(after);
            // On Unix this is SIGKILL; the child may have ended by itself.
            let _ = child.kill();
            child.wait().unwrap();
        });
        let lines = out.lines().map_while(Result::ok);
        let steps = lines.filter_map(|line| line.strip_prefix("done ")?.parse::<usize>().ok());
        let done = steps.last().map_or(done, |last| last + 1);
        drop(ended);
        done
    })
}

fn kill(times: usize) {
    let folder = tempfile::tempdir().unwrap();
    let steps = script(SEED, STEPS);
    let expected = undisturbed(&folder.path().join("undisturbed.kbook"), &steps);
    let path = folder.path().join("killed.kbook");
    Store::create(&path).unwrap();
    let started = Instant::now();
    assert_eq!(run_and_kill(&path, 0, Duration::from_secs(120)), STEPS, "the child works");
    let whole_run = started.elapsed().min(Duration::from_secs(119));
    let mut random = Random::new(4);
    let (mut kills, mut done, mut ends) = (0, STEPS, 0);
    while kills < times || done < STEPS {
        if done == STEPS {
            assert_eq!(
                Store::open(&path).unwrap().fingerprint().unwrap().number(),
                expected[STEPS]
            );
            std::fs::remove_file(&path).unwrap();
            Store::create(&path).unwrap();
            (done, ends) = (0, ends + 1);
        }
        // Half of the runs are cut short in the beginning, where the file is opened and repaired.
        let longest = whole_run.as_micros() as usize / if kills % 2 == 0 { 10 } else { 1 };
        let after = Duration::from_micros(random.below(longest.max(1)) as u64);
        done = run_and_kill(&path, done, after);
        kills += 1;
        let mut store = Store::open(&path).unwrap();
        let found = store.fingerprint().unwrap().number();
        // The step that was not acknowledged is done or not done.
        let may_be = &expected[done..(done + 2).min(expected.len())];
        assert!(may_be.contains(&found), "kill {kills} after {done} steps");
        assert_eq!(store.check().unwrap().wrong_positions, 0, "kill {kills} after {done} steps");
    }
    assert_eq!(Store::open(&path).unwrap().fingerprint().unwrap().number(), expected[STEPS]);
    assert!(kills > ends, "{kills} runs came to {ends} ends");
}

#[test]
fn killed_twenty_times_it_has_everything_acknowledged() {
    kill(20);
}

#[test]
#[ignore = "takes minutes"]
fn killed_five_hundred_times_it_has_everything_acknowledged() {
    kill(500);
}

#[cfg(any(target_os = "linux", target_vendor = "apple", windows))]
#[test]
fn a_store_is_read_while_another_process_writes_it() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let folder = tempfile::tempdir().unwrap();
    let steps = script(SEED, STEPS);
    let expected = undisturbed(&folder.path().join("undisturbed.kbook"), &steps);
    let path = folder.path().join("shared.kbook");
    Store::create(&path).unwrap();
    let mut child = child(&path, 0).spawn().unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let acknowledged = AtomicUsize::new(0);
    let mut states = Vec::new();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for line in out.lines().map_while(Result::ok) {
                if let Some(number) = line.strip_prefix("done ") {
                    acknowledged.store(number.parse::<usize>().unwrap() + 1, Ordering::SeqCst);
                }
            }
            child.wait().unwrap();
        });
        let mut lasting = Store::open_to_read(&path).unwrap();
        while !writer.is_finished() {
            let done = acknowledged.load(Ordering::SeqCst);
            let fresh = Store::open_to_read(&path).unwrap();
            for store in [&lasting, &fresh] {
                let found = store.fingerprint().unwrap().number();
                // A whole state, no older than what was acknowledged before. Some steps change
                // nothing.
                let state = expected.iter().rposition(|&state| state == found);
                states.push(state.expect("a whole state"));
                assert!(state.is_some_and(|state| state >= done), "{state:?} after {done} steps");
            }
            if states.len().is_multiple_of(10) {
                lasting = fresh;
            }
        }
    });
    assert!(states.is_sorted());
    states.dedup();
    assert!(states.len() > 3, "{states:?}");
    let last = Store::open_to_read(&path).unwrap().fingerprint().unwrap().number();
    assert_eq!(last, expected[STEPS]);
}

#[test]
fn a_script_has_steps_of_all_kinds_and_can_be_repeated() {
    use super::changes::Step;
    let folder = tempfile::tempdir().unwrap();
    let steps = script(SEED, STEPS);
    let expected = undisturbed(&folder.path().join("undisturbed.kbook"), &steps);
    let store = Store::create(folder.path().join("repeated.kbook")).unwrap();
    let mut changing = [0; 4];
    for (number, step) in steps.iter().enumerate() {
        for _ in 0..2 {
            perform(&store, step).unwrap();
            assert_eq!(store.fingerprint().unwrap().number(), expected[number + 1]);
        }
        let kind = match step {
            Step::Merge(..) => 0,
            Step::Delete(_) => 1,
            Step::Undo(_) => 2,
            Step::Snapshot(_) => 3,
        };
        changing[kind] += usize::from(expected[number] != expected[number + 1]);
    }
    assert!(changing.iter().all(|&steps| steps > 0), "{changing:?}");
}
