//! The queue of positions to be analysed, with the leases of the workers.
//!
//! A job is a position, in either orientation, with the analysis that is wanted of it. Its states:
//!
//! ```text
//!            enqueue            lease              complete
//!   (new) ───────────► waiting ───────► leased ──────────────► done
//!                       ▲ ▲ ▲              │                    │
//!                       │ │ └── expire ────┤ no heartbeat in time
//!                       │ └──── fail ──────┤ the worker failed   │
//!                       │                  └─ fail, once too often ──► dead
//!                       └──── enqueue with settings that the results do not cover
//! ```
//!
//! A worker without a heartbeat may be dead or only slow, so a job may be done more than once. The
//! first result counts, however late; the queue reports to the second worker that the job was done.
//! A position with an accepted result is not leased again for the same settings.

mod job;
mod job_queue;
mod job_settings;
mod scheduler;
mod stored;
#[cfg(test)]
mod tests;

pub use job_queue::{
    Completion, DeadJob, Enqueued, FailureOutcome, JobCounts, JobQueue, Lease, LeaseRequest,
    LeaseState, LeasedJob, QueueOptions,
};
pub use job_settings::{JobSettings, NewJob};
pub use stored::StoreQueue;
