//! The tests that every implementation of a queue must pass.
//!
//! A crate with an implementation enables the feature `queue-tests` and runs each of [`TESTS`]:
//!
//! ```
//! use std::sync::atomic::{AtomicU64, Ordering};
//!
//! use komadai_book::queue::contract::{ContractTest, TESTS, Test};
//! use komadai_book::queue::{JobQueue, QueueOptions};
//! use komadai_book::store::Store;
//!
//! /// Makes a queue with a clock at 0, and runs a test with it.
//! fn with_queue(options: QueueOptions, test: &mut Test<'_>) {
//!     let folder = tempfile::tempdir().expect("a folder");
//!     let store = Store::create(folder.path().join("a.kbook")).expect("a store");
//!     let clock = AtomicU64::new(0);
//!     test(&store.queue(options).by_clock(&clock), &|now_ms| clock.store(now_ms, Ordering::SeqCst));
//! }
//!
//! let (name, test): (&str, ContractTest) = TESTS[0];
//! println!("{name}");
//! test(&with_queue);
//! ```

mod naive;
mod workers;

use komadai_bookfile::EntryError;
use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Analysis, AnalystId, Line, Move, Position, Score};

use super::error::{QueueError, Refusal};
use super::job_queue::{
    JobCounts, JobQueue, MAX_FAILURES_IN_A_ROW, PlanChanges, Planned, QueueOptions,
};
use super::job_settings::{JobSettings, NewJob};
use super::job_source::{Completion, FailureOutcome, FinishedJob};
use super::lease::{Lease, LeaseRequest, LeaseState};
use crate::logged_analysis::LoggedAnalysis;

/// A test with a queue, and a function that sets its clock to a number of milliseconds.
pub type Test<'t> = dyn FnMut(&dyn JobQueue, &(dyn Fn(u64) + Sync)) + 't;

/// A function that runs a test with a new, empty queue. Its clock starts at 0 and stands still.
pub type WithQueue<'w> = dyn Fn(QueueOptions, &mut Test<'_>) + 'w;

/// A test of the contract.
pub type ContractTest = fn(&WithQueue<'_>);

/// All tests with their names. They panic if the queue breaks the contract.
pub const TESTS: [(&str, ContractTest); 18] = [
    (
        "the_most_urgent_come_first_and_a_turned_position_is_the_same",
        the_most_urgent_come_first_and_a_turned_position_is_the_same,
    ),
    ("a_late_result_counts_once", a_late_result_counts_once),
    ("a_heartbeat_keeps_the_job", a_heartbeat_keeps_the_job),
    (
        "a_job_is_dead_after_failures_of_two_workers_but_may_still_be_done",
        a_job_is_dead_after_failures_of_two_workers_but_may_still_be_done,
    ),
    ("what_one_worker_fails_at_is_left_to_others", what_one_worker_fails_at_is_left_to_others),
    (
        "a_worker_that_fails_again_and_again_gets_no_more_jobs",
        a_worker_that_fails_again_and_again_gets_no_more_jobs,
    ),
    ("a_released_job_waits_without_a_failure", a_released_job_waits_without_a_failure),
    ("a_plan_changes_by_differences", a_plan_changes_by_differences),
    ("another_plan_does_not_lower_a_job", another_plan_does_not_lower_a_job),
    (
        "results_stay_in_the_outbox_until_they_are_merged",
        results_stay_in_the_outbox_until_they_are_merged,
    ),
    ("a_result_of_another_analyst_is_refused", a_result_of_another_analyst_is_refused),
    (
        "what_is_asked_for_meanwhile_is_done_afterwards",
        what_is_asked_for_meanwhile_is_done_afterwards,
    ),
    (
        "positions_that_a_book_cannot_hold_are_passed_over_and_counted",
        positions_that_a_book_cannot_hold_are_passed_over_and_counted,
    ),
    (
        "a_worker_gets_the_jobs_of_its_engine_and_those_of_any",
        a_worker_gets_the_jobs_of_its_engine_and_those_of_any,
    ),
    (
        "what_another_engine_is_to_analyse_is_not_done_by_this_one",
        what_another_engine_is_to_analyse_is_not_done_by_this_one,
    ),
    ("nonsense_is_refused_and_changes_nothing", nonsense_is_refused_and_changes_nothing),
    ("a_queue_does_what_a_plain_list_does", naive::a_queue_does_what_a_plain_list_does),
    ("workers_that_die_lose_nothing", workers::workers_that_die_lose_nothing),
];

const MAX_FAILURES: u32 = 3;
const OPTIONS: QueueOptions = QueueOptions { max_failures: MAX_FAILURES };

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

fn plan(queue: &dyn JobQueue, jobs: impl IntoIterator<Item = NewJob>) -> Planned {
    queue.plan(&PlanChanges::wanted(jobs.into_iter().collect())).unwrap()
}

fn heartbeat(queue: &dyn JobQueue, lease: &Lease) -> LeaseState {
    queue.heartbeat(std::slice::from_ref(lease), 100).unwrap().remove(0)
}

fn finish(queue: &dyn JobQueue, lease: &Lease, result: &LoggedAnalysis) -> Completion {
    let finished = FinishedJob { lease: lease.clone(), result: result.clone() };
    queue.finish(&[finished]).unwrap().remove(0)
}

fn counts(waiting: u64, leased: u64, done: u64, dead: u64) -> JobCounts {
    JobCounts { waiting, leased, done, dead }
}

fn the_most_urgent_come_first_and_a_turned_position_is_the_same(with_queue: &WithQueue<'_>) {
    with_queue(OPTIONS, &mut |queue, clock| {
        let all = positions();
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| &all[at].0);
        let jobs = [
            job(a, 0, 1),
            job(b, i64::MIN, 1),
            job(c, i64::MAX, 1),
            job(&b.flipped(), -7, 1),
            job(d, 0, 1),
        ];
        let planned = plan(queue, jobs.clone());
        assert_eq!((planned.added, planned.raised), (4, 1));
        let again = plan(queue, jobs.clone());
        assert_eq!((again.added, again.raised, again.lowered, again.unchanged), (0, 1, 1, 3));
        let leased = queue.lease(&request("w", 9)).unwrap();
        let order: Vec<_> = leased.iter().map(|job| job.position.to_string()).collect();
        assert_eq!(order, [c, a, d, b].map(ToString::to_string));
        assert!(leased.iter().all(|job| job.duration_ms == 100 && job.settings.nodes == Some(1)));
        assert_eq!(queue.counts().unwrap(), counts(0, 4, 0, 0));
        clock(99);
        assert!(queue.lease(&request("w", 9)).unwrap().is_empty());
    });
}

fn a_late_result_counts_once(with_queue: &WithQueue<'_>) {
    with_queue(OPTIONS, &mut |queue, clock| {
        let (position, m) = positions().remove(0);
        plan(queue, [job(&position, 0, 1)]);
        let first = queue.lease(&request("a", 1)).unwrap().remove(0).lease;
        // The worker is silent until its lease is over; another gets the job.
        clock(99);
        assert_eq!(queue.expire().unwrap(), 0);
        clock(100);
        let second = queue.lease(&request("b", 1)).unwrap().remove(0);
        assert_eq!((second.expiries, second.failures), (1, 0));
        clock(120);
        assert_eq!(heartbeat(queue, &first), LeaseState::Lost);
        assert_eq!(queue.fail(&first, "a", "late").unwrap(), FailureOutcome::Stale);
        let results = result(&position, m);
        clock(130);
        assert_eq!(finish(queue, &first, &results), Completion::AcceptedLate);
        assert_eq!(queue.counts().unwrap(), counts(0, 0, 1, 0));
        for lease in [&second.lease, &first] {
            clock(140);
            assert_eq!(finish(queue, lease, &results), Completion::AlreadyDone);
        }
        clock(141);
        assert_eq!(heartbeat(queue, &second.lease), LeaseState::Lost);
        clock(10_000);
        assert!(queue.lease(&request("c", 1)).unwrap().is_empty());
    });
}

fn a_heartbeat_keeps_the_job(with_queue: &WithQueue<'_>) {
    with_queue(OPTIONS, &mut |queue, clock| {
        let (position, m) = positions().remove(0);
        plan(queue, [job(&position, 0, 1)]);
        let lease = queue.lease(&request("a", 1)).unwrap().remove(0).lease;
        clock(90);
        assert_eq!(heartbeat(queue, &lease), LeaseState::Held);
        clock(150);
        assert!(queue.lease(&request("b", 1)).unwrap().is_empty());
        clock(180);
        let completion = finish(queue, &lease, &result(&position, m));
        assert_eq!(completion, Completion::Accepted);
    });
}

fn a_job_is_dead_after_failures_of_two_workers_but_may_still_be_done(with_queue: &WithQueue<'_>) {
    with_queue(OPTIONS, &mut |queue, _| {
        let (position, m) = positions().remove(0);
        plan(queue, [job(&position, 0, 1)]);
        let mut last = None;
        for (failures, worker) in (0..).zip(["a", "b", "a"]) {
            let job = queue.lease(&request(worker, 1)).unwrap().remove(0);
            assert_eq!(job.failures, failures);
            let outcome = queue.fail(&job.lease, worker, &format!("crash {failures}")).unwrap();
            let is_last = failures + 1 == MAX_FAILURES;
            let expected = if is_last { FailureOutcome::Dead } else { FailureOutcome::Retried };
            assert_eq!(outcome, expected);
            last = Some(job.lease);
        }
        assert_eq!(queue.counts().unwrap(), counts(0, 0, 0, 1));
        assert!(queue.lease(&request("c", 1)).unwrap().is_empty());
        let dead = queue.dead().unwrap().remove(0);
        assert_eq!((dead.position, dead.reason.as_str()), (position.clone(), "crash 2"));
        // The same wish does not bring it back, a greater one does.
        assert_eq!(plan(queue, [job(&position, 0, 1)]).unchanged, 1);
        assert_eq!(queue.counts().unwrap(), counts(0, 0, 0, 1));
        let completion = finish(queue, &last.unwrap(), &result(&position, m));
        assert_eq!(completion, Completion::AcceptedLate);
        assert_eq!(queue.counts().unwrap(), counts(0, 0, 1, 0));
        assert_eq!(plan(queue, [job(&position, 0, 2)]).extended, 1);
        assert_eq!(queue.counts().unwrap(), counts(1, 0, 0, 0));
        assert_eq!(queue.lease(&request("a", 1)).unwrap()[0].failures, 0);
    });
}

fn what_one_worker_fails_at_is_left_to_others(with_queue: &WithQueue<'_>) {
    with_queue(OPTIONS, &mut |queue, _| {
        let all = positions();
        plan(queue, [job(&all[0].0, 9, 1), job(&all[1].0, 0, 1)]);
        for failure in 1..=MAX_FAILURES {
            let job = queue.lease(&request("a", 1)).unwrap().remove(0);
            assert_eq!(job.position, all[0].0);
            let is_last = failure == MAX_FAILURES;
            let expected =
                if is_last { FailureOutcome::LeftToOthers } else { FailureOutcome::Retried };
            assert_eq!(queue.fail(&job.lease, "a", "no").unwrap(), expected);
        }
        assert_eq!(queue.counts().unwrap(), counts(2, 0, 0, 0));
        // The worker gets what comes after it.
        let left = queue.lease(&request("a", 9)).unwrap();
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].position, all[1].0);
        let other = queue.lease(&request("b", 9)).unwrap().remove(0);
        assert_eq!((&other.position, other.failures), (&all[0].0, MAX_FAILURES));
        // The failure of a second worker is enough now.
        assert_eq!(queue.fail(&other.lease, "b", "no").unwrap(), FailureOutcome::Dead);
        let turned = all[0].0.flipped();
        assert_eq!(queue.revive(&[turned.clone(), all[1].0.clone()]).unwrap(), 1);
        assert_eq!(queue.revive(&[turned]).unwrap(), 0);
        assert!(queue.dead().unwrap().is_empty());
        let again = queue.lease(&request("a", 9)).unwrap().remove(0);
        assert_eq!((&again.position, again.failures), (&all[0].0, 0));
    });
}

fn a_worker_that_fails_again_and_again_gets_no_more_jobs(with_queue: &WithQueue<'_>) {
    with_queue(QueueOptions { max_failures: 99 }, &mut |queue, _| {
        let all = positions();
        plan(queue, all.iter().map(|(position, _)| job(position, 0, 1)));
        let fail = |worker: &str| {
            let job = queue.lease(&request(worker, 1)).unwrap().remove(0);
            queue.fail(&job.lease, worker, "no").unwrap();
        };
        // A result between failures makes them count from the start.
        (1..MAX_FAILURES_IN_A_ROW).for_each(|_| fail("a"));
        let done = queue.lease(&request("a", 1)).unwrap().remove(0);
        let m = all.iter().find(|(position, _)| *position == done.position).unwrap().1;
        finish(queue, &done.lease, &result(&done.position, m));
        (0..MAX_FAILURES_IN_A_ROW).for_each(|_| fail("a"));
        let refused = queue.lease(&request("a", 1)).unwrap_err();
        let failures = MAX_FAILURES_IN_A_ROW;
        let dismissed = Refusal::Dismissed { worker: "a".to_owned(), failures };
        assert!(matches!(refused, QueueError::Refused(found) if found == dismissed));
        fail("b");
    });
}

fn a_released_job_waits_without_a_failure(with_queue: &WithQueue<'_>) {
    with_queue(OPTIONS, &mut |queue, clock| {
        let all = positions();
        plan(queue, [job(&all[0].0, 0, 1), job(&all[1].0, 0, 1), job(&all[2].0, 0, 1)]);
        let first = queue.lease(&request("a", 3)).unwrap();
        let leases: Vec<Lease> = first.iter().map(|job| job.lease.clone()).collect();
        finish(queue, &leases[2], &result(&all[2].0, all[2].1));
        queue.release(&leases[1..]).unwrap();
        assert_eq!(queue.counts().unwrap(), counts(1, 1, 1, 0));
        let again = queue.lease(&request("b", 3)).unwrap();
        assert_eq!((again.len(), again[0].failures, again[0].expiries), (1, 0, 0));
        // A lease that has ended takes no job from another worker.
        queue.release(&leases).unwrap();
        assert_eq!(queue.counts().unwrap(), counts(1, 1, 1, 0));
        // All leases of a process are prolonged in one call.
        let leases = [leases[0].clone(), again[0].lease.clone(), leases[2].clone()];
        clock(50);
        let states = queue.heartbeat(&leases, 100).unwrap();
        assert_eq!(states, [LeaseState::Lost, LeaseState::Held, LeaseState::Lost]);
        clock(149);
        assert_eq!(queue.expire().unwrap(), 0);
        clock(150);
        assert_eq!(queue.expire().unwrap(), 1);
    });
}

fn a_plan_changes_by_differences(with_queue: &WithQueue<'_>) {
    with_queue(OPTIONS, &mut |queue, _| {
        let all = positions();
        let at = |index: usize, priority| job(&all[index].0, priority, 1);
        plan(queue, [at(0, 50), at(1, 40), at(2, 30), at(3, 20), at(4, 10)]);
        let leased = queue.lease(&request("a", 2)).unwrap();
        finish(queue, &leased[0].lease, &result(&all[0].0, all[0].1));
        let changes = PlanChanges {
            wanted: vec![at(2, 5), at(4, 60), at(3, 20), at(5, 0)],
            // One is done, one leased, one waits, one is unknown.
            withdrawn: [0, 1, 3, 7].map(|index| all[index].0.flipped()).to_vec(),
        };
        let planned = queue.plan(&changes).unwrap();
        let expected = Planned { added: 2, raised: 1, lowered: 1, withdrawn: 1, ..planned };
        assert_eq!(planned, expected);
        assert_eq!((planned.extended, planned.unchanged, planned.unheld), (0, 0, 0));
        assert_eq!(queue.counts().unwrap(), counts(4, 1, 1, 0));
        let order: Vec<_> = queue.waiting(9).unwrap();
        let order: Vec<_> =
            order.iter().map(|job| (job.position.to_string(), job.priority)).collect();
        let of = |index: usize, priority| (all[index].0.to_string(), priority);
        assert_eq!(order, [of(4, 60), of(3, 20), of(2, 5), of(5, 0)]);
        assert_eq!(queue.waiting(1).unwrap().len(), 1);
        // A leased job keeps its lease, and has the new priority when it waits again.
        assert_eq!(plan(queue, [at(1, 1)]).lowered, 1);
        assert_eq!(heartbeat(queue, &leased[1].lease), LeaseState::Held);
        queue.release(&[leased[1].lease.clone()]).unwrap();
        let leased = queue.lease(&request("a", 9)).unwrap();
        let order: Vec<_> = leased.iter().map(|job| job.position.to_string()).collect();
        assert_eq!(order, [4, 3, 2, 1, 5].map(|index| all[index].0.to_string()));
        // What was done and is withdrawn while it waits again is forgotten.
        assert_eq!(plan(queue, [job(&all[0].0, 0, 2)]).extended, 1);
        let withdrawn = PlanChanges::withdrawn(vec![all[0].0.clone()]);
        assert_eq!(queue.plan(&withdrawn).unwrap().withdrawn, 1);
        assert_eq!(queue.counts().unwrap(), counts(0, 5, 0, 0));
        assert_eq!(plan(queue, [job(&all[0].0, 0, 1)]).added, 1);
    });
}

fn another_plan_does_not_lower_a_job(with_queue: &WithQueue<'_>) {
    with_queue(OPTIONS, &mut |queue, _| {
        let (position, _) = positions().remove(0);
        let of = |generation, engine: &str, priority| {
            let settings = JobSettings {
                generation,
                engine: engine.to_owned(),
                ..job(&position, 0, 9).settings
            };
            NewJob { settings, ..job(&position, priority, 9) }
        };
        let priority = || queue.waiting(1).unwrap()[0].priority;
        plan(queue, [of(1, "x", 5)]);
        assert_eq!(plan(queue, [of(0, "", -3)]).unchanged, 1);
        assert_eq!(plan(queue, [of(0, "x", 0)]).unchanged, 1);
        assert_eq!(priority(), 5);
        assert_eq!(plan(queue, [of(0, "", 7)]).raised, 1);
        assert_eq!(plan(queue, [of(1, "x", -2)]).lowered, 1);
        assert_eq!(priority(), -2);
        // The raised settings are those of the later plan.
        assert_eq!(plan(queue, [of(2, "y", -9)]).extended, 1);
        assert_eq!(priority(), -2);
        assert_eq!(plan(queue, [of(2, "y", -9)]).lowered, 1);
        assert_eq!(priority(), -9);
    });
}

fn results_stay_in_the_outbox_until_they_are_merged(with_queue: &WithQueue<'_>) {
    with_queue(OPTIONS, &mut |queue, clock| {
        let all = positions();
        plan(queue, all[..5].iter().map(|(position, _)| job(position, 0, 1)));
        let leased = queue.lease(&request("a", 5)).unwrap();
        let finished = |index: usize| {
            let result = LoggedAnalysis {
                when: 1_700_000_000,
                host: format!("host {index}"),
                ..result(&all[index].0, all[index].1)
            };
            FinishedJob { lease: leased[index].lease.clone(), result }
        };
        assert!(queue.results(9).unwrap().is_empty());
        // One call, an outcome for each; a repeated result is stored once.
        let mut illegal = finished(2);
        illegal.result = result(&all[2].0, "5a5b".parse().unwrap());
        let outcomes = queue.finish(&[finished(3), finished(1), illegal, finished(3)]).unwrap();
        assert_eq!(outcomes[..2], [Completion::Accepted, Completion::Accepted]);
        assert!(matches!(outcomes[2], Completion::Refused(Refusal::Entry(_))));
        assert_eq!(outcomes[3..], [Completion::AlreadyDone]);
        assert_eq!(queue.counts().unwrap(), counts(0, 3, 2, 0));
        clock(100);
        assert_eq!(queue.expire().unwrap(), 3);
        assert_eq!(queue.finish(&[finished(0)]).unwrap(), [Completion::AcceptedLate]);
        let results = queue.results(9).unwrap();
        let stored: Vec<_> = results.iter().map(|queued| queued.result.clone()).collect();
        assert_eq!(stored, [3, 1, 0].map(|index| finished(index).result));
        assert_eq!(results[0].worker, "a");
        assert!(results.windows(2).all(|pair| pair[0].id < pair[1].id));
        assert_eq!(queue.results(2).unwrap(), results[..2]);
        queue.merged(&[results[1].id]).unwrap();
        queue.merged(&[results[1].id]).unwrap();
        let left: Vec<_> = queue.results(9).unwrap().iter().map(|queued| queued.id).collect();
        assert_eq!(left, [results[0].id, results[2].id]);
        queue.merged(&left).unwrap();
        assert!(queue.results(9).unwrap().is_empty());
        assert_eq!(queue.counts().unwrap().done, 3);
    });
}

fn a_result_of_another_analyst_is_refused(with_queue: &WithQueue<'_>) {
    with_queue(OPTIONS, &mut |queue, _| {
        let (position, m) = positions().remove(0);
        let named = |engine: &str| JobSettings {
            engine: engine.to_owned(),
            multi_pv: 2,
            ..job(&position, 0, 1).settings
        };
        plan(queue, [NewJob { settings: named("other 1 (MultiPV=9)"), ..job(&position, 0, 1) }]);
        let lease = queue.lease(&request("a", 1)).unwrap().remove(0).lease;
        let by = |name: &str, options: &str| LoggedAnalysis {
            analyst: AnalystId { options: options.to_owned(), ..AnalystId::new(name, "1") },
            ..result(&position, m)
        };
        for (name, options) in [("engine", "MultiPV=9"), ("other", "X=1"), ("others", "")] {
            let alien = by(name, options);
            let expected = "other 1 (MultiPV=9)".to_owned();
            let refusal = Refusal::OtherAnalyst { found: alien.analyst.clone(), expected };
            assert_eq!(finish(queue, &lease, &alien), Completion::Refused(refusal));
            assert_eq!(queue.counts().unwrap(), counts(0, 1, 0, 0));
        }
        // The number of lines is that of the job.
        assert_eq!(finish(queue, &lease, &by("other", "MultiPV=2")), Completion::Accepted);
    });
}

fn what_is_asked_for_meanwhile_is_done_afterwards(with_queue: &WithQueue<'_>) {
    with_queue(OPTIONS, &mut |queue, _| {
        let (position, m) = positions().remove(0);
        let results = result(&position, m);
        plan(queue, [job(&position, 0, 1)]);
        let first = queue.lease(&request("a", 1)).unwrap().remove(0);
        assert_eq!(plan(queue, [job(&position, 0, 500)]).extended, 1);
        let completion = finish(queue, &first.lease, &results);
        assert_eq!(completion, Completion::Accepted);
        assert_eq!(queue.counts().unwrap(), counts(1, 0, 0, 0));
        let second = queue.lease(&request("a", 1)).unwrap().remove(0);
        assert_eq!(second.settings.nodes, Some(500));
        assert_eq!(finish(queue, &first.lease, &results), Completion::AlreadyDone);
        assert_eq!(finish(queue, &second.lease, &results), Completion::Accepted);
        assert_eq!(queue.counts().unwrap(), counts(0, 0, 1, 0));
        // Another engine is asked for with a higher generation.
        let mut refresh = job(&position, 0, 1);
        refresh.settings.generation = 1;
        refresh.settings.engine = "new".into();
        assert_eq!(plan(queue, [refresh]).extended, 1);
        let third = queue.lease(&request("a", 1)).unwrap().remove(0);
        assert_eq!((third.settings.engine.as_str(), third.settings.nodes), ("new", Some(500)));
    });
}

fn positions_that_a_book_cannot_hold_are_passed_over_and_counted(with_queue: &WithQueue<'_>) {
    with_queue(OPTIONS, &mut |queue, _| {
        let all = positions();
        // A king is missing, and 32 bytes do not hold the last bit.
        let unheld =
            Position::from_sfen("6B2/2rrl3B/2n2lnk1/g3pp2p/3l4n/2lp5/g5p2/9/7+p1 w Gg4sn12p 8");
        let unheld = unheld.unwrap();
        assert!(PositionKey::of(&unheld).is_err());
        let jobs = [job(&unheld, 9, 1), job(&all[0].0, 0, 1), job(&unheld.flipped(), 0, 1)];
        let planned = plan(queue, jobs.clone());
        assert_eq!((planned.added, planned.unheld), (1, 2));
        assert_eq!(queue.counts().unwrap(), counts(1, 0, 0, 0));
        assert_eq!(queue.lease(&request("w", 9)).unwrap().len(), 1);
        let planned = plan(queue, [job(&unheld, 9, 1)]);
        assert_eq!(planned, Planned { unheld: 1, ..Planned::default() });
    });
}

fn a_worker_gets_the_jobs_of_its_engine_and_those_of_any(with_queue: &WithQueue<'_>) {
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
    with_queue(OPTIONS, &mut |queue, clock| {
        let all = positions();
        let mut now = 0;
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
        assert_eq!(plan(queue, jobs.clone()).added, table.len());
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
            now += 100;
            clock(now);
            assert_eq!(queue.expire().unwrap(), leased.len());
        }
        // One that starts the engine of each job gets all.
        assert_eq!(queue.lease(&request("w", 99)).unwrap().len(), table.len());
        assert!(queue.waiting_by_engine().unwrap().is_empty());
    });
}

fn what_another_engine_is_to_analyse_is_not_done_by_this_one(with_queue: &WithQueue<'_>) {
    with_queue(OPTIONS, &mut |queue, _| {
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
            queue.release(&[leased[0].lease.clone()]).unwrap();
            leased.first().map(|job| job.settings.engine.clone())
        };
        plan(queue, [by("", 5)]);
        let lease = queue.lease(&request("w", 1)).unwrap().remove(0).lease;
        finish(queue, &lease, &result(&position, m));
        // The analysis by any engine is none by this one.
        assert_eq!(plan(queue, [by("x", 5)]).extended, 1);
        assert_eq!(engine_of(queue).as_deref(), Some("x"));
        // Who leaves the engine open is content with it, and does not take the job from it.
        assert_eq!(plan(queue, [by("", 5)]).unchanged, 1);
        assert_eq!(plan(queue, [by("", 9)]).extended, 1);
        assert_eq!(engine_of(queue).as_deref(), Some("x"));
        // Of two engines with the same generation, the later one counts.
        assert_eq!(plan(queue, [by("y", 1)]).extended, 1);
        assert_eq!(engine_of(queue).as_deref(), Some("y"));
        assert_eq!(queue.lease(&request("w", 1)).unwrap()[0].settings.nodes, Some(9));
    });
}

fn nonsense_is_refused_and_changes_nothing(with_queue: &WithQueue<'_>) {
    with_queue(OPTIONS, &mut |queue, _| {
        let all = positions();
        let (position, _) = &all[0];
        plan(queue, [job(position, 0, 1)]);
        let lease = queue.lease(&request("a", 1)).unwrap().remove(0).lease;
        let outcome = finish(queue, &lease, &result(position, "3c3d".parse().unwrap()));
        let illegal =
            matches!(&outcome, Completion::Refused(Refusal::Entry(EntryError::IllegalMove { .. })));
        assert!(illegal, "{outcome:?}");
        let outcome = finish(queue, &lease, &result(&all[1].0, all[1].1));
        let found = all[1].0.to_string();
        assert_eq!(outcome, Completion::Refused(Refusal::OtherPosition { found }));
        assert_eq!(queue.counts().unwrap(), counts(0, 1, 0, 0));
        let unknown = Lease { job: PositionKey::of(&all[3].0).unwrap().packed(), ..lease };
        assert_eq!(queue.fail(&unknown, "a", "").unwrap(), FailureOutcome::Stale);
        assert_eq!(heartbeat(queue, &unknown), LeaseState::Lost);
        queue.release(std::slice::from_ref(&unknown)).unwrap();
        let outcome = finish(queue, &unknown, &result(&all[3].0, all[3].1));
        assert_eq!(outcome, Completion::Refused(Refusal::UnknownJob));
        assert!(queue.results(9).unwrap().is_empty());
        assert_eq!(queue.counts().unwrap(), counts(0, 1, 0, 0));
    });
}
