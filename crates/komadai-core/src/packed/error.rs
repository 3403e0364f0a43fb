//! The errors of packed positions.

use crate::color::Color;
use crate::piece::PieceKind;
use crate::position::PositionError;
use crate::square::Square;

/// An error of packing a position into 32 bytes, or of unpacking one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackedError {
    /// There are more pieces of a kind than the game has.
    #[error("{count} pieces of the kind {kind:?}, expected at most {most}")]
    TooManyPieces {
        /// The unpromoted kind.
        kind: PieceKind,
        /// The number found on the board, in both hands and in the box.
        count: u32,
        /// The number of such pieces in the game.
        most: u32,
    },
    /// A side has more than one king.
    #[error("{color:?} has more than one king")]
    TwoKings {
        /// The side.
        color: Color,
    },
    /// Neither side has a king.
    #[error("neither side has a king, expected at least one king")]
    NoKing,
    /// With one king missing, one bit does not fit, and this position needs that bit: it determines
    /// the piece on 9九 or the holder of the last piece.
    #[error("a king is missing, and the rest of the position takes one bit too many")]
    LastBitLost,
    /// The square of a king is out of range.
    #[error("{color:?}'s king on square number {found}, expected 0 to 80, or 81 for no king")]
    BadKingSquare {
        /// The king's side.
        color: Color,
        /// The number read.
        found: u8,
    },
    /// Both kings are on one square.
    #[error("both kings on {square}")]
    SharedKingSquare {
        /// The square.
        square: Square,
    },
    /// The bits are not the code of any piece in hand or in the box.
    #[error("no piece off the board has the code at bit {at}")]
    BadCode {
        /// The code's first bit.
        at: usize,
    },
    /// The codes of the pieces do not end at the expected bit.
    #[error("the pieces end at bit {end}, expected {expected}")]
    BadLength {
        /// The bit after the last piece.
        end: usize,
        /// 256, or 257 with one king missing.
        expected: usize,
    },
    /// The bytes are those of a setup that is no position.
    #[error("the packed position breaks a rule: {0}")]
    BreaksRule(#[from] PositionError),
}
