//! The error of games that are replayed for a book.

use komadai_core::{Move, PositionError};
use komadai_movegen::IllegalMove;

/// The reason why a game cannot be used for a book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The start position breaks a rule.
    #[error("the start position is not possible: {0}")]
    Start(#[from] PositionError),
    /// A move is illegal.
    #[error("move {number}, {m}, is illegal in {position}: {reason}")]
    IllegalMove {
        /// The number of the move in the game, from 1.
        number: usize,
        /// The move.
        m: Move,
        /// The position before the move as SFEN.
        position: String,
        /// The rule that the move breaks.
        #[source]
        reason: IllegalMove,
    },
    /// The game has times or scores, but not one for each move.
    #[error("found {found} {what} for {moves} moves, expected {moves} or 0")]
    Length {
        /// The kind of data: `times` or `scores`.
        what: &'static str,
        /// The number found.
        found: usize,
        /// The number of moves.
        moves: usize,
    },
}
