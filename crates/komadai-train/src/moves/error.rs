//! The errors of sets of moves.

use komadai_core::{Move, PackedError};
use komadai_data::records::TrainingError;

/// A reason why games cannot be added to a set of moves.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MoveSetError {
    /// A record is damaged, or the source failed.
    #[error(transparent)]
    Records(#[from] TrainingError),
    /// A position does not fit into a record.
    #[error(transparent)]
    Packed(#[from] PackedError),
    /// A move of a game is illegal.
    #[error("move {number} of the game: {found} is illegal")]
    Illegal {
        /// The number of the move, from 1.
        number: usize,
        /// The move.
        found: Move,
    },
}
