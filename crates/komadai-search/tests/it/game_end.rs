//! The values of finished games, shared by the plain minimax searches of the tests.

use komadai_core::Position;
use komadai_movegen::{MoveGen, Repetition};

/// Returns the value if the game has ended by repetition `ply` plies from the root; it never has at
/// the root.
pub(crate) fn game_end(position: &Position, ply: u32) -> Option<i32> {
    if ply == 0 {
        return None;
    }
    match position.search_repetition(ply as usize) {
        Repetition::None => None,
        Repetition::Win => Some(30_000),
        Repetition::Lose => Some(-30_000),
        Repetition::Superior => Some(25_000),
        Repetition::Inferior => Some(-25_000),
        _ => Some(0),
    }
}
