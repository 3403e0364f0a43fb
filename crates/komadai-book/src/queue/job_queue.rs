//! The interface between the part of a program that selects positions and the workers that analyse them.

use std::collections::BTreeMap;

use super::job_settings::NewJob;
use super::lease::{Lease, LeaseRequest, LeaseState, LeasedJob};
use super::outcome::{Completion, DeadJob, Enqueued, FailureOutcome, JobCounts};
use crate::logged_analysis::LoggedAnalysis;
use crate::store::StoreError;

/// A queue of positions between the program that selects them and the workers that analyse them, on this
/// machine or on others.
///
/// Times are passed as arguments, in milliseconds of any clock that all workers share. All methods may be
/// called from several threads at once. [`JobCounts`] lists the states of a job.
///
/// # Examples
///
/// ```
/// use komadai_book::LoggedAnalysis;
/// use komadai_book::queue::{
///     Completion, JobQueue, JobSettings, LeaseRequest, NewJob, QueueOptions,
/// };
/// use komadai_book::store::Store;
/// use komadai_core::{Analysis, AnalystId, Position};
///
/// let folder = tempfile::tempdir()?;
/// let store = Store::create(folder.path().join("book.kbook"))?;
/// let queue = store.queue(QueueOptions::default());
/// let settings = JobSettings { nodes: Some(1_000_000), ..JobSettings::default() };
/// let job = NewJob { position: Position::hirate(), priority: 5, settings };
/// assert_eq!(queue.enqueue(&[job.clone(), job])?.added, 1);
///
/// let engine = AnalystId::new("engine", "1");
/// let request = LeaseRequest {
///     worker: "a".into(),
///     analyst: Some(engine.clone()),
///     count: 8,
///     now_ms: 0,
///     duration_ms: 60_000,
/// };
/// let jobs = queue.lease(&request)?;
/// assert_eq!(jobs.len(), 1);
/// let result = LoggedAnalysis::new(jobs[0].position.clone(), Analysis::default(), engine);
/// assert_eq!(queue.complete(&jobs[0].lease, &[result.clone()], 900)?, Completion::Accepted);
/// assert_eq!(queue.complete(&jobs[0].lease, &[result], 901)?, Completion::AlreadyDone);
/// assert_eq!(queue.counts()?.done, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait JobQueue: Send + Sync {
    /// Adds jobs, all or none. If a position has a job already, the higher priority counts, and the settings
    /// are [joined](super::job_settings::JobSettings::joined). Positions that a book cannot hold are passed over
    /// and [counted](Enqueued::unheld).
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn enqueue(&self, jobs: &[NewJob]) -> Result<Enqueued, StoreError>;

    /// Leases waiting jobs to a worker, those with the highest priority first, and among these those that were
    /// enqueued first. Expired leases end before. Jobs for other engines than the worker's stay; they take the
    /// time of looking at those with a higher priority.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn lease(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, StoreError>;

    /// Reports that the worker is alive: the lease is extended to `now_ms + duration_ms`, unless it has
    /// ended.
    ///
    /// # Errors
    ///
    /// If there is no such job, or the queue cannot be reached.
    fn heartbeat(
        &self,
        lease: &Lease,
        now_ms: u64,
        duration_ms: u64,
    ) -> Result<LeaseState, StoreError>;

    /// Accepts the results of a job and marks it as done, in one step.
    ///
    /// # Errors
    ///
    /// If a line of a result starts with an illegal move, there is no such job, or the queue cannot be
    /// reached. Nothing has changed then.
    fn complete(
        &self,
        lease: &Lease,
        results: &[LoggedAnalysis],
        now_ms: u64,
    ) -> Result<Completion, StoreError>;

    /// Reports that the worker failed, with the reason.
    ///
    /// # Errors
    ///
    /// If there is no such job, or the queue cannot be reached.
    fn fail(&self, lease: &Lease, reason: &str) -> Result<FailureOutcome, StoreError>;

    /// Makes every job wait again whose lease has ended by now. Returns the number of these jobs.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn expire(&self, now_ms: u64) -> Result<usize, StoreError>;

    /// The number of jobs in each state.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn counts(&self) -> Result<JobCounts, StoreError>;

    /// The number of waiting jobs by the engine that they name; the empty name is that of jobs for any engine.
    /// Takes time proportional to the number of waiting jobs.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn waiting_by_engine(&self) -> Result<BTreeMap<String, u64>, StoreError>;

    /// The jobs that failed too often.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn dead(&self) -> Result<Vec<DeadJob>, StoreError>;
}

/// Options of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct QueueOptions {
    /// The number of failures after which a job is dead. Expired leases do not count: the end of a worker is
    /// no fault of the job.
    pub max_failures: u32,
}

impl Default for QueueOptions {
    fn default() -> Self {
        Self { max_failures: 3 }
    }
}
