//! A process with a stock of jobs and a spool of results.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use komadai_book::queue::{
    Completion, FailureOutcome, FinishedJob, JobCounts, JobQueue as _, JobSettings, JobSource,
    Lease, LeaseRequest, LeaseState, LeasedJob, NewJob, PlanChanges, QueueError, Refusal,
};
use komadai_book::{GrowEnd, WhenEmpty, WorkEvent, Worked, work};
use komadai_core::{Analysis, Analyst, AnalystError, AnalystId, Budget, Line, Position, Score};
use komadai_farm::{FarmQueue, FarmUrl, Relay, SpoolError};
use komadai_movegen::MoveGen as _;

use crate::cluster::{Cluster, Options, with_schema};
use crate::results::{finished, plan, positions, request};

/// The name of the queue in spools.
const NAME: &str = "queue";

/// Enough for any call of a test.
const LONG: Duration = Duration::from_secs(60);

/// An analyst that takes some time and finds the first legal move.
#[derive(Debug)]
pub(crate) struct Sleeper {
    time: Duration,
    /// The time in which it analysed.
    pub(crate) busy: Duration,
    /// The start of its first analysis and the end of the last one.
    pub(crate) span: Option<(Instant, Instant)>,
}

impl Sleeper {
    pub(crate) fn new(time: Duration) -> Self {
        Self { time, busy: Duration::ZERO, span: None }
    }
}

impl Analyst for Sleeper {
    fn identity(&self) -> AnalystId {
        AnalystId::new("engine", "1")
    }

    fn analyse(&mut self, position: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
        let start = Instant::now();
        thread::sleep(self.time);
        let pv = position.legal_moves().iter().copied().take(1).collect();
        let lines = vec![Line::exact(Score::cp(7), pv)];
        let end = Instant::now();
        self.busy += end - start;
        self.span = Some((self.span.map_or(start, |(first, _)| first), end));
        Ok(Analysis { lines, nodes: 1_000, ..Analysis::default() })
    }
}

/// A queue whose calls are counted, and which can be away.
#[derive(Debug)]
struct Observed<S> {
    queue: S,
    calls: Arc<Calls>,
}

#[derive(Debug, Default)]
struct Calls {
    is_away: AtomicBool,
    leases: AtomicUsize,
    batches: Mutex<Vec<usize>>,
}

impl Calls {
    fn set_away(&self, is_away: bool) {
        self.is_away.store(is_away, Ordering::SeqCst);
    }

    fn check(&self) -> Result<(), QueueError> {
        if self.is_away.load(Ordering::SeqCst) {
            return Err(QueueError::Unavailable { error: "away".into() });
        }
        Ok(())
    }

    fn leases(&self) -> usize {
        self.leases.load(Ordering::SeqCst)
    }
}

impl<S: JobSource> JobSource for Observed<S> {
    fn lease(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, QueueError> {
        self.calls.check()?;
        self.calls.leases.fetch_add(1, Ordering::SeqCst);
        self.queue.lease(request)
    }

    fn heartbeat(&self, leases: &[Lease], duration_ms: u64) -> Result<Vec<LeaseState>, QueueError> {
        self.calls.check()?;
        self.queue.heartbeat(leases, duration_ms)
    }

    fn finish(&self, finished: &[FinishedJob]) -> Result<Vec<Completion>, QueueError> {
        self.calls.check()?;
        self.calls.batches.lock().unwrap().push(finished.len());
        self.queue.finish(finished)
    }

    fn fail(
        &self,
        lease: &Lease,
        worker: &str,
        reason: &str,
    ) -> Result<FailureOutcome, QueueError> {
        self.calls.check()?;
        self.queue.fail(lease, worker, reason)
    }

    fn release(&self, leases: &[Lease]) -> Result<(), QueueError> {
        self.calls.check()?;
        self.queue.release(leases)
    }
}

fn observed<S: JobSource>(queue: S) -> (Observed<S>, Arc<Calls>) {
    let calls = Arc::default();
    (Observed { queue, calls: Arc::clone(&calls) }, calls)
}

/// Runs threads on a queue until it is empty.
fn work_with(
    queue: &impl JobSource,
    threads: usize,
    time: Duration,
    on_event: &mut dyn FnMut(WorkEvent<'_>),
) -> Worked {
    let mut analysts: Vec<Sleeper> = (0..threads).map(|_| Sleeper::new(time)).collect();
    let stop = Arc::default();
    work(queue, &mut analysts, "host", WhenEmpty::End, &stop, on_event).unwrap()
}

/// Repeats a call while the server is away.
fn again<T>(mut call: impl FnMut() -> Result<T, QueueError>) -> T {
    let end = Instant::now() + 2 * LONG;
    loop {
        match call() {
            Err(error) if error.is_temporary() && Instant::now() < end => {
                thread::sleep(Duration::from_millis(50));
            }
            result => return result.unwrap(),
        }
    }
}

/// The numbers of the results in the outbox for each position.
fn results(coordinator: &FarmQueue) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for queued in again(|| coordinator.results(100_000)) {
        *found.entry(queued.result.position.to_string()).or_default() += 1;
    }
    found
}

fn counts(waiting: u64, leased: u64, done: u64) -> JobCounts {
    JobCounts { waiting, leased, done, dead: 0 }
}

/// The spool of a test.
fn spool(folder: &tempfile::TempDir) -> std::path::PathBuf {
    folder.path().join("spool")
}

fn is_empty(spool: &Path) -> bool {
    let length = "#KOMADAI-SPOOL 1\n".len() + 12 + NAME.len();
    std::fs::metadata(spool).unwrap().len() == length as u64
}

/// Gives a relay a stock, by jobs that end at once. Returns a leased job, and the number of those.
fn fill<S: JobSource>(relay: &Relay<S>, least: usize, calls: &Calls) -> (LeasedJob, u64) {
    let mut done = 0;
    loop {
        let before = calls.leases();
        let job = relay.lease(&request("a", 1)).unwrap().pop().unwrap();
        // A call that came after so many ends has leased as many.
        if calls.leases() > before && done >= least as u64 {
            return (job, done);
        }
        assert_eq!(relay.finish(&[finished(&job)]).unwrap(), [Completion::Accepted]);
        done += 1;
    }
}

#[test]
fn every_job_is_done_once_with_few_calls() {
    with_schema(|schema| {
        let coordinator = schema.coordinator();
        plan(&coordinator, &positions(1_000));
        let folder = tempfile::tempdir().unwrap();
        let (queue, calls) = observed(schema.worker());
        let relay = Relay::open(queue, NAME, spool(&folder)).unwrap();
        let worked = work_with(&relay, 4, Duration::from_millis(1), &mut |_| {});
        assert_eq!((worked.finished, worked.failures, worked.end), (1_000, 0, GrowEnd::Exhausted));
        let report = relay.close(LONG);
        assert_eq!((report.sent, report.ignored, report.left, report.released), (1_000, 0, 0, 0));
        assert_eq!(coordinator.counts().unwrap(), counts(0, 0, 1_000));
        let results = results(&coordinator);
        assert_eq!((results.len(), results.values().max()), (1_000, Some(&1)));
        assert!(is_empty(&spool(&folder)));
        let batches = calls.batches.lock().unwrap();
        assert!(calls.leases() < 100 && batches.len() < 100, "{calls:?}");
    });
}

#[test]
fn threads_work_on_while_the_server_is_away() {
    let Some(mut cluster) = Cluster::start(Options::Synced) else { return };
    let schema = cluster.schema();
    let coordinator = schema.coordinator();
    plan(&coordinator, &positions(800));
    let folder = tempfile::tempdir().unwrap();
    let relay = Relay::open(schema.worker(), NAME, spool(&folder)).unwrap();
    let done = AtomicUsize::new(0);
    let wait_for = |least: usize| {
        let end = Instant::now() + LONG;
        while done.load(Ordering::SeqCst) < least {
            assert!(Instant::now() < end, "{done:?} of {least} jobs are done");
            thread::sleep(Duration::from_millis(1));
        }
    };
    let worked = thread::scope(|scope| {
        let threads = scope.spawn(|| {
            work_with(&relay, 4, Duration::from_millis(10), &mut |event| {
                assert!(matches!(event, WorkEvent::Finished | WorkEvent::Idle), "{event:?}");
                done.fetch_add(matches!(event, WorkEvent::Finished).into(), Ordering::SeqCst);
            })
        });
        wait_for(150);
        cluster.kill();
        let at_death = done.load(Ordering::SeqCst);
        // A stock may be about to end, but not each time.
        let end = Instant::now() + Duration::from_secs(2);
        while done.load(Ordering::SeqCst) < at_death + 20 && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        println!("{} jobs without a server", done.load(Ordering::SeqCst) - at_death);
        assert!(!is_empty(&spool(&folder)));
        cluster.start_again();
        threads.join().unwrap()
    });
    assert_eq!((worked.finished, worked.failures), (done.load(Ordering::SeqCst), 0));
    let report = relay.close(LONG);
    assert_eq!((report.left, report.refused.len()), (0, 0));
    // A claim that the crash has undone comes again; a result without an answer is sent again.
    assert_eq!(report.sent + report.ignored, worked.finished as u64);
    assert_eq!(again(|| coordinator.counts()), counts(0, 0, 800));
    let results = results(&coordinator);
    assert_eq!((results.len(), results.values().max()), (800, Some(&1)));
}

const URL: &str = "KOMADAI_FARM_RELAY_TEST_URL";
const SPOOL: &str = "KOMADAI_FARM_RELAY_TEST_SPOOL";

/// A process with a relay; nothing if this is not one.
#[test]
fn process_of_the_relay_test() {
    let (Ok(url), Ok(spool)) = (std::env::var(URL), std::env::var(SPOOL)) else { return };
    let url: FarmUrl = url.parse().unwrap();
    let relay = Relay::open(again(|| FarmQueue::open(&url, "host")), NAME, spool).unwrap();
    let mut out = std::io::stdout();
    loop {
        let job = again(|| relay.lease(&request("a", 1))).pop().unwrap();
        thread::sleep(Duration::from_millis(2));
        let result = finished(&job);
        assert_eq!(again(|| relay.finish(std::slice::from_ref(&result))), [Completion::Accepted]);
        writeln!(out, "accepted {}", result.result.position).unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn the_next_process_sends_what_a_killed_one_has_left() {
    let Some(mut cluster) = Cluster::start(Options::Synced) else { return };
    let schema = cluster.schema();
    let coordinator = schema.coordinator();
    plan(&coordinator, &positions(2_000));
    let folder = tempfile::tempdir().unwrap();
    let mut accepted = Vec::new();
    for life in 1..=3 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["relay::process_of_the_relay_test", "--exact", "--nocapture"])
            .env(URL, schema.worker.to_string())
            .env(SPOOL, spool(&folder))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut of_life = 0;
        for line in lines.map_while(Result::ok) {
            let Some(position) = line.strip_prefix("accepted ") else { continue };
            accepted.push(position.to_owned());
            of_life += 1;
            if of_life == 100 && life > 1 {
                cluster.kill();
            }
            // Some more by the stock.
            if of_life == 110 {
                break;
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if life > 1 {
            assert!(!is_empty(&spool(&folder)));
            cluster.start_again();
        }
    }
    let relay =
        Relay::open(again(|| FarmQueue::open(&schema.worker, "host")), NAME, spool(&folder));
    let report = relay.unwrap().close(LONG);
    assert_eq!((report.left, report.refused.len()), (0, 0));
    assert!(report.sent > 0 && is_empty(&spool(&folder)), "{report:?}");
    let results = results(&coordinator);
    let lost: Vec<_> = accepted.iter().filter(|at| !results.contains_key(*at)).collect();
    assert!(lost.is_empty(), "{lost:?}");
    assert_eq!(results.values().max(), Some(&1));
    println!("{} accepted, {} sent by the last relay", accepted.len(), report.sent);
}

#[test]
fn the_stock_goes_back_at_the_end() {
    with_schema(|schema| {
        let coordinator = schema.coordinator();
        plan(&coordinator, &positions(300));
        let folder = tempfile::tempdir().unwrap();
        for is_closed in [true, false] {
            let (queue, calls) = observed(schema.worker());
            let relay = Relay::open(queue, NAME, spool(&folder)).unwrap();
            let before = coordinator.counts().unwrap();
            let (job, done) = fill(&relay, 20, &calls);
            let leased = coordinator.counts().unwrap().leased;
            assert!(leased >= 20, "{leased}");
            relay.release(&[job.lease]).unwrap();
            if is_closed {
                let report = relay.close(LONG);
                assert!(report.released >= 19, "{report:?}");
                assert_eq!((report.sent, report.left), (done, 0));
            } else {
                drop(relay);
            }
            let expected = counts(before.waiting - done, 0, before.done + done);
            assert_eq!(coordinator.counts().unwrap(), expected);
        }
    });
}

#[test]
fn a_relay_that_closes_tries_again() {
    with_schema(|schema| {
        let coordinator = schema.coordinator();
        plan(&coordinator, &positions(100));
        let folder = tempfile::tempdir().unwrap();
        let (queue, calls) = observed(schema.worker());
        let relay = Relay::open(queue, NAME, spool(&folder)).unwrap();
        let (job, done) = fill(&relay, 20, &calls);
        calls.set_away(true);
        relay.finish(&[finished(&job)]).unwrap();
        let report = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(700));
                calls.set_away(false);
            });
            relay.close(LONG)
        });
        assert_eq!((report.sent, report.left), (done + 1, 0));
        assert!(report.released >= 19, "{report:?}");
        assert_eq!(coordinator.counts().unwrap(), counts(99 - done, 0, done + 1));
        // With another one that gets no answer, the results stay.
        let (queue, calls) = observed(schema.worker());
        let relay = Relay::open(queue, NAME, spool(&folder)).unwrap();
        let job = relay.lease(&request("a", 1)).unwrap().remove(0);
        calls.set_away(true);
        relay.finish(&[finished(&job)]).unwrap();
        let report = relay.close(Duration::from_millis(100));
        assert_eq!((report.sent, report.left, report.released), (0, 1, 0));
    });
}

#[test]
fn heartbeats_extend_the_leases_of_the_stock() {
    with_schema(|schema| {
        let coordinator = schema.coordinator();
        plan(&coordinator, &positions(300));
        let mut admin = schema.admin();
        let folder = tempfile::tempdir().unwrap();
        let (queue, calls) = observed(schema.worker());
        let relay = Relay::open(queue, NAME, spool(&folder)).unwrap();
        let (job, _) = fill(&relay, 20, &calls);
        let lease = std::slice::from_ref(&job.lease);
        let long = "select count(*) from leased where until > clock() + interval '1 hour'";
        assert_eq!(relay.heartbeat(lease, 7_200_000).unwrap(), [LeaseState::Held]);
        let extended: i64 = admin.query_one(long, &[]).unwrap().get(0);
        assert!(extended >= 20, "{extended}");
        // All end at once, as after a jump of the clock.
        admin.batch_execute("update leased set until = clock() - interval '1 hour'").unwrap();
        assert!(coordinator.expire().unwrap() >= 20);
        assert_eq!(relay.heartbeat(lease, 60_000).unwrap(), [LeaseState::Lost]);
        let before = calls.leases();
        assert_eq!(relay.lease(&request("a", 1)).unwrap().len(), 1);
        assert_eq!(calls.leases(), before + 1, "the stock was empty");
    });
}

#[test]
fn refusals_are_reported() {
    with_schema(|schema| {
        let coordinator = schema.coordinator();
        let all = positions(4);
        let for_engine = |position: &Position, engine: &str, nodes| {
            let engine = engine.to_owned();
            let settings = JobSettings { engine, nodes: Some(nodes), ..JobSettings::default() };
            PlanChanges::wanted(vec![NewJob { position: position.clone(), priority: 0, settings }])
        };
        plan(&coordinator, &all[..2]);
        let folder = tempfile::tempdir().unwrap();
        let relay = Relay::open(schema.worker(), NAME, spool(&folder)).unwrap();
        let jobs = relay.lease(&request("a", 2)).unwrap();
        // What can be seen here is refused at once.
        let other = FinishedJob { lease: jobs[1].lease.clone(), ..finished(&jobs[0]) };
        coordinator.plan(&for_engine(&all[2], "other", 1_000)).unwrap();
        let alien = relay.lease(&request("a", 1)).unwrap().remove(0);
        let completions = relay.finish(&[other, finished(&alien), finished(&jobs[0])]).unwrap();
        assert!(
            matches!(
                completions[..],
                [
                    Completion::Refused(Refusal::OtherPosition { .. }),
                    Completion::Refused(Refusal::OtherAnalyst { .. }),
                    Completion::Accepted,
                ]
            ),
            "{completions:?}"
        );
        assert_eq!(
            relay.fail(&alien.lease, "a", "another analyst").unwrap(),
            FailureOutcome::Retried
        );
        // The second job is for another engine by the time at which its result arrives.
        coordinator.plan(&for_engine(&jobs[1].position, "other", 9_000)).unwrap();
        let late = [finished(&jobs[1])];
        assert_eq!(relay.finish(&late).unwrap(), [Completion::Accepted]);
        let report = relay.close(LONG);
        assert_eq!((report.sent, report.left, report.ignored), (1, 0, 0), "{report:?}");
        let (result, refusal) = &report.refused[0];
        assert_eq!((report.refused.len(), result), (1, &late[0].result));
        assert!(matches!(refusal, Refusal::OtherAnalyst { .. }), "{refusal}");
        // It waits again.
        assert_eq!(coordinator.counts().unwrap(), counts(2, 0, 1));
    });
}

/// An analyst that always fails.
struct Broken;

impl Analyst for Broken {
    fn identity(&self) -> AnalystId {
        AnalystId::new("engine", "1")
    }

    fn analyse(&mut self, _: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
        Err(AnalystError::Gone { engine: "engine".to_owned(), reason: "broken".to_owned() })
    }
}

#[test]
fn a_worker_that_fails_again_and_again_is_dismissed() {
    with_schema(|schema| {
        let coordinator = schema.coordinator();
        plan(&coordinator, &positions(1_000));
        let folder = tempfile::tempdir().unwrap();
        let (queue, calls) = observed(schema.worker());
        let relay = Relay::open(queue, NAME, spool(&folder)).unwrap();
        // With a stock for others.
        let (job, done) = fill(&relay, 50, &calls);
        relay.finish(&[finished(&job)]).unwrap();
        let stop = Arc::default();
        let mut broken = [Broken];
        let worked =
            work(&relay, &mut broken, "host", WhenEmpty::Wait, &stop, &mut |_| {}).unwrap();
        assert_eq!((worked.failures, worked.end), (5, GrowEnd::NoAnalysts));
        relay.close(LONG);
        assert_eq!(coordinator.counts().unwrap(), counts(1_000 - done - 1, 0, done + 1));
    });
}

/// A queue that has given all its jobs.
#[derive(Debug)]
struct Taking;

impl JobSource for Taking {
    fn lease(&self, _: &LeaseRequest) -> Result<Vec<LeasedJob>, QueueError> {
        Ok(Vec::new())
    }

    fn heartbeat(&self, leases: &[Lease], _: u64) -> Result<Vec<LeaseState>, QueueError> {
        Ok(vec![LeaseState::Held; leases.len()])
    }

    fn finish(&self, finished: &[FinishedJob]) -> Result<Vec<Completion>, QueueError> {
        Ok(vec![Completion::Accepted; finished.len()])
    }

    fn fail(&self, _: &Lease, _: &str, _: &str) -> Result<FailureOutcome, QueueError> {
        Ok(FailureOutcome::Stale)
    }

    fn release(&self, _: &[Lease]) -> Result<(), QueueError> {
        Ok(())
    }
}

/// A result of about 60 kB.
fn long_result() -> FinishedJob {
    use komadai_bookfile::position_key::PositionKey;

    let position = Position::hirate();
    let m = position.legal_moves()[0];
    let lines = vec![Line::exact(Score::cp(7), [m].into_iter().collect())];
    let analysis = Analysis { lines, ..Analysis::default() };
    let analyst = AnalystId { options: "x".repeat(60_000), ..Broken.identity() };
    let job = PositionKey::of(&position).unwrap().packed();
    let result = komadai_book::LoggedAnalysis::new(position, analysis, analyst);
    FinishedJob { lease: Lease { job, number: 1, revision: 0 }, result }
}

#[test]
fn a_full_spool_takes_results_again_when_it_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let (queue, calls) = observed(Taking);
    calls.set_away(true);
    let relay = Relay::open(queue, NAME, spool(&folder)).unwrap();
    let results = vec![long_result(); 100];
    let mut accepted = 0;
    let error = loop {
        match relay.finish(&results) {
            Ok(completions) => accepted += completions.len() as u64,
            Err(error) => break error,
        }
        assert!(accepted < 10_000);
    };
    assert!(error.is_temporary(), "{error}");
    let length = || std::fs::metadata(spool(&folder)).unwrap().len();
    assert!((64 << 20..72 << 20).contains(&length()), "{}", length());
    let error = Relay::open(Taking, NAME, spool(&folder)).unwrap_err();
    assert!(matches!(error, SpoolError::Io { .. }), "{error}");
    assert_eq!(relay.close(Duration::ZERO).left as u64, accepted);
    // The next process.
    let (queue, calls) = observed(Taking);
    let relay = Relay::open(queue, NAME, spool(&folder)).unwrap();
    let more = again(|| relay.finish(&results)).len() as u64;
    let report = relay.close(LONG);
    assert_eq!((report.sent, report.left), (accepted + more, 0));
    assert!(is_empty(&spool(&folder)));
    assert!(calls.batches.lock().unwrap().iter().all(|&size| size <= 500));
}

/// A queue whose role may not send results.
#[derive(Debug)]
struct Forbidding;

impl JobSource for Forbidding {
    fn lease(&self, _: &LeaseRequest) -> Result<Vec<LeasedJob>, QueueError> {
        Ok(Vec::new())
    }

    fn heartbeat(&self, _: &[Lease], _: u64) -> Result<Vec<LeaseState>, QueueError> {
        Ok(Vec::new())
    }

    fn finish(&self, _: &[FinishedJob]) -> Result<Vec<Completion>, QueueError> {
        Err(Refusal::Other { reason: "no right".to_owned() }.into())
    }

    fn fail(&self, _: &Lease, _: &str, _: &str) -> Result<FailureOutcome, QueueError> {
        Ok(FailureOutcome::Stale)
    }

    fn release(&self, _: &[Lease]) -> Result<(), QueueError> {
        Ok(())
    }
}

#[test]
fn a_queue_that_takes_no_results_gets_no_more_work_done() {
    let folder = tempfile::tempdir().unwrap();
    let relay = Relay::open(Forbidding, NAME, spool(&folder)).unwrap();
    assert_eq!(relay.finish(&[long_result()]).unwrap(), [Completion::Accepted]);
    let end = Instant::now() + LONG;
    let error = loop {
        match relay.lease(&request("a", 1)) {
            Ok(_) => assert!(Instant::now() < end),
            Err(error) => break error,
        }
    };
    assert_eq!(error.to_string(), "the queue refuses this: no right");
    let start = Instant::now();
    let report = relay.close(LONG);
    assert_eq!((report.sent, report.left), (0, 1));
    assert!(start.elapsed() < LONG, "it does not wait for what will not come");
    let report = Relay::open(Taking, NAME, spool(&folder)).unwrap().close(LONG);
    assert_eq!((report.sent, report.left), (1, 0));
}
