//! The queue of positions to be analysed, with the leases of the workers.
//!
//! A job is a position, in either orientation, with the analysis that is wanted of it. Its states:
//!
//! ```text
//!             plan              lease              finish
//!   (new) ───────────► waiting ───────► leased ──────────────► done
//!                       ▲ ▲ ▲              │                    │
//!                       │ │ ├── expire ────┤ no heartbeat in time
//!                       │ │ ├── release ───┤ the worker ends    │
//!                       │ └─┴── fail ──────┤ the worker failed  │
//!                       │                  └─ fail, once too often ──► dead
//!                       └──── plan with settings that the results do not cover
//! ```
//!
//! A worker without a heartbeat may be dead or only slow, so a job may be done more than once. The
//! first result counts, however late; the queue reports to the second worker that the job was done.
//! A position with an accepted result is not leased again for the same settings.
//!
//! [`JobSource`] is what a worker may do; [`JobQueue`] is what the coordinator may do besides.

#[cfg(any(test, feature = "queue-tests"))]
#[doc(hidden)]
pub mod contract;
mod error;
mod imported;
mod job;
mod job_queue;
mod job_settings;
mod job_source;
mod lease;
mod outbox;
mod queued_result;
mod scheduler;
mod session;
mod stored;
#[cfg(test)]
mod tests;

pub use error::{QueueError, Refusal};
pub(crate) use imported::complete_imported;
pub use job_queue::{
    DeadJob, JobCounts, JobQueue, MAX_FAILURES_IN_A_ROW, PlanChanges, Planned, QueueOptions,
};
pub use job_settings::{JobSettings, NewJob};
pub use job_source::{Completion, FailureOutcome, FinishedJob, JobSource};
pub use lease::{Lease, LeaseRequest, LeaseState, LeasedJob};
pub use queued_result::QueuedResult;
pub(crate) use session::Session;
pub use stored::StoreQueue;
