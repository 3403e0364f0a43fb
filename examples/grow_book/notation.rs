//! Moves for readers.

use komadai::kifu::Notation;
use komadai::{Color, Move, Position};

/// The moves of a line from `start`.
pub(crate) fn line(start: &Position, moves: &[Move]) -> String {
    Notation::Japanese.line(start, moves)
}

/// One move.
pub(crate) fn name(position: &Position, m: Move) -> String {
    Notation::Japanese.name(position, m)
}

/// A value with its sign, for Black.
pub(crate) fn value_for_black(score: komadai::Score, side: Color) -> String {
    let score = if side == Color::Black { score } else { -score };
    match (score.to_cp(), score.mate_plies()) {
        (Some(0), _) => "0".to_owned(),
        (Some(cp), _) => format!("{cp:+}"),
        (None, Some(plies)) if score.raw() > 0 => format!("+mate {plies}"),
        (None, Some(plies)) => format!("−mate {}", -plies),
        (None, None) => score.to_string(),
    }
}
