//! The contract of the queue.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use komadai_bookfile::EntryError;
use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Analysis, AnalystId, Line, Move, Position, Score, SplitMix64};
use proptest::prelude::*;

use super::*;
use crate::logged_analysis::LoggedAnalysis;
use crate::store::StoreError;

const MAX_FAILURES: u32 = 3;
const OPTIONS: QueueOptions = QueueOptions { max_failures: MAX_FAILURES };

/// Runs a test with a new queue and its clock, which starts at 0. A second kind of queue will take
/// the same tests.
fn with_queue(test: impl Fn(&dyn JobQueue, &AtomicU64)) {
    let folder = tempfile::tempdir().unwrap();
    let store = crate::store::Store::create(folder.path().join("a.kbook")).unwrap();
    let clock = AtomicU64::new(0);
    test(&store.queue(OPTIONS).by_clock(&clock), &clock);
}

/// Puts the clock to a time.
fn at(clock: &AtomicU64, now_ms: u64) {
    clock.store(now_ms, Ordering::SeqCst);
}

/// Twelve positions, each with a legal move.
fn positions() -> Vec<(Position, Move)> {
    let moves = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f";
    let mut position = Position::hirate();
    let mut found = Vec::new();
    for m in moves.split(' ') {
        let m: Move = m.parse().unwrap();
        found.push((position.clone(), m));
        position = position.after(m).without_history();
    }
    found
}

fn job(position: &Position, priority: i64, nodes: u64) -> NewJob {
    let settings = JobSettings { nodes: Some(nodes), ..JobSettings::default() };
    NewJob { position: position.clone(), priority, settings }
}

fn request(worker: &str, count: usize) -> LeaseRequest {
    LeaseRequest { worker: worker.to_owned(), analyst: None, count, duration_ms: 100 }
}

fn result(position: &Position, m: Move) -> LoggedAnalysis {
    let pv = [m].into_iter().collect();
    let line = Line::exact(Score::cp(30), pv);
    let analysis = Analysis { lines: vec![line], ..Analysis::default() };
    LoggedAnalysis::new(position.clone(), analysis, AnalystId::new("engine", "1"))
}

fn counts(waiting: u64, leased: u64, done: u64, dead: u64) -> JobCounts {
    JobCounts { waiting, leased, done, dead }
}

#[test]
fn the_most_urgent_come_first_and_a_turned_position_is_the_same() {
    with_queue(|queue, clock| {
        let all = positions();
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| &all[at].0);
        let jobs = [
            job(a, 0, 1),
            job(b, i64::MIN, 1),
            job(c, i64::MAX, 1),
            job(&b.flipped(), -7, 1),
            job(d, 0, 1),
        ];
        let enqueued = queue.enqueue(&jobs).unwrap();
        assert_eq!((enqueued.added, enqueued.raised), (4, 1));
        let again = queue.enqueue(&jobs).unwrap();
        assert_eq!((again.added, again.raised, again.unchanged), (0, 0, 5));
        let leased = queue.lease(&request("w", 9)).unwrap();
        let order: Vec<_> = leased.iter().map(|job| job.position.to_string()).collect();
        assert_eq!(order, [c, a, d, b].map(ToString::to_string));
        assert!(leased.iter().all(|job| job.duration_ms == 100 && job.settings.nodes == Some(1)));
        assert_eq!(queue.counts().unwrap(), counts(0, 4, 0, 0));
        at(clock, 99);
        assert!(queue.lease(&request("w", 9)).unwrap().is_empty());
    });
}

#[test]
fn a_late_result_counts_once() {
    with_queue(|queue, clock| {
        let (position, m) = positions().remove(0);
        queue.enqueue(&[job(&position, 0, 1)]).unwrap();
        let first = queue.lease(&request("a", 1)).unwrap().remove(0).lease;
        // The worker is silent until its lease is over; another gets the job.
        at(clock, 99);
        assert_eq!(queue.expire().unwrap(), 0);
        at(clock, 100);
        let second = queue.lease(&request("b", 1)).unwrap().remove(0);
        assert_eq!((second.expiries, second.failures), (1, 0));
        at(clock, 120);
        assert_eq!(queue.heartbeat(&first, 100).unwrap(), LeaseState::Lost);
        assert_eq!(queue.fail(&first, "late").unwrap(), FailureOutcome::Stale);
        let results = [result(&position, m)];
        at(clock, 130);
        assert_eq!(queue.complete(&first, &results).unwrap(), Completion::AcceptedLate);
        assert_eq!(queue.counts().unwrap(), counts(0, 0, 1, 0));
        for lease in [&second.lease, &first] {
            at(clock, 140);
            assert_eq!(queue.complete(lease, &results).unwrap(), Completion::AlreadyDone);
        }
        at(clock, 141);
        assert_eq!(queue.heartbeat(&second.lease, 100).unwrap(), LeaseState::Lost);
        at(clock, 10_000);
        assert!(queue.lease(&request("c", 1)).unwrap().is_empty());
    });
}

#[test]
fn a_heartbeat_keeps_the_job() {
    with_queue(|queue, clock| {
        let (position, m) = positions().remove(0);
        queue.enqueue(&[job(&position, 0, 1)]).unwrap();
        let lease = queue.lease(&request("a", 1)).unwrap().remove(0).lease;
        at(clock, 90);
        assert_eq!(queue.heartbeat(&lease, 100).unwrap(), LeaseState::Held);
        at(clock, 150);
        assert!(queue.lease(&request("b", 1)).unwrap().is_empty());
        at(clock, 180);
        let completion = queue.complete(&lease, &[result(&position, m)]).unwrap();
        assert_eq!(completion, Completion::Accepted);
    });
}

#[test]
fn a_job_is_given_up_after_its_failures_but_may_still_be_done() {
    with_queue(|queue, _| {
        let (position, m) = positions().remove(0);
        queue.enqueue(&[job(&position, 0, 1)]).unwrap();
        let mut last = None;
        for failure in 1..=MAX_FAILURES {
            let job = queue.lease(&request("a", 1)).unwrap().remove(0);
            assert_eq!(job.failures, failure - 1);
            let outcome = queue.fail(&job.lease, &format!("engine crash {failure}")).unwrap();
            let is_last = failure == MAX_FAILURES;
            let expected = if is_last { FailureOutcome::Dead } else { FailureOutcome::Retried };
            assert_eq!(outcome, expected);
            last = Some(job.lease);
        }
        assert_eq!(queue.counts().unwrap(), counts(0, 0, 0, 1));
        assert!(queue.lease(&request("a", 1)).unwrap().is_empty());
        let dead = queue.dead().unwrap().remove(0);
        assert_eq!((dead.position, dead.reason.as_str()), (position.clone(), "engine crash 3"));
        // The same wish does not bring it back, a greater one does.
        assert_eq!(queue.enqueue(&[job(&position, 0, 1)]).unwrap().unchanged, 1);
        assert_eq!(queue.counts().unwrap(), counts(0, 0, 0, 1));
        let last = last.unwrap();
        let completion = queue.complete(&last, &[result(&position, m)]).unwrap();
        assert_eq!(completion, Completion::AcceptedLate);
        assert_eq!(queue.counts().unwrap(), counts(0, 0, 1, 0));
        assert_eq!(queue.enqueue(&[job(&position, 0, 2)]).unwrap().extended, 1);
        assert_eq!(queue.counts().unwrap(), counts(1, 0, 0, 0));
        assert_eq!(queue.lease(&request("a", 1)).unwrap()[0].failures, 0);
    });
}

#[test]
fn what_is_asked_for_meanwhile_is_done_afterwards() {
    with_queue(|queue, _| {
        let (position, m) = positions().remove(0);
        let results = [result(&position, m)];
        queue.enqueue(&[job(&position, 0, 1)]).unwrap();
        let first = queue.lease(&request("a", 1)).unwrap().remove(0);
        assert_eq!(queue.enqueue(&[job(&position, 0, 500)]).unwrap().extended, 1);
        let completion = queue.complete(&first.lease, &results).unwrap();
        assert_eq!(completion, Completion::Accepted);
        assert_eq!(queue.counts().unwrap(), counts(1, 0, 0, 0));
        let second = queue.lease(&request("a", 1)).unwrap().remove(0);
        assert_eq!(second.settings.nodes, Some(500));
        assert_eq!(queue.complete(&first.lease, &results).unwrap(), Completion::AlreadyDone);
        assert_eq!(queue.complete(&second.lease, &results).unwrap(), Completion::Accepted);
        assert_eq!(queue.counts().unwrap(), counts(0, 0, 1, 0));
        // Another engine is asked for with a higher generation.
        let mut refresh = job(&position, 0, 1);
        refresh.settings.generation = 1;
        refresh.settings.engine = "new".into();
        assert_eq!(queue.enqueue(&[refresh]).unwrap().extended, 1);
        let third = queue.lease(&request("a", 1)).unwrap().remove(0);
        assert_eq!((third.settings.engine.as_str(), third.settings.nodes), ("new", Some(500)));
    });
}

#[test]
fn positions_that_a_book_cannot_hold_are_passed_over_and_counted() {
    with_queue(|queue, _| {
        let all = positions();
        // A king is missing, and 32 bytes do not hold the last bit.
        let unheld =
            Position::from_sfen("6B2/2rrl3B/2n2lnk1/g3pp2p/3l4n/2lp5/g5p2/9/7+p1 w Gg4sn12p 8");
        let unheld = unheld.unwrap();
        assert!(PositionKey::of(&unheld).is_err());
        let jobs = [job(&unheld, 9, 1), job(&all[0].0, 0, 1), job(&unheld.flipped(), 0, 1)];
        let enqueued = queue.enqueue(&jobs).unwrap();
        assert_eq!((enqueued.added, enqueued.unheld), (1, 2));
        assert_eq!(queue.counts().unwrap(), counts(1, 0, 0, 0));
        assert_eq!(queue.lease(&request("w", 9)).unwrap().len(), 1);
        let enqueued = queue.enqueue(&[job(&unheld, 9, 1)]).unwrap();
        assert_eq!(enqueued, Enqueued { unheld: 1, ..Enqueued::default() });
    });
}

#[test]
fn a_worker_gets_the_jobs_of_its_engine_and_those_of_any() {
    let analysts = [
        (
            "engine",
            AnalystId { options: "Threads=1".to_owned(), ..AnalystId::new("engine", "2.1") },
        ),
        ("another", AnalystId::new("another 9.9", "")),
        ("engine of old", AnalystId::new("engine", "1")),
    ];
    // The engine of each job, and the analysts that may do it.
    let table: [(&str, &[&str]); 8] = [
        ("", &["engine", "another", "engine of old"]),
        ("engine", &["engine", "engine of old"]),
        ("engine 2.1", &["engine"]),
        ("engine 2.1 (Threads=1)", &["engine"]),
        ("engine 2.1 (Threads=2)", &[]),
        ("another 9.9", &["another"]),
        ("another", &[]),
        ("Engine", &[]),
    ];
    with_queue(|queue, clock| {
        let all = positions();
        let jobs: Vec<NewJob> = (0..)
            .zip(&table)
            .map(|(at, (engine, _))| {
                let settings = JobSettings {
                    nodes: Some(1),
                    engine: (*engine).to_owned(),
                    ..JobSettings::default()
                };
                // Jobs that are not the worker's are more urgent.
                NewJob { position: all[at].0.clone(), priority: at as i64, settings }
            })
            .collect();
        assert_eq!(queue.enqueue(&jobs).unwrap().added, table.len());
        let waiting = queue.waiting_by_engine().unwrap();
        assert_eq!(waiting.len(), table.len());
        assert!(waiting.values().all(|&count| count == 1));
        for (name, analyst) in &analysts {
            let asked = LeaseRequest { analyst: Some(analyst.clone()), ..request("w", 99) };
            let leased = queue.lease(&asked).unwrap();
            let engines: Vec<_> = leased.iter().map(|job| job.settings.engine.as_str()).collect();
            let own = table.iter().rev().filter(|(_, who)| who.contains(name));
            assert_eq!(engines, own.map(|(engine, _)| *engine).collect::<Vec<_>>(), "{name}");
            assert!(leased.iter().all(|job| job.settings.are_for(analyst)));
            assert!(queue.lease(&asked).unwrap().is_empty());
            let left = (table.len() - leased.len()) as u64;
            assert_eq!(queue.waiting_by_engine().unwrap().values().sum::<u64>(), left);
            assert_eq!(queue.counts().unwrap(), counts(left, leased.len() as u64, 0, 0));
            clock.fetch_add(100, Ordering::SeqCst);
            assert_eq!(queue.expire().unwrap(), leased.len());
        }
        // One that starts the engine of each job gets all.
        assert_eq!(queue.lease(&request("w", 99)).unwrap().len(), table.len());
        assert!(queue.waiting_by_engine().unwrap().is_empty());
    });
}

#[test]
fn what_another_engine_is_to_analyse_is_not_done_by_this_one() {
    with_queue(|queue, clock| {
        let (position, m) = positions().remove(0);
        let by = |engine: &str, nodes| NewJob {
            settings: JobSettings {
                nodes: Some(nodes),
                engine: engine.to_owned(),
                ..JobSettings::default()
            },
            ..job(&position, 0, nodes)
        };
        let engine_of = |queue: &dyn JobQueue| {
            let leased = queue.lease(&request("w", 1)).unwrap();
            clock.fetch_add(100, Ordering::SeqCst);
            queue.expire().unwrap();
            leased.first().map(|job| job.settings.engine.clone())
        };
        queue.enqueue(&[by("", 5)]).unwrap();
        let lease = queue.lease(&request("w", 1)).unwrap().remove(0).lease;
        queue.complete(&lease, &[result(&position, m)]).unwrap();
        // The analysis by any engine is none by this one.
        assert_eq!(queue.enqueue(&[by("x", 5)]).unwrap().extended, 1);
        assert_eq!(engine_of(queue).as_deref(), Some("x"));
        // Who leaves the engine open is content with it, and does not take the job from it.
        assert_eq!(queue.enqueue(&[by("", 5)]).unwrap().unchanged, 1);
        assert_eq!(queue.enqueue(&[by("", 9)]).unwrap().extended, 1);
        assert_eq!(engine_of(queue).as_deref(), Some("x"));
        // Of two engines with the same generation, the later one counts.
        assert_eq!(queue.enqueue(&[by("y", 1)]).unwrap().extended, 1);
        assert_eq!(engine_of(queue).as_deref(), Some("y"));
        assert_eq!(queue.lease(&request("w", 1)).unwrap()[0].settings.nodes, Some(9));
    });
}

#[test]
fn nonsense_is_refused_and_changes_nothing() {
    with_queue(|queue, _| {
        let all = positions();
        let (position, _) = &all[0];
        queue.enqueue(&[job(position, 0, 1)]).unwrap();
        let lease = queue.lease(&request("a", 1)).unwrap().remove(0).lease;
        let illegal = result(position, "3c3d".parse().unwrap());
        let error = queue.complete(&lease, &[illegal]).unwrap_err();
        assert!(matches!(error, StoreError::Entry(EntryError::IllegalMove { .. })), "{error}");
        assert_eq!(queue.counts().unwrap(), counts(0, 1, 0, 0));
        let other = komadai_core::PackedSfen::from_setup(&all[3].0.to_setup()).unwrap();
        let unknown = Lease { job: other, ..lease };
        assert!(matches!(queue.fail(&unknown, ""), Err(StoreError::UnknownJob { number: 0 })));
        assert!(matches!(queue.heartbeat(&unknown, 0), Err(StoreError::UnknownJob { .. })));
        assert!(matches!(queue.complete(&unknown, &[]), Err(StoreError::UnknownJob { .. })));
    });
}

/// A job as a plain list keeps it.
#[derive(Debug, Clone)]
struct NaiveJob {
    at: usize,
    priority: i64,
    nodes: u64,
    /// The wish with this many raises is the one to be done.
    wish: u32,
    best_done: Option<u32>,
    failures: u32,
    state: NaiveState,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum NaiveState {
    Waiting,
    Leased { lease: usize, until: u64 },
    Done,
    Dead,
}

#[derive(Debug, Default)]
struct Naive {
    /// In the order of enqueueing.
    jobs: Vec<NaiveJob>,
    /// For every lease ever given: the position, the wish.
    leases: Vec<(usize, u32)>,
}

impl Naive {
    fn enqueue(&mut self, at: usize, priority: i64, nodes: u64) -> [usize; 4] {
        let Some(job) = self.jobs.iter_mut().find(|job| job.at == at) else {
            let state = NaiveState::Waiting;
            let (wish, best_done, failures) = (0, None, 0);
            self.jobs.push(NaiveJob { at, priority, nodes, wish, best_done, failures, state });
            return [1, 0, 0, 0];
        };
        let more_urgent = priority > job.priority;
        job.priority = job.priority.max(priority);
        if nodes > job.nodes {
            job.nodes = nodes;
            job.wish += 1;
            job.failures = 0;
            if job.state == NaiveState::Done || job.state == NaiveState::Dead {
                job.state = NaiveState::Waiting;
            }
            return [0, 1, 0, 0];
        }
        if more_urgent { [0, 0, 1, 0] } else { [0, 0, 0, 1] }
    }

    fn lease(&mut self, count: usize, now: u64) -> Vec<usize> {
        self.expire(now);
        let mut given = Vec::new();
        for _ in 0..count {
            let waiting = self.jobs.iter_mut().filter(|job| job.state == NaiveState::Waiting);
            // Of several that are highest, the first.
            let Some(job) = waiting.rev().max_by_key(|job| job.priority) else { break };
            job.state = NaiveState::Leased { lease: self.leases.len(), until: now + 100 };
            self.leases.push((job.at, job.wish));
            given.push(job.at);
        }
        given
    }

    fn expire(&mut self, now: u64) -> usize {
        let mut expired = 0;
        for job in &mut self.jobs {
            if matches!(job.state, NaiveState::Leased { until, .. } if until <= now) {
                job.state = NaiveState::Waiting;
                expired += 1;
            }
        }
        expired
    }

    fn job(&mut self, lease: usize) -> (&mut NaiveJob, bool) {
        let (at, _) = self.leases[lease];
        let job = self.jobs.iter_mut().find(|job| job.at == at).unwrap();
        let held = matches!(job.state, NaiveState::Leased { lease: held, .. } if held == lease);
        (job, held)
    }

    fn heartbeat(&mut self, lease: usize, now: u64) -> LeaseState {
        match self.job(lease) {
            (job, true) => {
                job.state = NaiveState::Leased { lease, until: now + 100 };
                LeaseState::Held
            }
            _ => LeaseState::Lost,
        }
    }

    fn complete(&mut self, lease: usize) -> Completion {
        let (_, wish) = self.leases[lease];
        let (job, held) = self.job(lease);
        if job.best_done.is_some_and(|done| done >= wish) {
            return Completion::AlreadyDone;
        }
        job.best_done = Some(wish);
        if wish == job.wish {
            job.state = NaiveState::Done;
        } else if held {
            job.state = NaiveState::Waiting;
        }
        if held { Completion::Accepted } else { Completion::AcceptedLate }
    }

    fn fail(&mut self, lease: usize) -> FailureOutcome {
        let (job, held) = self.job(lease);
        if !held {
            return FailureOutcome::Stale;
        }
        job.failures += 1;
        if job.failures >= MAX_FAILURES {
            job.state = NaiveState::Dead;
            FailureOutcome::Dead
        } else {
            job.state = NaiveState::Waiting;
            FailureOutcome::Retried
        }
    }

    fn counts(&self) -> JobCounts {
        let count = |is: fn(NaiveState) -> bool| {
            self.jobs.iter().filter(|job| is(job.state)).count() as u64
        };
        JobCounts {
            waiting: count(|state| state == NaiveState::Waiting),
            leased: count(|state| matches!(state, NaiveState::Leased { .. })),
            done: count(|state| state == NaiveState::Done),
            dead: count(|state| state == NaiveState::Dead),
        }
    }
}

#[derive(Debug, Clone)]
enum Operation {
    Enqueue { at: usize, flipped: bool, priority: i64, nodes: u64 },
    Lease { count: usize },
    Heartbeat { lease: prop::sample::Index },
    Complete { lease: prop::sample::Index },
    Fail { lease: prop::sample::Index },
    Expire,
    Wait { ms: u64 },
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    let lease = any::<prop::sample::Index>;
    prop_oneof![
        3 => (0_usize..6, any::<bool>(), -2_i64..3, 0_u64..4)
            .prop_map(|(at, flipped, priority, nodes)| Enqueue { at, flipped, priority, nodes }),
        3 => (0_usize..4).prop_map(|count| Lease { count }),
        1 => lease().prop_map(|lease| Heartbeat { lease }),
        3 => lease().prop_map(|lease| Complete { lease }),
        3 => lease().prop_map(|lease| Fail { lease }),
        1 => Just(Expire),
        2 => (1_u64..150).prop_map(|ms| Wait { ms }),
    ]
}

/// Does the same to the queue and to a plain list, and compares what both say.
fn compare(queue: &dyn JobQueue, clock: &AtomicU64, operations: &[Operation]) {
    let all = positions();
    let (mut naive, mut leases, mut now) = (Naive::default(), Vec::<Lease>::new(), 0);
    for operation in operations {
        let pick =
            |lease: &prop::sample::Index| (!leases.is_empty()).then(|| lease.index(leases.len()));
        match operation {
            Operation::Enqueue { at, flipped, priority, nodes } => {
                let position = &all[*at].0;
                let position = if *flipped { position.flipped() } else { position.clone() };
                let Enqueued { added, extended, raised, unchanged, unheld } =
                    queue.enqueue(&[job(&position, *priority, *nodes)]).unwrap();
                let expected = naive.enqueue(*at, *priority, *nodes);
                assert_eq!(([added, extended, raised, unchanged], unheld), (expected, 0));
            }
            Operation::Lease { count } => {
                let given = queue.lease(&request("w", *count)).unwrap();
                let name = |position: &Position| {
                    let is_it = |(known, _): &(Position, Move)| {
                        PositionKey::of(known) == PositionKey::of(position)
                    };
                    all.iter().position(is_it).unwrap()
                };
                let names: Vec<_> = given.iter().map(|job| name(&job.position)).collect();
                assert_eq!(names, naive.lease(*count, now));
                leases.extend(given.into_iter().map(|job| job.lease));
            }
            Operation::Heartbeat { lease } => {
                let Some(at) = pick(lease) else { continue };
                let state = queue.heartbeat(&leases[at], 100).unwrap();
                assert_eq!(state, naive.heartbeat(at, now));
            }
            Operation::Complete { lease } => {
                let Some(at) = pick(lease) else { continue };
                let (position, m) = &all[naive.leases[at].0];
                let results = [result(position, *m)];
                let completion = queue.complete(&leases[at], &results).unwrap();
                assert_eq!(completion, naive.complete(at));
            }
            Operation::Fail { lease } => {
                let Some(at) = pick(lease) else { continue };
                assert_eq!(queue.fail(&leases[at], "no").unwrap(), naive.fail(at));
            }
            Operation::Expire => assert_eq!(queue.expire().unwrap(), naive.expire(now)),
            Operation::Wait { ms } => {
                now += ms;
                at(clock, now);
            }
        }
        assert_eq!(queue.counts().unwrap(), naive.counts());
        assert_eq!(queue.dead().unwrap().len() as u64, naive.counts().dead);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_queue_does_what_a_plain_list_does(
        operations in prop::collection::vec(operation(), 1..60),
    ) {
        with_queue(|queue, clock| compare(queue, clock, &operations));
    }
}

/// Four workers that die, fail and come back work through all positions.
fn work(queue: &dyn JobQueue, clock: &AtomicU64) {
    let all = positions();
    let jobs: Vec<_> = all.iter().map(|(position, _)| job(position, 0, 1)).collect();
    queue.enqueue(&jobs).unwrap();
    // By position: the end of the lease that a worker believes to have.
    let held: Mutex<BTreeMap<String, u64>> = Mutex::default();
    std::thread::scope(|scope| {
        for worker in 0..4_u64 {
            let (held, all) = (&held, &all);
            scope.spawn(move || {
                let mut random = SplitMix64::new(worker);
                loop {
                    let counts = queue.counts().unwrap();
                    if counts.done + counts.dead == all.len() as u64 {
                        return;
                    }
                    // Giving a job and noting it is one step, or the note might come late.
                    let mut believed = held.lock().unwrap();
                    let now = clock.fetch_add(7, Ordering::SeqCst) + 7;
                    let leased = queue.lease(&request("w", 2)).unwrap();
                    let end = |job: &LeasedJob| now + job.duration_ms;
                    for job in &leased {
                        let before = believed.insert(job.position.to_string(), end(job));
                        assert!(before.is_none_or(|until| until <= now), "two have it");
                    }
                    drop(believed);
                    for job in &leased {
                        let fate = random.below(4);
                        if fate == 0 {
                            // The worker ends without a report on this job.
                            continue;
                        }
                        // It works no more, and hands in what it has. Another may have the job by
                        // now.
                        let name = job.position.to_string();
                        let mut believed = held.lock().unwrap();
                        if believed.get(&name) == Some(&end(job)) {
                            believed.remove(&name);
                        }
                        drop(believed);
                        if fate == 1 {
                            queue.fail(&job.lease, "crash").unwrap();
                        } else {
                            let (_, m) = all.iter().find(|(p, _)| *p == job.position).unwrap();
                            let results = [result(&job.position, *m)];
                            queue.complete(&job.lease, &results).unwrap();
                        }
                    }
                }
            });
        }
    });
}

#[test]
fn workers_that_die_lose_nothing() {
    let options = QueueOptions { max_failures: u32::MAX };
    let mut expected: Vec<_> =
        positions().iter().map(|(position, _)| position.to_string()).collect();
    expected.sort();
    let names = |results: Vec<LoggedAnalysis>| {
        let mut names: Vec<_> = results.iter().map(|result| result.position.to_string()).collect();
        names.sort();
        names
    };
    let folder = tempfile::tempdir().unwrap();
    let store = crate::store::Store::create(folder.path().join("a.kbook")).unwrap();
    let clock = AtomicU64::new(0);
    work(&store.queue(options).by_clock(&clock), &clock);
    let results = store.log().unwrap().map(|entry| entry.unwrap().analysis).collect();
    assert_eq!(names(results), expected, "each result once");
    assert_eq!(store.len().unwrap(), expected.len() as u64);
}

/// Jobs that a killed worker held are withdrawn once their leases have ended.
#[test]
fn what_waits_for_something_else_can_be_withdrawn() {
    let folder = tempfile::tempdir().unwrap();
    let store = crate::store::Store::create(folder.path().join("a.kbook")).unwrap();
    let queue = store.queue(OPTIONS);
    let positions = positions();
    let at = |index: usize, nodes| job(&positions[index].0, 0, nodes);
    queue.enqueue(&[at(0, 100), at(1, 100), at(2, 700), at(3, 700), at(4, 100)]).unwrap();
    let leased = queue.lease(&request("a", 2)).unwrap();
    let (position, m) = &positions[0];
    queue.complete(&leased[0].lease, &[result(position, *m)]).unwrap();
    assert_eq!(queue.counts().unwrap(), counts(3, 1, 1, 0));
    let wanted = at(0, 700).settings;
    assert_eq!(queue.withdraw_others(&wanted).unwrap(), 1);
    assert_eq!(queue.counts().unwrap(), counts(2, 1, 1, 0));
    // Of other generations and engines others decide.
    let by = |generation, engine: &str| JobSettings {
        generation,
        engine: engine.to_owned(),
        ..at(0, 900).settings
    };
    assert_eq!(queue.withdraw_others(&by(wanted.generation + 1, &wanted.engine)).unwrap(), 0);
    assert_eq!(queue.withdraw_others(&by(wanted.generation, "another")).unwrap(), 0);
    queue.end_leases().unwrap();
    assert_eq!(queue.withdraw_others(&wanted).unwrap(), 1);
    assert_eq!(queue.withdraw_others(&wanted).unwrap(), 0);
    assert_eq!(queue.counts().unwrap(), counts(2, 0, 1, 0));
    // They can be asked for again, and a result that comes late is not taken.
    let late = queue.complete(&leased[1].lease, &[result(&positions[1].0, positions[1].1)]);
    assert!(matches!(late, Err(StoreError::UnknownJob { .. })), "{late:?}");
    assert_eq!(queue.enqueue(&[at(1, 700), at(4, 700)]).unwrap().added, 2);
    let leased = queue.lease(&request("b", 9)).unwrap();
    let order: Vec<_> = leased.iter().map(|leased| leased.position.to_string()).collect();
    assert_eq!(order, [2, 3, 1, 4].map(|index| positions[index].0.to_string()));
    assert!(leased.iter().all(|leased| leased.settings == wanted));
}
