//! Results on their way from the workers into the book.

use crate::logged_analysis::LoggedAnalysis;

/// A result of a worker that is not marked as merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedResult {
    /// The number of the result, in the order of arrival.
    pub id: u64,
    /// The result.
    pub result: LoggedAnalysis,
    /// The worker that had leased the job when the result arrived; the host of the result if none
    /// had.
    pub worker: String,
}
