//! The records of a self-play game.

use crate::records::{PackedSfenValue, RecordResult};
use komadai_core::Color;

use crate::selfplay::{SelfPlayGame, SelfPlayPosition};

/// Number of bytes of a record.
pub(crate) const BYTES: usize = PackedSfenValue::BYTES;

/// Returns the bytes of all records of a game.
pub(crate) fn records(game: &SelfPlayGame) -> Vec<u8> {
    game.positions.iter().flat_map(|found| record(found, game.winner).to_bytes()).collect()
}

fn record(found: &SelfPlayPosition, winner: Option<Color>) -> PackedSfenValue {
    let result = match winner {
        None => RecordResult::Draw,
        Some(winner) if winner == found.side => RecordResult::Win,
        Some(_) => RecordResult::Loss,
    };
    let SelfPlayPosition { position, score, best_move, ply, .. } = *found;
    PackedSfenValue { position, score, best_move: Some(best_move), ply, result }
}
