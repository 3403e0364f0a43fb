//! Errors of analyses that change a book.

use crate::analyst::AnalystError;
use crate::store::StoreError;

/// The reason why the analysis or the growth of a book ended early. The results that were merged before
/// are in the store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The store or its queue failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An analyst failed.
    #[error(transparent)]
    Analyst(#[from] AnalystError),
    /// No analyst was given.
    #[error("no analyst, expected at least one for {positions} positions")]
    NoAnalysts {
        /// The number of positions to be analysed.
        positions: usize,
    },
}
