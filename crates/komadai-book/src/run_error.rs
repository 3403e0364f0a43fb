//! The error of runs in which a book grows: by analysis, and by generations of games.

use crate::arena::ArenaError;
use crate::games::GameError;
use crate::queue::QueueError;
use crate::store::StoreError;
use komadai_core::AnalystError;

/// The reason why the analysis or the growth of a book ended early. The results that were merged
/// before are in the store.
///
/// # Examples
///
/// ```
/// use komadai_book::RunError;
/// use komadai_core::AnalystError;
///
/// let gone = AnalystError::Gone { engine: "engine".to_owned(), reason: "killed".to_owned() };
/// assert_eq!(RunError::from(gone).to_string(), "engine engine is gone: killed");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The queue failed.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// An analyst failed.
    #[error(transparent)]
    Analyst(#[from] AnalystError),
    /// The arena cannot play the games of a generation.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// No analyst was given, or all of them failed.
    #[error("no analyst is left, expected at least one for {positions} positions")]
    NoAnalysts {
        /// The number of positions to be analysed.
        positions: usize,
    },
    /// Other machines work for the run, but its analyses depend on earlier ones of the same analyst.
    #[error("{percent} % of the nodes after a parent, expected 100 % with a shared queue")]
    DependentAnalyses {
        /// The share of the node budget after a parent.
        percent: u32,
    },
    /// A game in the store cannot be replayed.
    #[error("stored game {number}: {error}")]
    Game {
        /// The number of the game in the store.
        number: u64,
        /// The fault of the game.
        #[source]
        error: GameError,
    },
}
