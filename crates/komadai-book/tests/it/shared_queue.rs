//! A book that grows by a queue elsewhere, whose workers finish and whose server disappears at the
//! worst moments.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use komadai_book::queue::{
    Completion, DeadJob, FailureOutcome, FinishedJob, JobCounts, JobQueue, JobSettings, JobSource,
    Lease, LeaseRequest, LeaseState, LeasedJob, NewJob, PlanChanges, Planned, QueueError,
    QueueOptions, QueuedResult, StoreQueue,
};
use komadai_book::store::Store;
use komadai_book::{GrowEnd, GrowEvent, Grown, LoggedAnalysis, WorkingBook};
use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Analyst, Budget, Position, SplitMix64};

use crate::grow::{Oracle, grow, options, select, text};

/// A queue in a store. Its workers do their jobs while the coordinator asks for something, in a
/// random order, and some requests fail.
struct Unruly<'s> {
    inner: StoreQueue<'s>,
    random: Mutex<SplitMix64>,
    leased: Mutex<Vec<LeasedJob>>,
    /// The number of requests that failed.
    failed: AtomicU32,
}

impl<'s> Unruly<'s> {
    fn new(store: &'s Store, seed: u64) -> Self {
        Self {
            inner: store.queue(QueueOptions::default()),
            random: Mutex::new(SplitMix64::new(seed)),
            leased: Mutex::default(),
            failed: AtomicU32::new(0),
        }
    }

    fn below(&self, limit: u64) -> u64 {
        self.random.lock().unwrap().below(limit)
    }

    /// The server is away, or some workers lease and finish before the request or after it.
    fn request<T>(&self, f: impl FnOnce() -> Result<T, QueueError>) -> Result<T, QueueError> {
        if self.below(25) == 0 {
            self.failed.fetch_add(1, Ordering::Relaxed);
            return Err(QueueError::Unavailable { error: "away".into() });
        }
        self.work();
        let answer = f();
        self.work();
        answer
    }

    fn work(&self) {
        let mut leased = self.leased.lock().unwrap();
        if self.below(2) == 0 {
            let request = LeaseRequest {
                worker: "far away".into(),
                analyst: None,
                count: 1 + self.below(3) as usize,
                duration_ms: u64::MAX / 4,
            };
            leased.extend(self.inner.lease(&request).unwrap());
        }
        while !leased.is_empty() && self.below(2) == 0 {
            let chosen = self.below(leased.len() as u64) as usize;
            let job = leased.swap_remove(chosen);
            let mut oracle = Oracle::default();
            let budget = Budget::about(job.settings.nodes.unwrap());
            let analysis = oracle.analyse(&job.position, &budget).unwrap();
            let result = LoggedAnalysis::new(job.position, analysis, oracle.identity());
            self.inner.finish(&[FinishedJob { lease: job.lease, result }]).unwrap();
        }
    }
}

impl JobSource for Unruly<'_> {
    fn lease(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, QueueError> {
        self.request(|| self.inner.lease(request))
    }

    fn heartbeat(&self, leases: &[Lease], duration_ms: u64) -> Result<Vec<LeaseState>, QueueError> {
        self.request(|| self.inner.heartbeat(leases, duration_ms))
    }

    fn finish(&self, finished: &[FinishedJob]) -> Result<Vec<Completion>, QueueError> {
        self.request(|| self.inner.finish(finished))
    }

    fn fail(&self, lease: &Lease, worker: &str, why: &str) -> Result<FailureOutcome, QueueError> {
        self.request(|| self.inner.fail(lease, worker, why))
    }

    fn release(&self, leases: &[Lease]) -> Result<(), QueueError> {
        self.request(|| self.inner.release(leases))
    }
}

impl JobQueue for Unruly<'_> {
    fn plan(&self, changes: &PlanChanges) -> Result<Planned, QueueError> {
        let planned = self.request(|| self.inner.plan(changes))?;
        if self.below(10) == 0 {
            // The answer is lost.
            return Err(QueueError::Unavailable { error: "away".into() });
        }
        Ok(planned)
    }

    fn waiting(&self, limit: usize) -> Result<Vec<NewJob>, QueueError> {
        self.request(|| self.inner.waiting(limit))
    }

    fn plan_order(&self) -> Result<Vec<(PositionKey, JobSettings)>, QueueError> {
        self.request(|| self.inner.plan_order())
    }

    fn results(&self, limit: usize) -> Result<Vec<QueuedResult>, QueueError> {
        self.request(|| self.inner.results(limit))
    }

    fn merged(&self, ids: &[u64]) -> Result<(), QueueError> {
        self.request(|| self.inner.merged(ids))
    }

    fn expire(&self) -> Result<usize, QueueError> {
        self.request(|| self.inner.expire())
    }

    fn counts(&self) -> Result<JobCounts, QueueError> {
        self.request(|| self.inner.counts())
    }

    fn waiting_by_engine(&self) -> Result<BTreeMap<String, u64>, QueueError> {
        self.request(|| self.inner.waiting_by_engine())
    }

    fn dead(&self) -> Result<Vec<DeadJob>, QueueError> {
        self.request(|| self.inner.dead())
    }

    fn revive(&self, positions: &[Position]) -> Result<usize, QueueError> {
        self.request(|| self.inner.revive(positions))
    }

    fn redo(&self, positions: &[Position]) -> Result<usize, QueueError> {
        self.request(|| self.inner.redo(positions))
    }
}

/// Grows a book by a queue until `most` positions were analysed in this run.
fn grow_on(queue: &Unruly<'_>, path: &Path, positions: usize, most: usize) -> Grown {
    let mut book = WorkingBook::open_or_create(path).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let mut analysed = 0;
    let nobody: &mut [Box<dyn Analyst>] = &mut [];
    let flag = Arc::clone(&stop);
    loop {
        let grown = book
            .grower(options(positions))
            .select(select)
            .stop(Arc::clone(&stop))
            .on_event(|event| {
                if let GrowEvent::Analysed { .. } = event {
                    analysed += 1;
                    flag.store(analysed == most, Ordering::Relaxed);
                }
            })
            .run_on(queue, nobody);
        match grown {
            // Only the first look at the queue is not repeated.
            Err(error) => assert!(error.to_string().contains("away") && analysed == 0, "{error}"),
            Ok(grown) => return grown,
        }
    }
}

#[test]
fn a_book_grows_by_an_unruly_queue_as_by_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own.kbook");
    let (grown, _) = grow(&own, &mut [Oracle::default()], &options(60), usize::MAX);
    assert_eq!(grown.end, GrowEnd::Enough);
    let mut failed = 0;
    for seed in 0..3 {
        let path = folder.path().join(format!("{seed}.kbook"));
        let store = Store::create(folder.path().join(format!("{seed}.queue"))).unwrap();
        let queue = Unruly::new(&store, seed);
        // The coordinator ends in the middle; its workers go on.
        let first = grow_on(&queue, &path, 60, 20 + seed as usize).analysed;
        let left = 60 - Store::open(&path).unwrap().len().unwrap() as usize;
        let second = grow_on(&queue, &path, left, usize::MAX);
        assert_eq!(second.end, GrowEnd::Enough, "seed {seed}");
        assert!(first >= 20 && second.analysed <= 60 - 20, "{first} and {}", second.analysed);
        assert!(text(&path) == text(&own), "seed {seed}");
        failed += queue.failed.load(Ordering::Relaxed);
    }
    assert!(failed > 4, "{failed} requests failed");
}
