//! Results that are late, doubled, of somebody else or damaged.

use std::collections::HashSet;

use komadai_book::LoggedAnalysis;
use komadai_book::queue::{
    Completion, FailureOutcome, FinishedJob, JobCounts, JobQueue as _, JobSettings, JobSource as _,
    Lease, LeaseRequest, LeaseState, LeasedJob, NewJob, PlanChanges, QueueError, Refusal,
};
use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Analysis, AnalystId, Line, Position, Pv, Score};
use komadai_farm::{FarmQueue, wire};
use komadai_movegen::{MoveList, generate_legal};

use crate::cluster::{TestSchema, set_clock, with_schema};

/// The first positions after the start, each once.
pub(crate) fn positions(count: usize) -> Vec<Position> {
    let start = Position::hirate();
    let mut seen = HashSet::from([PositionKey::of(&start).unwrap()]);
    let mut found = vec![start];
    let mut at = 0;
    while found.len() < count {
        let position = found[at].clone();
        at += 1;
        let mut moves = MoveList::new();
        generate_legal(&position, &mut moves);
        let next = (&moves).into_iter().map(|m| position.after(m).without_history());
        found.extend(next.filter(|position| seen.insert(PositionKey::of(position).unwrap())));
    }
    found.truncate(count);
    found
}

pub(crate) fn plan(queue: &FarmQueue, positions: &[Position]) {
    let settings = JobSettings { nodes: Some(1_000), ..JobSettings::default() };
    let job = |position: &Position| NewJob {
        position: position.clone(),
        priority: 0,
        settings: settings.clone(),
    };
    let changes = PlanChanges::wanted(positions.iter().map(job).collect());
    assert_eq!(queue.plan(&changes).unwrap().added, positions.len());
}

pub(crate) fn request(worker: &str, count: usize) -> LeaseRequest {
    LeaseRequest { worker: worker.to_owned(), analyst: None, count, duration_ms: 60_000 }
}

pub(crate) fn finished(job: &LeasedJob) -> FinishedJob {
    let mut moves = MoveList::new();
    generate_legal(&job.position, &mut moves);
    let pv: Pv = (&moves).into_iter().take(1).collect();
    let analysis = Analysis {
        lines: vec![Line::exact(Score::cp(7), pv)],
        nodes: 1_234,
        ..Analysis::default()
    };
    let result = LoggedAnalysis::new(job.position.clone(), analysis, AnalystId::new("engine", "1"));
    FinishedJob { lease: job.lease.clone(), result }
}

fn counts(waiting: u64, leased: u64, done: u64, dead: u64) -> JobCounts {
    JobCounts { waiting, leased, done, dead }
}

/// The schema with a role for a second person.
pub(crate) fn other_worker(schema: &TestSchema) -> FarmQueue {
    let name = format!("{}_x", schema.name);
    komadai_farm::Schema::of(&schema.owner).add_worker(&name, None).unwrap();
    FarmQueue::open(&schema.worker.clone().for_user(name), "other-host").unwrap()
}

#[test]
fn a_result_that_is_sent_again_is_known() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        plan(&coordinator, &positions(2));
        let jobs = worker.lease(&request("a", 2)).unwrap();
        let results: Vec<_> = jobs.iter().map(finished).collect();
        // In one call as well.
        let thrice = [results[0].clone(), results[1].clone(), results[0].clone()];
        use Completion::{Accepted, AlreadyDone};
        assert_eq!(worker.finish(&thrice).unwrap(), [Accepted, Accepted, AlreadyDone]);
        // By a program that was started again.
        assert_eq!(schema.worker().finish(&results).unwrap(), [AlreadyDone, AlreadyDone]);
        assert_eq!(coordinator.counts().unwrap(), counts(0, 0, 2, 0));
        let stored = coordinator.results(9).unwrap();
        assert_eq!(
            stored.iter().map(|queued| &queued.result).collect::<Vec<_>>(),
            [&results[0].result, &results[1].result]
        );
        assert!(stored.iter().all(|queued| queued.worker == "a"));
        coordinator.merged(&[stored[0].id]).unwrap();
        assert_eq!(coordinator.results(9).unwrap(), stored[1..]);
        let workers = coordinator.workers().unwrap();
        let row = workers.iter().find(|row| row.name == "a").unwrap();
        assert_eq!((row.finished, row.nodes, row.leased), (2, 2_468, 0));
        assert_eq!((row.role.as_str(), row.host.as_str()), (schema.worker.user(), "test-host"));
    });
}

#[test]
fn nobody_acts_with_the_lease_of_another_person() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        let other = other_worker(schema);
        plan(&coordinator, &positions(1));
        let job = worker.lease(&request("a", 1)).unwrap().remove(0);
        // With the number of the lease, and with a wrong one.
        let wrong = Lease { number: job.lease.number ^ 1, ..job.lease.clone() };
        for (queue, lease) in [(&other, &job.lease), (&worker, &wrong), (&other, &wrong)] {
            assert_eq!(
                queue.heartbeat(std::slice::from_ref(lease), 9_999).unwrap(),
                [LeaseState::Lost]
            );
            assert_eq!(queue.fail(lease, "a", "no").unwrap(), FailureOutcome::Stale);
            queue.release(std::slice::from_ref(lease)).unwrap();
            assert_eq!(coordinator.counts().unwrap(), counts(0, 1, 0, 0));
        }
        assert_eq!(
            worker.heartbeat(std::slice::from_ref(&job.lease), 60_000).unwrap(),
            [LeaseState::Held]
        );
        // Another person's result for the job counts as late: the first result counts, and the role is noted.
        let result = FinishedJob { lease: wrong, ..finished(&job) };
        assert_eq!(other.finish(&[result]).unwrap(), [Completion::AcceptedLate]);
        assert_eq!(worker.finish(&[finished(&job)]).unwrap(), [Completion::AlreadyDone]);
        let mut admin = schema.admin();
        let role: String = admin
            .query_one("select w.role::text from result r join worker w on w.id = r.worker", &[])
            .unwrap()
            .get(0);
        assert_eq!(role, format!("{}_x", schema.name));
        // Nor in the name of another person's worker.
        let number: i64 = admin
            .query_one(
                "select id from worker where name = 'a' and role = $1::text::name",
                &[&schema.worker.user()],
            )
            .unwrap()
            .get(0);
        let mut client = schema.client(&role);
        let error =
            client.query("select * from claim($1, 0, null, 1, 1000)", &[&number]).unwrap_err();
        assert_eq!(error.code().map(|code| code.code()), Some("KM001"));
    });
}

#[test]
fn a_result_for_an_older_revision_counts_for_that_revision_only() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        let position = positions(1);
        plan(&coordinator, &position);
        let first = worker.lease(&request("a", 1)).unwrap().remove(0);
        let settings = JobSettings { nodes: Some(5_000), ..JobSettings::default() };
        let raised = NewJob { position: position[0].clone(), priority: 3, settings };
        assert_eq!(coordinator.plan(&PlanChanges::wanted(vec![raised])).unwrap().extended, 1);
        assert_eq!(worker.finish(&[finished(&first)]).unwrap(), [Completion::Accepted]);
        assert_eq!(coordinator.counts().unwrap(), counts(1, 0, 0, 0));
        let second = worker.lease(&request("a", 1)).unwrap().remove(0);
        assert_eq!(
            (second.lease.revision, second.settings.nodes, second.priority),
            (1, Some(5_000), 3)
        );
        let future = Lease { revision: 7, ..second.lease.clone() };
        let result = FinishedJob { lease: future, ..finished(&second) };
        assert_eq!(worker.finish(&[result]).unwrap(), [Completion::Refused(Refusal::UnknownJob)]);
        assert_eq!(worker.finish(&[finished(&second)]).unwrap(), [Completion::Accepted]);
        assert_eq!(worker.finish(&[finished(&first)]).unwrap(), [Completion::AlreadyDone]);
        assert_eq!(coordinator.results(9).unwrap().len(), 2);
    });
}

#[test]
fn what_cannot_be_used_is_refused_or_put_aside() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        plan(&coordinator, &positions(3));
        let jobs = worker.lease(&request("a", 3)).unwrap();
        // Too long, before it is sent.
        let mut long = finished(&jobs[0]);
        long.result.analysis.lines = vec![long.result.analysis.lines[0].clone(); 20_000];
        let refusal = worker.finish(&[long]).unwrap().remove(0);
        let Completion::Refused(Refusal::Other { reason }) = refusal else { panic!("{refusal:?}") };
        assert!(reason.contains("expected at most 65536"), "{reason}");
        // Of another position.
        let other = FinishedJob { lease: jobs[1].lease.clone(), ..finished(&jobs[0]) };
        let refusal = worker.finish(&[other]).unwrap().remove(0);
        assert!(
            matches!(refusal, Completion::Refused(Refusal::OtherPosition { .. })),
            "{refusal:?}"
        );
        assert_eq!(coordinator.counts().unwrap(), counts(0, 3, 0, 0));

        // By a program that checks nothing.
        let mut client = schema.client(schema.worker.user());
        let mut send = |job: &LeasedJob, format: i32, payload: &[u8]| {
            let worker: i64 = client.query_one("select hello(1, 'x', 'a', 'h')", &[])?.get(0);
            let analyst: i32 =
                client.query_one("select analyst_number('engine', '1', '')", &[])?.get(0);
            let key = job.lease.job.as_bytes().as_slice();
            let engine: i32 =
                client.query_one("select engine from wishes($1)", &[&vec![key]])?.get(0);
            let sql = "select * from finish($1, $2, $3, $4, $5, $6, $7, $8, $9)";
            let row = client.query_one(
                sql,
                &[
                    &vec![worker],
                    &vec![key],
                    &vec![job.lease.number.cast_signed()],
                    &vec![0],
                    &vec![engine],
                    &vec![analyst],
                    &vec![format],
                    &vec![payload],
                    &vec![1_i64],
                ],
            )?;
            Ok::<i32, postgres::Error>(row.get(0))
        };
        let good = wire::encode(&finished(&jobs[0]).result).unwrap();
        for format in [0, 2, -1] {
            let error = send(&jobs[0], format, &good).unwrap_err();
            assert_eq!(error.code().map(|code| code.code()), Some("KM003"), "{error}");
        }
        let error = send(&jobs[0], 1, &vec![1; 65_537]).unwrap_err();
        assert_eq!(error.code(), Some(&postgres::error::SqlState::CHECK_VIOLATION), "{error}");
        assert_eq!(coordinator.counts().unwrap(), counts(0, 3, 0, 0));
        // Damaged, of another format, with an illegal move, of another position: found when it is merged.
        let mut illegal = finished(&jobs[2]).result;
        illegal.analysis.lines[0].pv = ["5e5d".parse().unwrap()].into_iter().collect();
        let illegal = wire::encode(&illegal).unwrap();
        for (job, payload) in
            [(&jobs[0], &good[..9]), (&jobs[1], &good[..]), (&jobs[2], &illegal[..])]
        {
            assert_eq!(send(job, 1, payload).unwrap(), 0);
        }
        assert_eq!(coordinator.counts().unwrap(), counts(0, 0, 3, 0));
        assert_eq!(coordinator.results(9).unwrap(), []);
        let status = coordinator.status().unwrap();
        assert_eq!((status.jobs, status.refused, status.unmerged), (counts(3, 0, 0, 0), 3, 0));
        let failures = coordinator.failures(9).unwrap();
        let reasons: Vec<_> = failures.iter().map(|failure| failure.reason.as_str()).collect();
        assert_eq!(reasons.len(), 3);
        assert!(reasons[2].starts_with("found a damaged result"), "{reasons:?}");
        assert!(reasons[1].starts_with("found a result for"), "{reasons:?}");
        assert!(reasons[0].contains("5e5d"), "{reasons:?}");
        // The jobs can be done again.
        let again = schema.worker().lease(&request("b", 9)).unwrap();
        assert_eq!(again.len(), 3);
        let results: Vec<_> = again.iter().map(finished).collect();
        assert_eq!(worker.finish(&results).unwrap(), vec![Completion::Accepted; 3]);
        assert_eq!(coordinator.results(9).unwrap().len(), 3);
    });
}

#[test]
fn dead_jobs_are_dropped_and_a_pause_stops_claims() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        plan(&coordinator, &positions(4));
        coordinator.set_options(Some(2), None).unwrap();
        for name in ["a", "b"] {
            for job in worker.lease(&request(name, 2)).unwrap() {
                worker.fail(&job.lease, name, "crash\0").unwrap();
            }
        }
        assert_eq!(coordinator.counts().unwrap(), counts(2, 0, 0, 2));
        let dead = coordinator.dead().unwrap();
        assert!(dead.iter().all(|job| job.reason == "crash "));
        assert_eq!(coordinator.drop_dead(Some(&[dead[0].position.clone()])).unwrap(), 1);
        assert_eq!(coordinator.revive_all().unwrap(), 1);
        assert_eq!(coordinator.counts().unwrap(), counts(3, 0, 0, 0));
        coordinator.pause().unwrap();
        assert!(coordinator.status().unwrap().is_paused);
        assert!(worker.lease(&request("a", 9)).unwrap().is_empty());
        coordinator.resume().unwrap();
        assert_eq!(worker.lease(&request("a", 9)).unwrap().len(), 3);
    });
}

#[test]
fn processes_of_a_machine_are_one_where_jobs_fail() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        let mut clock = schema.with_test_clock();
        let all = positions(2);
        plan(&coordinator, &all);
        let lease = |name| worker.lease(&request(name, 1)).unwrap().pop();
        let fail = |name| {
            let job = lease(name)?;
            let outcome = worker.fail(&job.lease, name, "crash").unwrap();
            Some((job.position == all[0], outcome))
        };
        assert_eq!(fail("pc#1"), Some((true, FailureOutcome::Retried)));
        assert_eq!(fail("pc#2"), Some((true, FailureOutcome::Retried)));
        assert_eq!(fail("pc#3"), Some((true, FailureOutcome::LeftToOthers)));
        // The fourth of them gets the other job.
        let second = lease("pc#4").unwrap();
        assert_eq!(second.position, all[1]);
        assert_eq!(coordinator.counts().unwrap(), counts(1, 1, 0, 0));
        // Another machine was there at the start.
        assert!(worker.lease(&request("other#1", 0)).unwrap().is_empty());
        set_clock(&mut clock, 599_999);
        coordinator.expire().unwrap();
        assert_eq!(coordinator.counts().unwrap().dead, 0);
        set_clock(&mut clock, 600_000);
        coordinator.expire().unwrap();
        assert_eq!(coordinator.counts().unwrap(), counts(1, 0, 0, 1));
        assert_eq!(coordinator.dead().unwrap()[0].reason, "crash");
        assert_eq!(coordinator.revive_all().unwrap(), 1);
        // A machine that is at work may do it later.
        let first = lease("pc#5").unwrap();
        let busy = lease("other#1").unwrap();
        assert_eq!((&first.position, &busy.position), (&all[0], &all[1]));
        worker.fail(&first.lease, "pc#5", "crash").unwrap();
        assert_eq!(fail("pc#5"), Some((true, FailureOutcome::Retried)));
        assert_eq!(fail("pc#5"), Some((true, FailureOutcome::LeftToOthers)));
        for seconds in [650, 700, 1_200, 1_799] {
            set_clock(&mut clock, seconds * 1_000);
            worker.heartbeat(std::slice::from_ref(&busy.lease), 1_000_000).unwrap();
            coordinator.expire().unwrap();
            assert_eq!(coordinator.counts().unwrap(), counts(1, 1, 0, 0));
        }
        // Failures of two machines are enough at once.
        let job = lease("other#2").unwrap();
        assert_eq!(job.position, all[0]);
        let outcome = worker.fail(&job.lease, "other#2", "crash").unwrap();
        assert_eq!(outcome, FailureOutcome::Dead);
    });
}

#[test]
fn there_is_one_coordinator() {
    with_schema(|schema| {
        let first = FarmQueue::open_as_coordinator(&schema.coordinator, "one").unwrap();
        let second = FarmQueue::open_as_coordinator(&schema.coordinator, "two").unwrap_err();
        assert!(matches!(&second, QueueError::Refused(_)), "{second}");
        assert!(second.to_string().contains("another program is the coordinator"), "{second}");
        drop(first);
        // The server notices the end of a connection in its own time.
        let third = (0..100).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            FarmQueue::open_as_coordinator(&schema.coordinator, "two").ok()
        });
        assert!(third.is_some());
    });
}
