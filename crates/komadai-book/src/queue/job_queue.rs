//! The interface of a queue for the program that selects positions and merges results.

use std::collections::BTreeMap;

use komadai_bookfile::position_key::PositionKey;
use komadai_core::Position;

use super::error::QueueError;
use super::job_settings::{JobSettings, NewJob};
use super::job_source::JobSource;
use super::queued_result::QueuedResult;

/// A queue of positions between the program that selects them and the workers that analyse them, on
/// this machine or on others: the part of the interface that only the coordinator needs, the program
/// that owns the book. [`JobCounts`] lists the states of a job.
///
/// Results pass through an outbox. The coordinator takes [`results`](Self::results), merges them
/// into its book, and then says so ([`merged`](Self::merged)). If it ends before, it gets them again;
/// merging a result twice adds nothing.
///
/// # Examples
///
/// ```
/// use komadai_book::LoggedAnalysis;
/// use komadai_book::queue::{
///     Completion, FinishedJob, JobQueue, JobSettings, JobSource, LeaseRequest, NewJob, PlanChanges,
///     QueueOptions,
/// };
/// use komadai_book::store::Store;
/// use komadai_core::{Analysis, AnalystId, Position};
///
/// let folder = tempfile::tempdir()?;
/// let store = Store::create(folder.path().join("book.kbook"))?;
/// let queue = store.queue(QueueOptions::default());
/// let settings = JobSettings { nodes: Some(1_000_000), ..JobSettings::default() };
/// let job = NewJob { position: Position::hirate(), priority: 5, settings };
/// assert_eq!(queue.plan(&PlanChanges::wanted(vec![job.clone(), job]))?.added, 1);
///
/// let engine = AnalystId::new("engine", "1");
/// let request = LeaseRequest {
///     worker: "a".into(),
///     analyst: Some(engine.clone()),
///     count: 8,
///     duration_ms: 60_000,
/// };
/// let job = queue.lease(&request)?.remove(0);
/// let result = LoggedAnalysis::new(job.position, Analysis::default(), engine);
/// let finished = [FinishedJob { lease: job.lease, result }];
/// assert_eq!(queue.finish(&finished)?, [Completion::Accepted]);
/// assert_eq!(queue.finish(&finished)?, [Completion::AlreadyDone]);
/// assert_eq!(queue.counts()?.done, 1);
///
/// let results = queue.results(100)?;
/// assert_eq!(results[0].result, finished[0].result);
/// queue.merged(&[results[0].id])?;
/// assert!(queue.results(100)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait JobQueue: JobSource {
    /// Applies the difference between two plans, all of it or nothing.
    ///
    /// Withdrawals come first: a waiting job is forgotten with its failures; jobs that are leased,
    /// done or dead stay. Then the wanted jobs: a position without a job gets one. A job that exists
    /// gets [joined settings](JobSettings::joined), and, while it waits or is leased, the new
    /// priority, higher or lower; the priority of a job for another engine or generation only rises,
    /// because it is part of another plan. A leased job stays leased. Positions that a book cannot
    /// hold are passed over and [counted](Planned::unheld).
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn plan(&self, changes: &PlanChanges) -> Result<Planned, QueueError>;

    /// The waiting jobs in the order in which they are leased, at most `limit`. A coordinator that
    /// starts finds here what it had planned before.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn waiting(&self, limit: usize) -> Result<Vec<NewJob>, QueueError>;

    /// The jobs that wait or are leased, and those whose results are in the outbox, in the order in
    /// which jobs are leased: what a coordinator that ended had planned, but not merged. Jobs that
    /// left the queue in a file are not among them.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn plan_order(&self) -> Result<Vec<(PositionKey, JobSettings)>, QueueError>;

    /// The results that are not marked as merged, oldest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn results(&self, limit: usize) -> Result<Vec<QueuedResult>, QueueError>;

    /// Removes results with these numbers from the outbox. The caller has merged them, on disk.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn merged(&self, ids: &[u64]) -> Result<(), QueueError>;

    /// Makes every job wait again whose lease has ended by now. Returns the number of these jobs.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn expire(&self) -> Result<usize, QueueError>;

    /// The number of jobs in each state.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn counts(&self) -> Result<JobCounts, QueueError>;

    /// The number of waiting jobs by the engine that they name; the empty name is that of jobs for
    /// any engine. Takes time proportional to the number of waiting jobs.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn waiting_by_engine(&self) -> Result<BTreeMap<String, u64>, QueueError>;

    /// The jobs that failed too often.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn dead(&self) -> Result<Vec<DeadJob>, QueueError>;

    /// Forgets the failures of the jobs of these positions: dead jobs wait again, and workers that
    /// had failed too often may try again. Returns the number of jobs that had failures.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn revive(&self, positions: &[Position]) -> Result<usize, QueueError>;

    /// Lets jobs wait again that are done, and whose results are not in the outbox: the book has
    /// lost them, because it was restored from a copy. Returns the number of these jobs; by default
    /// 0, as for a queue within the book.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn redo(&self, positions: &[Position]) -> Result<usize, QueueError> {
        let _ = positions;
        Ok(0)
    }
}

/// The number of failures in a row after which a worker gets no more jobs.
///
/// ```
/// use komadai_book::queue::{MAX_FAILURES_IN_A_ROW, QueueOptions};
///
/// // More than one job is behind the end of a worker.
/// assert!(MAX_FAILURES_IN_A_ROW > QueueOptions::default().max_failures);
/// ```
pub const MAX_FAILURES_IN_A_ROW: u32 = 5;

/// Options of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct QueueOptions {
    /// The number of failures after which a job is dead, if at least two workers have failed.
    /// Expired leases do not count: the end of a worker is no fault of the job.
    pub max_failures: u32,
}

impl Default for QueueOptions {
    fn default() -> Self {
        Self { max_failures: 3 }
    }
}

/// The difference between two plans.
///
/// # Examples
///
/// ```
/// use komadai_book::queue::{JobQueue, JobSettings, NewJob, PlanChanges, QueueOptions};
/// use komadai_book::store::Store;
/// use komadai_core::Position;
///
/// let folder = tempfile::tempdir()?;
/// let store = Store::create(folder.path().join("book.kbook"))?;
/// let queue = store.queue(QueueOptions::default());
/// let settings = JobSettings { nodes: Some(1_000_000), ..JobSettings::default() };
/// let job = |priority| NewJob {
///     position: Position::hirate(),
///     priority,
///     settings: settings.clone(),
/// };
/// queue.plan(&PlanChanges::wanted(vec![job(5)]))?;
/// assert_eq!(queue.plan(&PlanChanges::wanted(vec![job(-3)]))?.lowered, 1);
/// assert_eq!(queue.waiting(10)?[0].priority, -3);
/// assert_eq!(queue.plan(&PlanChanges::withdrawn(vec![Position::hirate()]))?.withdrawn, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct PlanChanges {
    /// The jobs that are new, or have another priority or other settings.
    pub wanted: Vec<NewJob>,
    /// The positions that are not wanted any more.
    pub withdrawn: Vec<Position>,
}

impl PlanChanges {
    /// Changes that withdraw nothing.
    pub fn wanted(wanted: Vec<NewJob>) -> Self {
        Self { wanted, withdrawn: Vec::new() }
    }

    /// Changes that only withdraw.
    pub fn withdrawn(withdrawn: Vec<Position>) -> Self {
        Self { wanted: Vec::new(), withdrawn }
    }
}

/// The effect of a change of the plan, in numbers of jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Planned {
    /// New positions.
    pub added: usize,
    /// Known positions whose settings were raised; those that were done or dead wait again.
    pub extended: usize,
    /// Other known positions whose priority was raised.
    pub raised: usize,
    /// Other known positions whose priority was lowered.
    pub lowered: usize,
    /// Other known positions, which did not change.
    pub unchanged: usize,
    /// Positions that were passed over because a book
    /// [cannot hold](komadai_bookfile::position_key::leads_out) them.
    pub unheld: usize,
    /// Waiting jobs that were withdrawn.
    pub withdrawn: usize,
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
    /// The position, in the orientation in which it was first planned.
    pub position: Position,
    /// The analysis that was wanted.
    pub settings: JobSettings,
    /// The reason of the last failure.
    pub reason: String,
}
