//! The error of runs in which a book grows: by search, and by generations of games.

use crate::arena::ArenaError;
use crate::games::GameError;
use crate::queue::QueueError;
use crate::store::StoreError;
use crate::working_book::WorkingBookError;

/// The reason why a book cannot continue to grow. Everything merged before the error is in the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GrowError {
    /// The book failed.
    #[error(transparent)]
    Book(#[from] WorkingBookError),
    /// The queue of positions failed.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// The arena cannot play the games of a generation.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// All analysts failed before the positions of a generation were analysed.
    #[error("no analyst is left for the extension of the book by {positions} positions")]
    NoAnalysts {
        /// The number of positions of the extension.
        positions: usize,
    },
    /// A game in the file cannot be replayed.
    #[error("stored game {number}: {error}")]
    Game {
        /// The number of the game in the file.
        number: u64,
        /// The fault of the game.
        #[source]
        error: GameError,
    },
}

impl From<StoreError> for GrowError {
    fn from(error: StoreError) -> Self {
        Self::Book(error.into())
    }
}
