//! The replay of a game whose moves come from outside.

use komadai_core::{Move, Position, Setup};
use komadai_movegen::check_legality;

use super::game_error::GameError;

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
