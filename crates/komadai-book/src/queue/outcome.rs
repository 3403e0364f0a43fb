//! Results of the operations on a queue.

use komadai_core::Position;

use super::job_settings::JobSettings;

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
