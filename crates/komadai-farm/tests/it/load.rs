//! Figures: the time of the server for each job.
//!
//! `cargo test --release -p komadai-farm --test it -- --ignored --nocapture --test-threads 1 figures`
//!
//! The time is that of all processes of the server, so that other programs on the machine matter little; jobs for each
//! second do depend on them, and on the disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use komadai_book::queue::{JobQueue as _, JobSettings, JobSource, NewJob, PlanChanges};

use komadai_book::{WhenEmpty, work};
use komadai_farm::Relay;

use crate::cluster::{Cluster, Options, TestSchema};
use crate::relay::Sleeper;
use crate::results::{finished, plan, positions, request};

/// Takes and finishes jobs with eight connections for a time. Returns the microseconds of the server for each job.
fn take_and_finish(cluster: &Cluster, schema: &TestSchema, batch: usize, time: Duration) -> f64 {
    let is_over = AtomicBool::new(false);
    let done = AtomicUsize::new(0);
    let (cpu, start) = (cluster.cpu_s(), Instant::now());
    thread::scope(|scope| {
        for number in 0..8 {
            let (is_over, done) = (&is_over, &done);
            scope.spawn(move || {
                let queue = schema.worker();
                let request = request(&format!("w{number}"), batch);
                while !is_over.load(Ordering::Relaxed) {
                    let jobs = queue.lease(&request).unwrap();
                    assert!(!jobs.is_empty(), "more jobs are needed");
                    let results: Vec<_> = jobs.iter().map(finished).collect();
                    queue.finish(&results).unwrap();
                    done.fetch_add(jobs.len(), Ordering::Relaxed);
                }
            });
        }
        thread::sleep(time);
        is_over.store(true, Ordering::Relaxed);
    });
    let seconds = start.elapsed().as_secs_f64();
    let done = done.load(Ordering::Relaxed) as f64;
    let server_us = (cluster.cpu_s() - cpu) / done * 1e6;
    println!("batches of {batch}: {:.0} jobs/s, server {server_us:.0} µs a job", done / seconds);
    server_us
}

/// Prints the load of the machine, on Linux.
fn print_load() {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load of the machine: {}", load.trim());
}

#[test]
#[ignore = "takes a minute"]
fn figures_of_claims_and_results() {
    let Some(cluster) = Cluster::start(Options::Synced) else { return };
    let schema = cluster.schema();
    plan(&schema.coordinator(), &positions(1_000_000));
    print_load();
    for batch in [1, 10, 100, 10] {
        take_and_finish(&cluster, &schema, batch, Duration::from_secs(8));
    }
    let mut other = schema.admin();
    let mut held = other
        .build_transaction()
        .isolation_level(postgres::IsolationLevel::RepeatableRead)
        .start()
        .unwrap();
    held.query("select count(*) from waiting", &[]).unwrap();
    println!("while a transaction is held open:");
    let times: Vec<f64> =
        (0..3).map(|_| take_and_finish(&cluster, &schema, 10, Duration::from_secs(10))).collect();
    held.rollback().unwrap();
    println!("the last ten seconds against the first: {:.2}", times[2] / times[0]);
    print_load();
    // A claim that began with the first row of the index each time would be several times as slow by now.
    assert!(times[2] < 1.5 * times[0], "{times:?}");
}

#[test]
#[ignore = "takes two minutes"]
fn figures_of_a_plan_of_a_million() {
    let Some(cluster) = Cluster::start(Options::Synced) else { return };
    let schema = cluster.schema();
    let queue = schema.coordinator();
    let settings = JobSettings { nodes: Some(1_000), ..JobSettings::default() };
    let job = |(priority, position)| NewJob { position, priority, settings: settings.clone() };
    let changes = PlanChanges::wanted((0..).zip(positions(1_000_000)).map(job).collect());
    print_load();
    for (text, expected) in [("new", [1_000_000, 0]), ("known", [0, 1_000_000])] {
        let (cpu, start) = (cluster.cpu_s(), Instant::now());
        let planned = queue.plan(&changes).unwrap();
        assert_eq!([planned.added, planned.unchanged], expected);
        let (server, wall) = (cluster.cpu_s() - cpu, start.elapsed().as_secs_f64());
        println!("a million {text} jobs: server {server:.1} s, {wall:.1} s in all");
    }
    print_load();
}

/// Does jobs with eight threads for a time. Prints their number for each second, and returns the
/// time that is not analysis, in per cent of the analysis.
fn overhead(name: &str, queue: &impl JobSource, job: Duration, time: Duration) -> f64 {
    let mut analysts: Vec<Sleeper> = (0..8).map(|_| Sleeper::new(job)).collect();
    let stop: Arc<AtomicBool> = Arc::default();
    let start = Instant::now();
    let worked = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(time);
            stop.store(true, Ordering::Relaxed);
        });
        work(queue, &mut analysts, "host", WhenEmpty::Wait, &stop, &mut |_| {}).unwrap()
    });
    let seconds = start.elapsed().as_secs_f64();
    let busy: Duration = analysts.iter().map(|analyst| analyst.busy).sum();
    let spans = analysts.iter().filter_map(|analyst| analyst.span);
    let all: Duration = spans.map(|(start, end)| end - start).sum();
    let (ms, rate) = (job.as_millis(), worked.finished as f64 / seconds);
    println!("{name}: {rate:.0} jobs/s of {ms} ms with 8 threads");
    100.0 * (all.as_secs_f64() / busy.as_secs_f64() - 1.0)
}

#[test]
#[ignore = "takes a minute"]
fn figures_of_the_relay() {
    let Some(cluster) = Cluster::start(Options::Synced) else { return };
    let schema = cluster.schema();
    plan(&schema.coordinator(), &positions(300_000));
    let folder = tempfile::tempdir().unwrap();
    let relay = Relay::open(schema.worker(), "queue", folder.path().join("spool")).unwrap();
    print_load();
    let (job, time) = (Duration::from_millis(100), Duration::from_secs(25));
    let without = overhead("without the relay", &schema.worker(), job, time);
    let percent = overhead("with the relay", &relay, job, time);
    println!("overhead of 100 ms jobs: {percent:.2} %, without the relay {without:.2} %");
    let (job, time) = (Duration::ZERO, Duration::from_secs(8));
    overhead("without the relay", &schema.worker(), job, time);
    overhead("with the relay", &relay, job, time);
    print_load();
    let report = relay.close(Duration::from_secs(60));
    println!("{} sent, {} left, {} released", report.sent, report.left, report.released);
    assert!(percent <= 3.0);
    assert_eq!((report.left, report.ignored, report.refused.len()), (0, 0, 0));
}
