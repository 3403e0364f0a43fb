//! The state of a queue for people.

use komadai_book::queue::JobCounts;
use komadai_core::Position;

/// The state of a queue in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FarmStatus {
    /// The jobs by state.
    pub jobs: JobCounts,
    /// Results that are not in the book yet.
    pub unmerged: u64,
    /// Results that the coordinator could not use. The table `refused` has them with the reasons.
    pub refused: u64,
    /// Workers get no jobs now.
    pub is_paused: bool,
}

/// A worker that has signed in at least once.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorkerStatus {
    /// The login role.
    pub role: String,
    /// The name that the worker states.
    pub name: String,
    /// The name of its machine.
    pub host: String,
    /// The name and version of its program.
    pub program: String,
    /// The time of the last start in seconds since the start of 1970 (UTC).
    pub started: u64,
    /// The seconds since its last sign of life: a heartbeat, a result or a failure.
    pub silent_s: u64,
    /// The number of jobs that it has leased.
    pub leased: u64,
    /// The number of results that were accepted, but for those of the last second.
    pub finished: u64,
    /// The number of its failures.
    pub failures: u64,
    /// The number of failures since its last result. From five on it gets no jobs, until it signs in again.
    pub failures_in_a_row: u32,
    /// The nodes of its results.
    pub nodes: u64,
}

/// A failure of a worker at a job.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FailureReport {
    /// The position.
    pub position: Position,
    /// The name of the worker.
    pub worker: String,
    /// Its login role.
    pub role: String,
    /// The time in seconds since the start of 1970 (UTC).
    pub when: u64,
    /// The reason as the worker states it.
    pub reason: String,
}
