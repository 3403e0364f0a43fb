//! What the plain minimax searches of the tests have in common.

use komadai_core::Position;
use komadai_movegen::{MoveGen, Repetition};

/// The value if the game has ended `ply` plies from the root, where it never has.
pub(crate) fn ended(position: &Position, ply: u32) -> Option<i32> {
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
