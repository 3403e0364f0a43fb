//! The queue of a store keeps the contract.

use std::panic::catch_unwind;
use std::slice;
use std::sync::atomic::{AtomicU64, Ordering};

use super::contract::{TESTS, Test};
use super::*;
use crate::store::Store;
use komadai_core::Position;

fn with_queue(options: QueueOptions, test: &mut Test<'_>) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let clock = AtomicU64::new(0);
    test(&store.queue(options).by_clock(&clock), &|now_ms| clock.store(now_ms, Ordering::SeqCst));
    let results = store.queue(options).results(usize::MAX).unwrap();
    for QueuedResult { result, .. } in results {
        assert!(store.holds(&result).unwrap(), "the log has every result");
    }
}

#[test]
fn the_queue_of_a_store_keeps_the_contract() {
    for (name, test) in TESTS {
        let kept = catch_unwind(|| test(&with_queue));
        assert!(kept.is_ok(), "{name}");
    }
}

/// Leases of a file outlive the process; those of workers do not.
#[test]
fn exported_leases_stay() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let clock = AtomicU64::new(0);
    let queue = store.queue(QueueOptions::default()).by_clock(&clock);
    let moves = ["7g7f", "2g2f", "5g5f"];
    let jobs = moves.map(|m| NewJob {
        position: Position::hirate().after(m.parse().unwrap()).without_history(),
        priority: 0,
        settings: JobSettings::default(),
    });
    queue.plan(&PlanChanges::wanted(jobs.to_vec())).unwrap();
    let request = |worker: &str| LeaseRequest {
        worker: worker.to_owned(),
        analyst: None,
        count: 1,
        duration_ms: 100,
    };
    let exported = queue.export(&request("file")).unwrap().remove(0);
    queue.lease(&request("a")).unwrap();
    assert_eq!(queue.end_leases().unwrap(), 1);
    let counts = queue.counts().unwrap();
    assert_eq!((counts.waiting, counts.leased), (2, 1));
    let lease = exported.lease;
    assert_eq!(queue.heartbeat(slice::from_ref(&lease), 100).unwrap(), [LeaseState::Held]);
    // They end by the clock, as others do.
    clock.store(100, Ordering::SeqCst);
    assert_eq!(queue.expire().unwrap(), 1);
    assert_eq!(queue.heartbeat(&[lease], 100).unwrap(), [LeaseState::Lost]);
    assert_eq!(queue.end_leases().unwrap(), 0);
}
