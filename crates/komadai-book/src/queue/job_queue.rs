//! The interface between the part of a program that selects positions and the workers that analyse
//! them.

use std::collections::BTreeMap;

use komadai_core::{AnalystId, PackedSfen, Position};

use super::job_settings::{JobSettings, NewJob};
use crate::logged_analysis::LoggedAnalysis;
use crate::store::StoreError;

/// A queue of positions between the program that selects them and the workers that analyse them, on
/// this machine or on others.
///
/// The queue has the clock by which leases end; the clocks of workers do not matter. All methods may
/// be called from several threads at once. [`JobCounts`] lists the states of a job.
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
///     duration_ms: 60_000,
/// };
/// let jobs = queue.lease(&request)?;
/// assert_eq!(jobs.len(), 1);
/// let result = LoggedAnalysis::new(jobs[0].position.clone(), Analysis::default(), engine);
/// assert_eq!(queue.complete(&jobs[0].lease, &[result.clone()])?, Completion::Accepted);
/// assert_eq!(queue.complete(&jobs[0].lease, &[result])?, Completion::AlreadyDone);
/// assert_eq!(queue.counts()?.done, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait JobQueue: Send + Sync {
    /// Adds jobs, all or none. If a position has a job already, the higher priority counts, and the
    /// settings are [joined](super::job_settings::JobSettings::joined). Positions that a book
    /// cannot hold are passed over and [counted](Enqueued::unheld).
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn enqueue(&self, jobs: &[NewJob]) -> Result<Enqueued, StoreError>;

    /// Leases waiting jobs to a worker, those with the highest priority first, and among these
    /// those that were enqueued first. Expired leases end before. Jobs for other engines than the
    /// worker's stay; they take the time of looking at those with a higher priority.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn lease(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, StoreError>;

    /// Reports that the worker is alive: the lease is valid for `duration_ms` milliseconds from now,
    /// unless it has ended.
    ///
    /// # Errors
    ///
    /// If there is no such job, or the queue cannot be reached.
    fn heartbeat(&self, lease: &Lease, duration_ms: u64) -> Result<LeaseState, StoreError>;

    /// Accepts the results of a job and marks it as done, in one step.
    ///
    /// # Errors
    ///
    /// If a line of a result starts with an illegal move, there is no such job, or the queue cannot
    /// be reached. Nothing has changed then.
    fn complete(&self, lease: &Lease, results: &[LoggedAnalysis])
    -> Result<Completion, StoreError>;

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
    fn expire(&self) -> Result<usize, StoreError>;

    /// The number of jobs in each state.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn counts(&self) -> Result<JobCounts, StoreError>;

    /// The number of waiting jobs by the engine that they name; the empty name is that of jobs for
    /// any engine. Takes time proportional to the number of waiting jobs.
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
    /// The number of failures after which a job is dead. Expired leases do not count: the end of a
    /// worker is no fault of the job.
    pub max_failures: u32,
}

impl Default for QueueOptions {
    fn default() -> Self {
        Self { max_failures: 3 }
    }
}

/// A worker's request for jobs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LeaseRequest {
    /// The name of the worker.
    pub worker: String,
    /// The analyst that the worker has: it gets the jobs that are for this
    /// one. `None` for a worker that starts whatever engine a job names.
    pub analyst: Option<AnalystId>,
    /// The maximum number of jobs.
    pub count: usize,
    /// The time in milliseconds for which the leases are valid without a heartbeat.
    pub duration_ms: u64,
}

/// The right to do a job. The worker returns it with the result.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Lease {
    /// The position, packed in the orientation with Black to move.
    pub job: PackedSfen,
    /// The number of the lease, which is unique in the queue.
    pub number: u64,
    /// The revision of the job's settings that the lease is for, from 0. It increases each time the
    /// settings are raised.
    pub revision: u32,
}

/// A job that a worker has leased.
#[derive(Debug, Clone)]
pub struct LeasedJob {
    /// The right to do the job.
    pub lease: Lease,
    /// The position, in the orientation in which it was first enqueued.
    pub position: Position,
    /// The analysis that is wanted.
    pub settings: JobSettings,
    /// The priority of the job.
    pub priority: i64,
    /// The number of times that workers have failed at the job.
    pub failures: u32,
    /// The number of leases of the job that have expired.
    pub expiries: u32,
    /// The time in milliseconds from now for which the lease is valid without a heartbeat.
    pub duration_ms: u64,
}

/// The state of a lease after a heartbeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum LeaseState {
    /// The lease is valid.
    Held,
    /// The lease has ended: the job waits again, is leased to another worker, or is done. A result
    /// is still accepted.
    Lost,
}

/// The effect of enqueueing, in numbers of jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Enqueued {
    /// New positions.
    pub added: usize,
    /// Known positions whose settings were raised; those that were done or dead wait again.
    pub extended: usize,
    /// Other known positions whose priority was raised.
    pub raised: usize,
    /// Other known positions, which did not change.
    pub unchanged: usize,
    /// Positions that were passed over because a book
    /// [cannot hold](komadai_bookfile::position_key::leads_out) them.
    pub unheld: usize,
}

/// The effect of a worker's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Completion {
    /// The result was accepted.
    Accepted,
    /// The result was accepted, although the lease had ended.
    AcceptedLate,
    /// The result was ignored, because the job was done already.
    AlreadyDone,
}

/// The effect of a worker's failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum FailureOutcome {
    /// The job waits again.
    Retried,
    /// The job is dead: no worker receives it any more.
    Dead,
    /// The failure was ignored, because the lease had ended.
    Stale,
}

/// The number of jobs in each state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct JobCounts {
    /// Jobs that wait for a worker.
    pub waiting: u64,
    /// Jobs that are leased to a worker.
    pub leased: u64,
    /// Jobs with an accepted result.
    pub done: u64,
    /// Jobs that failed too often.
    pub dead: u64,
}

/// A job that failed too often.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DeadJob {
    /// The position, in the orientation in which it was first enqueued.
    pub position: Position,
    /// The analysis that was wanted.
    pub settings: JobSettings,
    /// The reason of the last failure.
    pub reason: String,
}
