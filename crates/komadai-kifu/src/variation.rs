//! The lines of a record: the game and the variations beside it.

use crate::end::End;
use crate::record_move::RecordMove;

/// A line of a record: the game itself or one of its variations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Line {
    /// The moves of the game (本譜).
    #[default]
    Main,
    /// The variation of this index in [`Record::variations`](crate::Record::variations).
    Variation(usize),
}

/// A variation (変化): moves in place of those of another line, from one ply on.
///
/// Variations are a flat list, in which each one follows the line that it leaves; so a record of
/// ten thousand nested variations needs no recursion.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Variation {
    /// The line that the variation leaves.
    pub parent: Line,
    /// The number of its first move, from 1, counted from the start of the game: the move replaces
    /// the one of this number in the parent, or the end mark there.
    pub ply: usize,
    /// The moves, first to last.
    pub moves: Vec<RecordMove>,
    /// The end of the line, if it has one.
    #[cfg_attr(feature = "serde", serde(default))]
    pub end: Option<End>,
}

/// The error for a variation that leaves no line of the record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found a variation at move {ply} of {line:?}, expected a move from {first} to {last}")]
pub struct VariationError {
    /// The line to leave.
    pub line: Line,
    /// The number of the move to replace.
    pub ply: usize,
    /// The smallest number possible; 0 if there is no such line.
    pub first: usize,
    /// The largest number possible, that of the end mark; 0 if there is no such line.
    pub last: usize,
}
