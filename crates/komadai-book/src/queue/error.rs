//! Errors of queues.

use komadai_bookfile::EntryError;
use komadai_core::AnalystId;

use crate::store::StoreError;

/// The reason why a queue has not done what it was asked for. Nothing has changed then.
///
/// # Examples
///
/// ```
/// use komadai_book::queue::{QueueError, Refusal};
///
/// let refused = QueueError::from(Refusal::UnknownJob);
/// assert!(!refused.is_temporary());
/// let cut = QueueError::Unavailable { error: "connection refused".into() };
/// assert!(cut.is_temporary());
/// assert_eq!(cut.to_string(), "the queue is not available: connection refused");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// The queue cannot be reached now. The same request may succeed later.
    #[error("the queue is not available: {error}")]
    Unavailable {
        /// The error of the connection.
        #[source]
        error: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The queue does not do this, now or later.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The queue and this program do not understand each other.
    #[error("the queue has version {found}, expected {expected}")]
    Version {
        /// The version of the queue.
        found: u64,
        /// The versions that this program understands.
        expected: String,
    },
    /// The store that contains the queue failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl QueueError {
    /// Returns whether the same request may succeed later.
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }
}

/// The reason why a queue refuses a request or a result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The queue has no such job: it was withdrawn.
    #[error("the queue has no job of this lease")]
    UnknownJob,
    /// The result is for another position than the lease.
    #[error("found a result for {found}, expected one for the position of the lease")]
    OtherPosition {
        /// The position of the result as SFEN.
        found: String,
    },
    /// The result comes from another analyst than the job names.
    #[error("found a result of {found}, expected one of {expected:?}")]
    OtherAnalyst {
        /// The analyst of the result.
        found: AnalystId,
        /// The engine that the job names.
        expected: String,
    },
    /// The position or a move of the result cannot be part of a book.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// The worker has failed too often in a row and gets no more work.
    #[error("{worker} has failed {failures} times in a row and gets no more jobs")]
    Dismissed {
        /// The name of the worker.
        worker: String,
        /// The number of its failures in a row.
        failures: u32,
    },
    /// Any other reason, such as missing rights.
    #[error("the queue refuses this: {reason}")]
    Other {
        /// The reason as the queue states it.
        reason: String,
    },
}
