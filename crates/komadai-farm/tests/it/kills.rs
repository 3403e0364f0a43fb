//! Workers and the server are killed at any moment, and nothing that was acknowledged is lost.
//!
//! The workers are this test binary itself. They report each result that the queue has acknowledged. The
//! heavy test kills a thousand times:
//!
//! `cargo test -p komadai-farm --test it -- --ignored --nocapture a_thousand_kills`

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use komadai_book::queue::{JobQueue, JobSource as _, LeaseRequest, QueueError};
use komadai_bookfile::position_key::PositionKey;
use komadai_core::SplitMix64;
use komadai_farm::{FarmQueue, FarmUrl};

use crate::cluster::{Cluster, Options};
use crate::results::{finished, plan, positions};

const URL: &str = "KOMADAI_FARM_KILL_TEST_URL";
const NAME: &str = "KOMADAI_FARM_KILL_TEST_NAME";

/// The time for which a worker that was killed holds its jobs.
const LEASE_MS: u64 = 1_500;

/// A worker; nothing if this is not one.
#[test]
fn worker_of_the_kill_test() {
    let (Ok(url), Ok(name)) = (std::env::var(URL), std::env::var(NAME)) else { return };
    let url: FarmUrl = url.parse().unwrap();
    let queue = again(|| FarmQueue::open(&url, name.clone()));
    let request =
        LeaseRequest { worker: name.clone(), analyst: None, count: 4, duration_ms: LEASE_MS };
    let mut out = std::io::stdout();
    loop {
        let jobs = again(|| queue.lease(&request));
        for job in &jobs {
            sleep(Duration::from_millis(3));
            let states = again(|| queue.heartbeat(std::slice::from_ref(&job.lease), LEASE_MS));
            assert_eq!(states.len(), 1);
        }
        let results: Vec<_> = jobs.iter().map(finished).collect();
        again(|| queue.finish(&results));
        for job in &jobs {
            writeln!(out, "acknowledged {}", hex(job.lease.job.as_bytes())).unwrap();
        }
        out.flush().unwrap();
        if jobs.is_empty() {
            sleep(Duration::from_millis(50));
        }
    }
}

/// Repeats a call while the server is away.
fn again<T>(mut call: impl FnMut() -> Result<T, QueueError>) -> T {
    let end = Instant::now() + Duration::from_secs(180);
    loop {
        match call() {
            Err(error) if error.is_temporary() => {
                assert!(Instant::now() < end, "{error}");
                sleep(Duration::from_millis(100));
            }
            result => return result.unwrap_or_else(|error| panic!("{error}")),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A worker in a process of its own, whose acknowledged jobs go into a set.
fn worker(url: &FarmUrl, name: &str, acknowledged: &Arc<Mutex<BTreeSet<String>>>) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["kills::worker_of_the_kill_test", "--exact", "--nocapture"])
        .env(URL, url.to_string())
        .env(NAME, name)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let acknowledged = Arc::clone(acknowledged);
    thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if let Some(key) = line.strip_prefix("acknowledged ") {
                acknowledged.lock().unwrap().insert(key.to_owned());
            }
        }
    });
    child
}

/// The results that the coordinator has seen, by position, with their numbers.
type Merged = BTreeMap<String, BTreeSet<u64>>;

/// Takes results from the outbox. The call that removes them may fail, so that they come again.
fn merge(queue: &FarmQueue, merged: &mut Merged) -> Result<(), QueueError> {
    queue.expire()?;
    let results = queue.results(500)?;
    for queued in &results {
        let key = PositionKey::of(&queued.result.position).unwrap();
        merged.entry(hex(key.as_bytes())).or_default().insert(queued.id);
    }
    queue.merged(&results.iter().map(|queued| queued.id).collect::<Vec<_>>())
}

/// Kills workers, and at each `server_every`th kill the server.
fn kill(seed: u64, kills: u32, server_every: u32, jobs: usize) {
    let Some(mut cluster) = Cluster::start(Options::Synced) else { return };
    let schema = cluster.schema();
    let coordinator = schema.coordinator();
    let positions = positions(jobs);
    plan(&coordinator, &positions);
    let acknowledged = Arc::default();
    let mut workers: Vec<Child> =
        (0..3).map(|number| worker(&schema.worker, &format!("w{number}"), &acknowledged)).collect();
    let mut random = SplitMix64::new(seed);
    let mut merged = Merged::new();
    for number in 1..=kills {
        sleep(Duration::from_millis(random.below(300)));
        if number.is_multiple_of(server_every) {
            cluster.kill();
            cluster.start_again();
        } else {
            let at = random.below(3) as usize;
            workers[at].kill().unwrap();
            workers[at].wait().unwrap();
            workers[at] = worker(&schema.worker, &format!("w{at}"), &acknowledged);
        }
        again(|| merge(&coordinator, &mut merged));
        let counts = again(|| coordinator.counts());
        let sum = counts.waiting + counts.leased + counts.done + counts.dead;
        assert_eq!(sum, jobs as u64, "{counts:?}");
    }
    let end = Instant::now() + Duration::from_secs(1_800);
    while again(|| coordinator.counts()).done < jobs as u64 {
        assert!(Instant::now() < end, "{:?}", coordinator.counts());
        sleep(Duration::from_millis(50));
        again(|| merge(&coordinator, &mut merged));
    }
    again(|| merge(&coordinator, &mut merged));
    for worker in &mut workers {
        worker.kill().unwrap();
        worker.wait().unwrap();
    }
    let acknowledged = acknowledged.lock().unwrap();
    let lost: Vec<_> = acknowledged.iter().filter(|key| !merged.contains_key(*key)).collect();
    assert!(lost.is_empty(), "{} acknowledged results are lost", lost.len());
    let twice = merged.values().filter(|numbers| numbers.len() > 1).count();
    assert_eq!((merged.len(), twice), (jobs, 0), "each result once");
    println!(
        "{kills} kills, {jobs} jobs, {} acknowledged, none lost, none doubled",
        acknowledged.len()
    );
}

#[test]
fn a_few_kills() {
    kill(1, 12, 6, 400);
}

#[test]
#[ignore = "takes long"]
fn a_thousand_kills() {
    kill(2, 1_000, 20, 200_000);
}
