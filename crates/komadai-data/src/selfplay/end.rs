//! The ways in which self-play games end.

use serde::{Deserialize, Serialize};

/// The end of a self-play game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SelfPlayEnd {
    /// The side to move has no move.
    Checkmate,
    /// The side to move has declared a win (入玉宣言).
    Declaration,
    /// Fourfold repetition, a draw.
    Repetition,
    /// Fourfold repetition by checks, a loss for the side that gave them.
    PerpetualCheck,
    /// One side was far ahead for some plies.
    Adjudication,
    /// The largest number of moves, a draw.
    MaxPlies,
}
