//! The faults of a training record.

use komadai_core::{Move, PackedError};
use komadai_movegen::IllegalMove;

/// The reason why bytes are no training record, or why the parts of a record contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// A slice has not the length of a record.
    #[error("{found} bytes, expected {expected}")]
    Length {
        /// The length of the slice.
        found: usize,
        /// The length of a record.
        expected: usize,
    },
    /// The sixteen bits are neither 0, which means no move, nor those of a move.
    #[error("the bits {bits:#06x} represent no move")]
    Move {
        /// The bits.
        bits: u16,
    },
    /// The result is none that the format knows.
    #[error("the result {found}, expected {expected}")]
    Result {
        /// The number found.
        found: i16,
        /// The numbers of the format.
        expected: &'static str,
    },
    /// The 32 bytes of the position are no position.
    #[error(transparent)]
    Position(#[from] PackedError),
    /// The move cannot be made in the position.
    #[error("{m} is illegal: {reason}")]
    IllegalMove {
        /// The move.
        m: Move,
        /// The rule that it breaks.
        reason: IllegalMove,
    },
}
