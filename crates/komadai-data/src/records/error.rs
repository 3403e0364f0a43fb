//! The errors of reading training records.

use std::fmt;
use std::io;

use komadai_core::{Move, PackedError};
use komadai_movegen::IllegalMove;

use super::format::TrainingFormat;

/// An error of reading a file of training records, with its place: the number of the record, from
/// 1, and the offset of the first byte of the record, from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// The source failed.
    #[error("record {record} at byte {offset}: cannot read on")]
    Io {
        /// The first record that could not be read.
        record: u64,
        /// Its first byte.
        offset: u64,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// The file is of another format.
    #[error("the file is of the format {found}, expected {expected}")]
    WrongFormat {
        /// The format of the file.
        found: TrainingFormat,
        /// The format of the reader.
        expected: TrainingFormat,
    },
    /// A record is damaged.
    #[error("record {record} at byte {offset}: {fault}")]
    Damaged {
        /// The record.
        record: u64,
        /// Its first byte.
        offset: u64,
        /// The fault.
        fault: RecordFault,
    },
    /// The file ends in the middle of a record.
    #[error("record {record} at byte {offset}: the file ends after {found} of {expected} bytes")]
    Truncated {
        /// The last record.
        record: u64,
        /// Its first byte.
        offset: u64,
        /// The number of bytes that the file has of it.
        found: usize,
        /// The number of bytes of a record.
        expected: usize,
    },
    /// A game is damaged, or the file ends in the middle of it.
    #[error(transparent)]
    Game(GameDamage),
}

impl TrainingError {
    /// Returns true if nothing can be read after this error, not even leniently.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Self::Io { .. } | Self::WrongFormat { .. })
    }
}

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
    /// A game of `.pack` begins in another way.
    #[error("the game begins with the byte {found}, expected 0 or 1")]
    Start {
        /// The byte.
        found: u8,
    },
    /// The end of a game of `.pack` names no winner.
    #[error("the result {bits:#06x}, expected 0x0000, 0x0081 or 0x0102")]
    End {
        /// The bits.
        bits: u16,
    },
    /// A game of `.pack` has no end.
    #[error("more than {most} moves without an end")]
    GameLength {
        /// The largest number of moves.
        most: usize,
    },
    /// A game has more bytes than any sensible one.
    #[error("more than {most} bytes without an end")]
    GameBytes {
        /// The largest number of bytes.
        most: usize,
    },
    /// A position of HCPE3 has more candidates than there are moves.
    #[error("{found} candidates, expected at most {most}")]
    Candidates {
        /// The number found.
        found: u16,
        /// The largest number of legal moves.
        most: u16,
    },
    /// A part of an sbinpack file begins in another way.
    #[error("expected SBN2, the start of a part of an sbinpack file")]
    Magic,
    /// A game of sbinpack goes beyond its part of the file.
    #[error("the game goes beyond its part of the file")]
    Part,
    /// The notes of a game of sbinpack are too long.
    #[error("notes of {found} bytes, expected at most 127")]
    Metadata {
        /// The number of bytes.
        found: u8,
    },
    /// A number of variable length does not end, or is too large.
    #[error("a number of more than 32 bits")]
    Number,
    /// A move of sbinpack is none of the legal ones.
    #[error("move {found} of the legal ones, which are {count}")]
    MoveIndex {
        /// The number of the move, from 0.
        found: u32,
        /// The number of legal moves.
        count: u32,
    },
    /// The file ends in the middle of a game.
    #[error("the file ends after {found} bytes of the game")]
    Cut {
        /// The number of bytes that the file has of the game.
        found: u64,
    },
}

/// A damaged game, with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct GameDamage {
    /// The number of the game, from 1.
    pub game: u64,
    /// The first byte of the game, from 0.
    pub offset: u64,
    /// The number of the move in the game, from 1; `None` outside of moves.
    pub ply: Option<u32>,
    /// The byte of the fault.
    pub at: u64,
    /// The fault.
    pub fault: RecordFault,
    /// True if nothing after the game can be read.
    pub is_final: bool,
}

impl fmt::Display for GameDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} at byte {}: ", self.game, self.offset)?;
        match self.ply {
            Some(ply) => write!(f, "move {ply} at byte {}: ", self.at)?,
            None if self.at != self.offset => write!(f, "byte {}: ", self.at)?,
            None => {}
        }
        self.fault.fmt(f)?;
        f.write_str(if self.is_final { "; nothing after it can be read" } else { "" })
    }
}
