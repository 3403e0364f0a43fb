//! What is to be analysed, by whom, until when.
//!
//! A job is a position, whichever way it is turned, with what is wanted to be known of it. It goes
//!
//! ```text
//!            enqueue            lease              complete
//!   (new) ───────────► waiting ───────► leased ──────────────► done
//!                       ▲ ▲ ▲              │
//!                       │ │ └── expire ────┤ the worker has been silent for too long
//!                       │ └──── fail ──────┤ it said that it could not
//!                       │                  └─ fail, once too often ──► dead
//!                       └──────────────────── enqueue, asking for more than was found out
//! ```
//!
//! Work may be done more than once, as nobody knows whether a silent worker is dead, but its first
//! result counts, however late, and the second is told so. A result that was accepted is never asked
//! for again.

mod job;
mod memory;
mod scheduler;
mod stored;
#[cfg(test)]
mod tests;

use komadai_core::Position;

pub use job::{JobSettings, NewJob};
pub use memory::MemoryQueue;
pub use stored::StoreQueue;

use crate::logged_analysis::LoggedAnalysis;
use komadai_bookfile::EntryError;

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
/// # Ok::<(), komadai_book::queue::QueueError>(())
/// ```
pub trait JobQueue: Send + Sync {
    /// Adds jobs, all or none. Of a position that has a job already the priority is raised to the
    /// higher one, and what is wanted to the more demanding (see [`JobSettings`]).
    ///
    /// # Errors
    ///
    /// If a book cannot hold one of the positions, or the queue cannot be reached.
    fn enqueue(&self, jobs: &[NewJob]) -> Result<Enqueued, QueueError>;

    /// Gives the most urgent waiting jobs to a worker, those enqueued first among equally urgent
    /// ones. Jobs whose leases have ended by now are waiting again before.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn lease(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, QueueError>;

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
    ) -> Result<LeaseState, QueueError>;

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
    ) -> Result<Completion, QueueError>;

    /// Says that the worker could not do it, and why.
    ///
    /// # Errors
    ///
    /// If there is no such job, or the queue cannot be reached.
    fn fail(&self, lease: &Lease, reason: &str) -> Result<FailureOutcome, QueueError>;

    /// Makes every job wait again whose lease has ended by now; returns how many.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn expire(&self, now_ms: u64) -> Result<usize, QueueError>;

    /// How many jobs are in which state.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn counts(&self) -> Result<JobCounts, QueueError>;

    /// The jobs that were given up.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn dead(&self) -> Result<Vec<DeadJob>, QueueError>;
}

/// What enqueueing has done, in jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Enqueued {
    /// New positions.
    pub added: usize,
    /// Known positions of which more is wanted now; they wait again if they were done or given up.
    pub extended: usize,
    /// Others that have become more urgent only.
    pub raised: usize,
    /// Others, of which nothing changed.
    pub unchanged: usize,
}

/// Who wants jobs, how many, and for how long.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LeaseRequest {
    /// The worker's name.
    pub worker: String,
    /// The most jobs to give.
    pub count: usize,
    /// The time now in milliseconds.
    pub now_ms: u64,
    /// How long the worker may be silent, in milliseconds.
    pub duration_ms: u64,
}

/// The right to do a job: hand it back with the result.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Lease {
    /// The position, packed in the orientation with Black to move.
    pub job: komadai_core::PackedSfen,
    /// A number that no other lease of the queue has.
    pub number: u64,
    /// Which of the things wanted of the position, one after the other, it is for; from 0.
    pub revision: u32,
}

/// A job given to a worker.
#[derive(Debug, Clone)]
pub struct LeasedJob {
    /// The right to do it.
    pub lease: Lease,
    /// The position, in the orientation in which it was first enqueued.
    pub position: Position,
    /// What is wanted.
    pub settings: JobSettings,
    /// How urgent it is.
    pub priority: i64,
    /// How often workers have said that they could not do it.
    pub failures: u32,
    /// How often workers have gone silent over it.
    pub expiries: u32,
    /// When the lease ends unless the worker says that it is alive, in milliseconds.
    pub until_ms: u64,
}

/// Whether a lease holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LeaseState {
    /// It does.
    Held,
    /// The job waits again, or someone else has it or has done it. A result is still welcome.
    Lost,
}

/// What became of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Completion {
    /// It was taken over.
    Accepted,
    /// It was taken over, although the lease had ended.
    AcceptedLate,
    /// Nothing changed: the job had been done.
    AlreadyDone,
}

/// What became of a job that a worker could not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureOutcome {
    /// It waits again.
    Retried,
    /// It was given up.
    Dead,
    /// Nothing changed: the lease had ended.
    Stale,
}

/// How many jobs are in which state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct JobCounts {
    /// Nobody works on them.
    pub waiting: u64,
    /// A worker has them.
    pub leased: u64,
    /// A result was accepted.
    pub done: u64,
    /// They were given up.
    pub dead: u64,
}

/// A job that was given up.
#[derive(Debug, Clone)]
pub struct DeadJob {
    /// The position, in the orientation in which it was first enqueued.
    pub position: Position,
    /// What was wanted.
    pub settings: JobSettings,
    /// What the last worker said.
    pub reason: String,
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

/// Why a queue could not do what it was asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// A position or a result cannot be put into a book.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// The lease is for a job that this queue does not have.
    #[error("lease number {number} is for a job that is not in the queue")]
    UnknownJob {
        /// The lease's number.
        number: u64,
    },
    /// Whatever keeps the queue has failed.
    #[error("the queue cannot be reached: {0}")]
    Storage(#[source] Box<dyn core::error::Error + Send + Sync>),
}
