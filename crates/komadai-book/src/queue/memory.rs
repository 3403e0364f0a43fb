//! A queue in the memory of one process.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use komadai_bookfile::position_key::PositionKey;

use super::job::Job;
use super::job_queue::{JobQueue, QueueOptions};
use super::job_settings::NewJob;
use super::lease::{Lease, LeaseRequest, LeaseState, LeasedJob};
use super::outcome::{Completion, DeadJob, Enqueued, FailureOutcome, JobCounts};
use super::scheduler::{self, JobTable, LeasedKey, Place, WaitingKey, known, waiting_position};
use crate::logged_analysis::LoggedAnalysis;
use crate::store::StoreError;

/// A queue in memory, for workers that are threads of this process.
///
/// It is the second implementation of [`JobQueue`]: the tests of the queue's contract run on it and on
/// [`StoreQueue`](super::stored::StoreQueue), so that the contract does not depend on the store. Accepted
/// results are kept until [`take_results`](Self::take_results).
#[derive(Debug, Default)]
pub struct MemoryQueue {
    jobs: Mutex<Jobs>,
    options: QueueOptions,
}

#[derive(Debug, Default)]
struct Jobs {
    jobs: BTreeMap<PositionKey, Job>,
    waiting: BTreeSet<WaitingKey>,
    leased: BTreeSet<LeasedKey>,
    dead: BTreeSet<PositionKey>,
    orders: u64,
    leases: u64,
    results: Vec<LoggedAnalysis>,
}

impl MemoryQueue {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same queue with other options.
    #[must_use]
    pub fn with_options(mut self, options: QueueOptions) -> Self {
        self.options = options;
        self
    }

    /// Removes and returns the accepted results, in the order in which they were accepted.
    #[must_use]
    pub fn take_results(&self) -> Vec<LoggedAnalysis> {
        core::mem::take(&mut self.jobs().results)
    }

    /// The jobs. A lock that a panic has poisoned is used as it is, because no operation leaves the jobs
    /// inconsistent.
    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl JobQueue for MemoryQueue {
    fn enqueue(&self, jobs: &[NewJob]) -> Result<Enqueued, StoreError> {
        scheduler::enqueue(&mut *self.jobs(), jobs)
    }

    fn lease(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, StoreError> {
        scheduler::lease(&mut *self.jobs(), request)
    }

    fn heartbeat(
        &self,
        lease: &Lease,
        now_ms: u64,
        duration_ms: u64,
    ) -> Result<LeaseState, StoreError> {
        let until_ms = now_ms.saturating_add(duration_ms);
        known(lease, scheduler::heartbeat(&mut *self.jobs(), lease, until_ms)?)
    }

    fn complete(
        &self,
        lease: &Lease,
        results: &[LoggedAnalysis],
        _now_ms: u64,
    ) -> Result<Completion, StoreError> {
        results.iter().try_for_each(LoggedAnalysis::check)?;
        let mut jobs = self.jobs();
        let completion = known(lease, scheduler::complete(&mut *jobs, lease)?)?;
        if completion != Completion::AlreadyDone {
            jobs.results.extend_from_slice(results);
        }
        Ok(completion)
    }

    fn fail(&self, lease: &Lease, reason: &str) -> Result<FailureOutcome, StoreError> {
        known(lease, scheduler::fail(&mut *self.jobs(), lease, reason, self.options)?)
    }

    fn expire(&self, now_ms: u64) -> Result<usize, StoreError> {
        scheduler::expire(&mut *self.jobs(), now_ms)
    }

    fn counts(&self) -> Result<JobCounts, StoreError> {
        let jobs = self.jobs();
        let [waiting, leased, dead] =
            [jobs.waiting.len(), jobs.leased.len(), jobs.dead.len()].map(|length| length as u64);
        let done = jobs.jobs.len() as u64 - waiting - leased - dead;
        Ok(JobCounts { waiting, leased, done, dead })
    }

    fn waiting_by_engine(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        let jobs = self.jobs();
        let mut waiting = BTreeMap::new();
        for key in &jobs.waiting {
            if let Some(job) = jobs.jobs.get(&waiting_position(key)) {
                *waiting.entry(job.settings.engine.clone()).or_default() += 1;
            }
        }
        Ok(waiting)
    }

    fn dead(&self) -> Result<Vec<DeadJob>, StoreError> {
        scheduler::dead(&*self.jobs())
    }
}

impl JobTable for Jobs {
    type Error = StoreError;

    fn get(&self, key: &PositionKey) -> Result<Option<Job>, StoreError> {
        Ok(self.jobs.get(key).cloned())
    }

    fn put(&mut self, key: &PositionKey, old: Option<&Job>, new: &Job) -> Result<(), StoreError> {
        match old.map(|old| Place::of(key, old)) {
            Some(Place::Waiting(waiting)) => drop(self.waiting.remove(&waiting)),
            Some(Place::Leased(leased)) => drop(self.leased.remove(&leased)),
            Some(Place::Dead) => drop(self.dead.remove(key)),
            Some(Place::Nowhere) | None => {}
        }
        match Place::of(key, new) {
            Place::Waiting(waiting) => drop(self.waiting.insert(waiting)),
            Place::Leased(leased) => drop(self.leased.insert(leased)),
            Place::Dead => drop(self.dead.insert(*key)),
            Place::Nowhere => {}
        }
        self.jobs.insert(*key, new.clone());
        Ok(())
    }

    fn for_each_waiting(
        &self,
        mut visit: impl FnMut(&PositionKey) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        for waiting in &self.waiting {
            if !visit(&waiting_position(waiting))? {
                break;
            }
        }
        Ok(())
    }

    fn first_leased(&self) -> Result<Option<LeasedKey>, StoreError> {
        Ok(self.leased.first().copied())
    }

    fn dead(&self) -> Result<Vec<PositionKey>, StoreError> {
        Ok(self.dead.iter().copied().collect())
    }

    fn next_order(&mut self) -> Result<u64, StoreError> {
        self.orders += 1;
        Ok(self.orders - 1)
    }

    fn next_lease(&mut self) -> Result<u64, StoreError> {
        self.leases += 1;
        Ok(self.leases - 1)
    }

    fn corrupt(_: &PositionKey, reason: String) -> StoreError {
        StoreError::Queue(reason.into())
    }
}
