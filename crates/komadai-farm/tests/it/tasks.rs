//! Tasks: leases, reports, failures.

use std::time::Duration;

use komadai_book::queue::{Completion, FailureOutcome, LeaseState, QueueError, Refusal};
use komadai_farm::{FarmQueue, LeasedTask, MAX_REPORT, NewTask, TaskState};

use crate::cluster::{Cluster, Options, set_clock, with_schema};
use crate::results::other_worker;

const LEASE: Duration = Duration::from_secs(60);

fn new_tasks(numbers: std::ops::Range<u64>) -> Vec<NewTask> {
    numbers.map(|number| NewTask { number, spec: format!("spec {number}") }).collect()
}

fn claim(queue: &FarmQueue, worker: &str) -> Option<LeasedTask> {
    queue.claim_task(worker, &["b".into(), "a".into()], LEASE).unwrap()
}

/// The states of the tasks of the run `run`, a letter each.
fn states(coordinator: &FarmQueue) -> String {
    let letter = |state: &TaskState| match state {
        TaskState::Waiting => 'w',
        TaskState::Leased { .. } => 'l',
        TaskState::Done { .. } => 'd',
        TaskState::Dead { .. } => 'x',
    };
    coordinator.tasks("run").unwrap().iter().map(|task| letter(&task.state)).collect()
}

#[test]
fn tasks_are_planned_once_and_leased_by_kind_in_their_order() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        assert_eq!(coordinator.plan_tasks("run", "a", &new_tasks(0..2_500)).unwrap(), 2_500);
        assert_eq!(coordinator.plan_tasks("run", "a", &new_tasks(0..2_503)).unwrap(), 3);
        assert_eq!(coordinator.plan_tasks("other", "c", &new_tasks(0..1)).unwrap(), 1);
        // Another task of the same number changes nothing, also where it is one of many.
        let mut others = new_tasks(2_400..2_600);
        others[50].spec.push('!');
        for (kind, tasks) in [("a", &others[..]), ("b", &new_tasks(7..8))] {
            let error = coordinator.plan_tasks("run", kind, tasks).unwrap_err();
            assert!(!error.is_temporary(), "{error}");
            assert!(error.to_string().contains("is there already"), "{error}");
        }
        let huge = NewTask { number: u64::MAX, spec: String::new() };
        assert!(coordinator.plan_tasks("run", "a", &[huge]).is_err());
        let tasks = coordinator.tasks("run").unwrap();
        assert_eq!(tasks.len(), 2_503);
        assert!((0..).zip(&tasks).all(|(number, task)| task.number == number
            && task.kind == "a"
            && task.spec == format!("spec {number}")
            && task.state == TaskState::Waiting));

        assert_eq!(worker.claim_task("w", &[], LEASE).unwrap(), None);
        assert_eq!(worker.claim_task("w", &["d".into()], LEASE).unwrap(), None);
        assert_eq!(worker.task_kinds().unwrap(), ["a", "c"]);
        let first = claim(&worker, "w").unwrap();
        let second = claim(&worker, "v").unwrap();
        assert_eq!((first.run.as_str(), first.kind.as_str()), ("run", "a"));
        assert_eq!((first.number, second.number), (0, 1));
        assert_eq!(first.spec, "spec 0");
        assert_eq!(coordinator.workers().unwrap()[0].leased, 1);
        coordinator.pause().unwrap();
        assert_eq!(claim(&worker, "w"), None);
        coordinator.resume().unwrap();
        // What is given back is the first again.
        worker.release_task(&first.lease).unwrap();
        assert_eq!(claim(&worker, "v").unwrap().number, 0);

        assert_eq!(coordinator.drop_tasks("run").unwrap(), 2_503);
        assert_eq!(coordinator.tasks("run").unwrap(), []);
        assert_eq!(coordinator.tasks("other").unwrap().len(), 1);
        let completion = worker.finish_task("v", &second.lease, "").unwrap();
        assert_eq!(completion, Completion::Refused(Refusal::UnknownJob));
        assert_eq!(worker.extend_task(&second.lease, LEASE).unwrap(), LeaseState::Lost);
    });
}

#[test]
fn many_workers_do_each_task_once() {
    with_schema(|schema| {
        let coordinator = schema.coordinator();
        coordinator.plan_tasks("run", "a", &new_tasks(0..60)).unwrap();
        let mut done: Vec<u64> = std::thread::scope(|scope| {
            let work = |name: String| {
                move || {
                    let worker = schema.worker();
                    let mut done = Vec::new();
                    while let Some(task) = claim(&worker, &name) {
                        let completion = worker.finish_task(&name, &task.lease, "r").unwrap();
                        assert_eq!(completion, Completion::Accepted);
                        done.push(task.number);
                    }
                    done
                }
            };
            let workers: Vec<_> =
                (0..6).map(|number| scope.spawn(work(format!("w{number}")))).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        done.sort_unstable();
        assert!(done.into_iter().eq(0..60));
        assert_eq!(states(&coordinator), "d".repeat(60));
    });
}

#[test]
fn the_first_report_counts() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        let mut clock = schema.with_test_clock();
        coordinator.plan_tasks("run", "a", &new_tasks(0..2)).unwrap();
        let slow = claim(&worker, "slow").unwrap();
        set_clock(&mut clock, 50_000);
        assert_eq!(worker.extend_task(&slow.lease, LEASE).unwrap(), LeaseState::Held);
        set_clock(&mut clock, 109_999);
        assert_eq!(states(&coordinator), "lw");
        // The lease ends; another worker gets the task, and the first one is done before it.
        set_clock(&mut clock, 110_000);
        assert_eq!(states(&coordinator), "ww");
        assert_eq!(worker.extend_task(&slow.lease, LEASE).unwrap(), LeaseState::Lost);
        let quick = claim(&worker, "quick").unwrap();
        assert_eq!((quick.number, quick.lease == slow.lease), (0, false));
        let end = |worker_name, task: &LeasedTask, report| {
            worker.finish_task(worker_name, &task.lease, report).unwrap()
        };
        assert_eq!(end("slow", &slow, "first"), Completion::AcceptedLate);
        assert_eq!(end("quick", &quick, "second"), Completion::AlreadyDone);
        assert_eq!(end("slow", &slow, "third"), Completion::AlreadyDone);
        // What has ended neither fails nor is given back.
        let failed = worker.fail_task("quick", &quick.lease, "no").unwrap();
        assert_eq!(failed, FailureOutcome::Stale);
        worker.release_task(&quick.lease).unwrap();
        let tasks = coordinator.tasks("run").unwrap();
        let expected = TaskState::Done { worker: "slow".into(), report: "first".into() };
        assert_eq!(tasks[0].state, expected);
        // Until somebody asks for it again.
        assert_eq!(coordinator.redo_tasks("run", &[0, 1, 99]).unwrap(), 1);
        assert_eq!(states(&coordinator), "ww");
        let again = claim(&worker, "quick").unwrap();
        assert_eq!(end("quick", &again, "fourth"), Completion::Accepted);
        // Too long a report is refused, and the task is kept.
        let last = claim(&worker, "quick").unwrap();
        let error =
            worker.finish_task("quick", &last.lease, &"r".repeat(MAX_REPORT + 1)).unwrap_err();
        assert!(!error.is_temporary(), "{error}");
        assert_eq!(states(&coordinator), "dl");
    });
}

#[test]
fn nobody_touches_the_lease_of_another_person() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        let other = other_worker(schema);
        coordinator.plan_tasks("run", "a", &new_tasks(0..1)).unwrap();
        let task = claim(&worker, "w").unwrap();
        assert_eq!(other.extend_task(&task.lease, LEASE).unwrap(), LeaseState::Lost);
        assert_eq!(other.fail_task("w", &task.lease, "no").unwrap(), FailureOutcome::Stale);
        other.release_task(&task.lease).unwrap();
        assert_eq!(states(&coordinator), "l");
        assert_eq!(worker.extend_task(&task.lease, LEASE).unwrap(), LeaseState::Held);
        assert_eq!(other.finish_task("w", &task.lease, "").unwrap(), Completion::AcceptedLate);
    });
}

#[test]
fn a_task_is_dead_when_two_workers_have_failed_at_it() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        coordinator.plan_tasks("run", "a", &new_tasks(0..3)).unwrap();
        let fail = |name| {
            let task = claim(&worker, name).unwrap();
            (task.number, worker.fail_task(name, &task.lease, "disk\0full").unwrap())
        };
        // One machine alone may be the cause.
        assert_eq!(fail("w"), (0, FailureOutcome::Retried));
        assert_eq!(fail("w"), (0, FailureOutcome::Retried));
        assert_eq!(fail("w"), (0, FailureOutcome::LeftToOthers));
        assert_eq!(fail("w"), (1, FailureOutcome::Retried));
        assert_eq!(fail("v"), (0, FailureOutcome::Dead));
        assert_eq!(states(&coordinator), "xww");
        let reason = "disk full".into();
        assert_eq!(coordinator.tasks("run").unwrap()[0].state, TaskState::Dead { reason });
        assert_eq!(fail("w"), (1, FailureOutcome::Retried));
        let error = worker.claim_task("w", &["a".into()], LEASE).unwrap_err();
        let QueueError::Refused(Refusal::Dismissed { worker: name, failures }) = error else {
            panic!("{error}")
        };
        assert_eq!((name.as_str(), failures), ("w", 5));
        // A program that starts again gets tasks again, but not the one at which it fails.
        let worker = schema.worker();
        assert_eq!(claim(&worker, "w").unwrap().number, 1);
        assert_eq!(coordinator.redo_tasks("run", &[0, 1, 2]).unwrap(), 1);
        assert_eq!(states(&coordinator), "wlw");
        assert_eq!(claim(&worker, "w").unwrap().number, 0);
    });
}

#[test]
fn reports_survive_a_crash_of_the_server() {
    let Some(mut cluster) = Cluster::start(Options::Synced) else { return };
    let schema = cluster.schema();
    let (coordinator, worker) = (schema.coordinator(), schema.worker());
    coordinator.plan_tasks("run", "a", &new_tasks(0..3)).unwrap();
    let done = claim(&worker, "w").unwrap();
    let leased = claim(&worker, "w").unwrap();
    worker.finish_task("w", &done.lease, "report").unwrap();
    cluster.kill();
    let error = worker.extend_task(&leased.lease, LEASE).unwrap_err();
    assert!(error.is_temporary(), "{error}");
    cluster.start_again();
    let (coordinator, worker) = (schema.coordinator(), schema.worker());
    assert_eq!(states(&coordinator), "dlw");
    assert_eq!(worker.extend_task(&leased.lease, LEASE).unwrap(), LeaseState::Held);
}

#[test]
fn processes_of_a_machine_are_one_where_tasks_fail() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        let mut clock = schema.with_test_clock();
        coordinator.plan_tasks("run", "a", &new_tasks(0..2)).unwrap();
        let fail = |name| {
            let task = claim(&worker, name).unwrap();
            (task.number, worker.fail_task(name, &task.lease, "crash").unwrap())
        };
        assert_eq!(fail("pc#1"), (0, FailureOutcome::Retried));
        assert_eq!(fail("pc#2"), (0, FailureOutcome::Retried));
        assert_eq!(fail("pc#1"), (0, FailureOutcome::LeftToOthers));
        assert_eq!(fail("pc#2"), (1, FailureOutcome::Retried));
        // Another machine asks for tasks of other kinds only.
        assert_eq!(worker.claim_task("other", &["c".into()], LEASE).unwrap(), None);
        set_clock(&mut clock, 599_999);
        assert_eq!(coordinator.task_reports("run", 9).unwrap(), []);
        assert_eq!(worker.claim_task("other", &["c".into()], LEASE).unwrap(), None);
        set_clock(&mut clock, 600_000);
        let dead = coordinator.task_reports("run", 9).unwrap();
        assert_eq!(dead.len(), 1);
        let expected = TaskState::Dead { reason: "crash".into() };
        assert_eq!((dead[0].number, &dead[0].state), (0, &expected));
        assert_eq!(states(&coordinator), "xw");
        let counts = coordinator.task_counts().unwrap().remove(0);
        assert_eq!((counts.run.as_str(), counts.kind.as_str()), ("run", "a"));
        assert_eq!((counts.waiting, counts.leased, counts.done, counts.dead), (1, 0, 0, 1));
    });
}

#[test]
fn what_a_machine_fails_at_waits_for_others_that_are_there() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        let mut clock = schema.with_test_clock();
        coordinator.plan_tasks("run", "a", &new_tasks(0..2)).unwrap();
        let busy = worker.claim_task("busy", &["a".into()], LEASE).unwrap().unwrap();
        for _ in 0..3 {
            let task = claim(&worker, "pc").unwrap();
            worker.fail_task("pc", &task.lease, "crash").unwrap();
        }
        for seconds in [50, 100, 150, 600, 1_200] {
            set_clock(&mut clock, seconds * 1_000);
            worker.extend_task(&busy.lease, Duration::from_secs(1_200)).unwrap();
            assert_eq!(states(&coordinator), "lw");
        }
        worker.finish_task("busy", &busy.lease, "").unwrap();
        set_clock(&mut clock, 1_799_999);
        assert_eq!(states(&coordinator), "dw");
        assert_eq!(claim(&worker, "busy").unwrap().number, 1);
    });
}

#[test]
fn reports_that_cannot_be_used_are_failures() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        coordinator.plan_tasks("run", "a", &new_tasks(0..1)).unwrap();
        let report = |name| {
            let task = claim(&worker, name)?;
            worker.finish_task(name, &task.lease, "nonsense").unwrap();
            coordinator.refuse_task("run", 0, "no\0report").unwrap();
            Some(states(&coordinator))
        };
        for _ in 0..3 {
            assert_eq!(report("w#1").as_deref(), Some("w"));
        }
        assert_eq!(report("w#2"), None);
        assert_eq!(report("v").as_deref(), Some("x"));
        // It is refused once only.
        coordinator.refuse_task("run", 0, "again").unwrap();
        coordinator.refuse_task("run", 7, "absent").unwrap();
        let reason = "no report".into();
        assert_eq!(coordinator.tasks("run").unwrap()[0].state, TaskState::Dead { reason });
        assert_eq!(coordinator.workers().unwrap().iter().map(|w| w.failures).sum::<u64>(), 4);
    });
}

#[test]
fn one_program_plans_a_run() {
    with_schema(|schema| {
        let (first, second) = (schema.coordinator(), schema.coordinator());
        first.plan_tasks("run", "a", &new_tasks(0..1)).unwrap();
        second.plan_tasks("other", "a", &new_tasks(0..1)).unwrap();
        first.plan_tasks("run", "a", &new_tasks(0..2)).unwrap();
        let error = second.plan_tasks("run", "a", &new_tasks(0..2)).unwrap_err();
        assert!(error.is_temporary(), "{error}");
        assert!(error.to_string().contains("another program has planned tasks"), "{error}");
        drop(first);
        let planned = (0..100).find_map(|_| {
            std::thread::sleep(Duration::from_millis(50));
            second.plan_tasks("run", "a", &new_tasks(0..3)).ok()
        });
        assert_eq!(planned, Some(1));
    });
}
