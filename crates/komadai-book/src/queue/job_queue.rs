//! The interface between the part of a program that selects positions and the workers that analyse them.

use super::job_settings::NewJob;
use super::lease::{Lease, LeaseRequest, LeaseState, LeasedJob};
use super::outcome::{Completion, DeadJob, Enqueued, FailureOutcome, JobCounts};
use crate::logged_analysis::LoggedAnalysis;
use crate::store::StoreError;

/// The seam between whoever decides what to analyse and whoever does it, on this machine or others.
///
/// Time is handed in, in milliseconds of any clock that all workers share. All methods may be called
/// from several threads at once. See the table of states in [`JobCounts`].
///
/// # Examples
///
/// ```
/// use komadai_book::{AnalystId, LoggedAnalysis};
/// use komadai_book::queue::{Completion, JobQueue, JobSettings, LeaseRequest, MemoryQueue, NewJob};
/// use komadai_core::{Analysis, Position};
///
/// let queue = MemoryQueue::new();
/// let settings = JobSettings { nodes: Some(1_000_000), ..JobSettings::default() };
/// let job = NewJob { position: Position::hirate(), priority: 5, settings };
/// assert_eq!(queue.enqueue(&[job.clone(), job])?.added, 1);
///
/// let request = LeaseRequest { worker: "a".into(), count: 8, now_ms: 0, duration_ms: 60_000 };
/// let jobs = queue.lease(&request)?;
/// assert_eq!(jobs.len(), 1);
/// let result = LoggedAnalysis::new(
///     jobs[0].position.clone(),
///     Analysis::default(),
///     AnalystId::new("engine", "1"),
/// );
/// assert_eq!(queue.complete(&jobs[0].lease, &[result.clone()], 900)?, Completion::Accepted);
/// assert_eq!(queue.complete(&jobs[0].lease, &[result], 901)?, Completion::AlreadyDone);
/// assert_eq!(queue.counts()?.done, 1);
/// # Ok::<(), komadai_book::store::StoreError>(())
/// ```
pub trait JobQueue: Send + Sync {
    /// Adds jobs, all or none. Of a position that has a job already the priority is raised to the
    /// higher one, and what is wanted to the more demanding (see [`JobSettings`]).
    ///
    /// # Errors
    ///
    /// If a book cannot hold one of the positions, or the queue cannot be reached.
    fn enqueue(&self, jobs: &[NewJob]) -> Result<Enqueued, StoreError>;

    /// Gives the most urgent waiting jobs to a worker, those enqueued first among equally urgent
    /// ones. Jobs whose leases have ended by now are waiting again before.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn lease(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, StoreError>;

    /// Says that the worker is alive: the lease goes on until `now_ms + duration_ms`, if nobody has
    /// taken it away.
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

    /// Hands in what was found out. Results are taken over and the job is done in one step, or
    /// neither.
    ///
    /// # Errors
    ///
    /// If a line of a result begins with an illegal move, there is no such job, or the queue cannot be
    /// reached; nothing has changed then.
    fn complete(
        &self,
        lease: &Lease,
        results: &[LoggedAnalysis],
        now_ms: u64,
    ) -> Result<Completion, StoreError>;

    /// Says that the worker could not do it, and why.
    ///
    /// # Errors
    ///
    /// If there is no such job, or the queue cannot be reached.
    fn fail(&self, lease: &Lease, reason: &str) -> Result<FailureOutcome, StoreError>;

    /// Makes every job wait again whose lease has ended by now; returns how many.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn expire(&self, now_ms: u64) -> Result<usize, StoreError>;

    /// How many jobs are in which state.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn counts(&self) -> Result<JobCounts, StoreError>;

    /// The jobs that were given up.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn dead(&self) -> Result<Vec<DeadJob>, StoreError>;
}

/// How a queue treats failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct QueueOptions {
    /// The number of failures after which a job is given up. A worker that goes silent is no failure
    /// of the job, as machines come and go.
    pub max_failures: u32,
}

impl Default for QueueOptions {
    fn default() -> Self {
        Self { max_failures: 3 }
    }
}
