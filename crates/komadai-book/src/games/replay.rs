//! The replay of a game whose moves come from outside, and its errors.

use komadai_core::{Move, Position, PositionError, Setup};
use komadai_movegen::{IllegalMove, check_legality};

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

/// Plays moves from `start`. Before each move, `visit` receives its index from 0, the position and
/// the move.
///
/// # Errors
///
/// If the start is not possible, at the first illegal move, and at the first error of `visit`.
pub(crate) fn replay(
    start: &Setup,
    moves: impl IntoIterator<Item = Move>,
    mut visit: impl FnMut(usize, &Position, Move) -> Result<(), GameError>,
) -> Result<(), GameError> {
    let mut position = Position::from_setup(start)?;
    for (index, m) in moves.into_iter().enumerate() {
        if let Err(reason) = check_legality(&position, m) {
            let position = position.to_string();
            return Err(GameError::IllegalMove { number: index + 1, m, position, reason });
        }
        visit(index, &position, m)?;
        position.do_move(m);
    }
    Ok(())
}
