//! A server that is away, and workers that wait for it.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use komadai_book::queue::{Completion, JobQueue as _, JobSource as _, LeaseState, QueueError};
use komadai_farm::{FarmQueue, NewTask};

use crate::cluster::{Cluster, Options, with_schema};
use crate::results::{finished, plan, positions, request};

#[test]
fn the_queue_comes_back_with_the_server() {
    let Some(mut cluster) = Cluster::start(Options::Synced) else { return };
    let schema = cluster.schema();
    let (coordinator, worker) = (schema.coordinator(), schema.worker());
    plan(&coordinator, &positions(3));
    let jobs = worker.lease(&request("a", 2)).unwrap();
    // What is synced takes the claim with it.
    assert_eq!(worker.finish(&[finished(&jobs[0])]).unwrap(), [Completion::Accepted]);
    cluster.kill();
    let error = worker.finish(&[finished(&jobs[1])]).unwrap_err();
    assert!(error.is_temporary(), "{error}");
    // The next attempts pause, so that a farm does not come back in one moment.
    let errors: Vec<_> = (0..50).map(|_| worker.lease(&request("a", 1)).unwrap_err()).collect();
    assert!(errors.iter().all(QueueError::is_temporary), "{errors:?}");
    assert!(errors.iter().any(|error| error.to_string().contains("next attempt")), "{errors:?}");
    let error = FarmQueue::open(&schema.worker, "h").unwrap_err();
    assert!(error.is_temporary(), "{error}");
    cluster.start_again();
    let end = Instant::now() + Duration::from_secs(60);
    let completions = loop {
        match worker.finish(&[finished(&jobs[0]), finished(&jobs[1])]) {
            Err(error) if error.is_temporary() && Instant::now() < end => {
                std::thread::sleep(Duration::from_millis(20));
            }
            result => break result.unwrap(),
        }
    };
    assert_eq!(completions, [Completion::AlreadyDone, Completion::Accepted]);
    let counts = loop {
        match coordinator.counts() {
            Err(error) if error.is_temporary() && Instant::now() < end => {
                std::thread::sleep(Duration::from_millis(20));
            }
            result => break result.unwrap(),
        }
    };
    assert_eq!((counts.waiting, counts.done), (1, 2));
}

#[test]
fn leases_end_by_the_clock_of_the_server() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        plan(&coordinator, &positions(2));
        let short = komadai_book::queue::LeaseRequest { duration_ms: 300, ..request("a", 1) };
        let job = worker.lease(&short).unwrap().remove(0);
        assert_eq!(coordinator.expire().unwrap(), 0);
        let end = Instant::now() + Duration::from_secs(30);
        while coordinator.expire().unwrap() == 0 {
            assert!(Instant::now() < end);
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(
            worker.heartbeat(std::slice::from_ref(&job.lease), 99).unwrap(),
            [LeaseState::Lost]
        );
        // It is the first again, for a connection that was past it.
        let again = worker.lease(&request("b", 1)).unwrap().remove(0);
        assert_eq!((again.position, again.expiries), (job.position, 1));
    });
}

#[test]
fn a_plan_wakes_who_waits_for_it() {
    with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        assert!(!worker.wait_for_jobs(Duration::from_millis(50)).unwrap());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| worker.wait_for_jobs(Duration::from_secs(60)).unwrap());
            // Until it listens: plans without new jobs wake nobody, so each has another one.
            let all = positions(200);
            for position in all.chunks(1) {
                plan(&coordinator, position);
                if waiting.is_finished() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            assert!(waiting.join().unwrap());
        });
    });
}

#[test]
fn a_network_without_encryption_needs_leave() {
    let url: komadai_farm::FarmUrl = "postgres://a@192.0.2.1/b".parse().unwrap();
    let error = FarmQueue::open(&url, "h").unwrap_err();
    assert!(!error.is_temporary() && error.to_string().contains("sslrootcert"), "{error}");
    let encrypted: komadai_farm::FarmUrl =
        "postgres://a@192.0.2.1/b?sslrootcert=/nowhere.pem".parse().unwrap();
    let error = FarmQueue::open(&encrypted, "h").unwrap_err();
    assert!(!error.is_temporary() && error.to_string().contains("/nowhere.pem"), "{error}");
}

#[test]
fn an_outage_is_reported_once() {
    static REPORTS: Mutex<Vec<Option<String>>> = Mutex::new(Vec::new());
    let Some(mut cluster) = Cluster::start(Options::Synced) else { return };
    let schema = cluster.schema();
    let queue = schema.coordinator();
    queue.report_outages(|reason| REPORTS.lock().unwrap().push(reason.map(str::to_owned)));
    queue.counts().unwrap();
    cluster.kill();
    for _ in 0..3 {
        assert!(queue.counts().unwrap_err().is_temporary());
    }
    cluster.start_again();
    while queue.counts().is_err() {
        std::thread::sleep(Duration::from_millis(20));
    }
    // The server refuses this, so it is there.
    queue.plan_tasks("", "kind", &[NewTask { number: 0, spec: String::new() }]).unwrap_err();
    queue.counts().unwrap();
    let reports = REPORTS.lock().unwrap();
    assert!(matches!(&reports[..], [Some(reason), None] if !reason.is_empty()), "{reports:?}");
}
