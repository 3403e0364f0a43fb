//! Leases: the right of a worker to do a job for some time.

use komadai_core::{AnalystId, PackedSfen, Position};

use super::job_settings::JobSettings;

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
    /// The position, in the orientation in which it was first planned.
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
    /// The lease has ended: the job waits again, is leased to another worker, is done, or was
    /// withdrawn. Unless it was withdrawn, a result is still accepted.
    Lost,
}
