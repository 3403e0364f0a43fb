//! The errors of sets of moves.

use komadai_core::{Move, PackedError};

/// A reason why games cannot be added to a set of moves.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MoveSetError {
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
