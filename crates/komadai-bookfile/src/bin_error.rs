//! Why a binary book cannot be read.

use std::io;

use komadai_core::{Move, PackedError, PositionError, SfenError};
use komadai_movegen::IllegalMove;

/// Why a book in a binary format (`.ybb`, Apery's `.bin`, ShogiGUI's `.sbk`) cannot be read: what
/// was found where, and what was expected.
///
/// Records count from 1, bytes from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BinBookError {
    /// The source failed.
    #[error("byte {at}: cannot read on: {error}")]
    Io {
        /// The first byte that was wanted.
        at: u64,
        /// What happened.
        #[source]
        error: io::Error,
    },
    /// The file does not begin as its format wants.
    #[error("the file begins with {found:?}, expected {expected}")]
    Header {
        /// Its first bytes.
        found: String,
        /// What was due.
        expected: &'static str,
    },
    /// The header sets flags that nobody has given a meaning.
    #[error("flags {flags:#x}, expected 0, or 1 for moves with a depth")]
    UnknownFlags {
        /// All flags.
        flags: u64,
    },
    /// The header states more records than the file can hold.
    #[error("the book says that it has {stated} positions, but the file holds at most {most}")]
    TooManyRecords {
        /// The number stated.
        stated: u64,
        /// The number for which there is room.
        most: u64,
    },
    /// The file ends too early.
    #[error("byte {at}: the file ends here, within {within}")]
    Truncated {
        /// Where it ends.
        at: u64,
        /// What is incomplete.
        within: &'static str,
    },
    /// Thirty-two bytes are no packed position.
    #[error("record {record}, byte {at}: {error}")]
    Packed {
        /// The record.
        record: u64,
        /// Where the position stands.
        at: u64,
        /// What is wrong with it.
        #[source]
        error: PackedError,
    },
    /// A position is packed in another way than programs pack it, who would search for it in vain.
    #[error("record {record}, byte {at}: the position is not packed as it should be")]
    OtherPacking {
        /// The record.
        record: u64,
        /// Where the position stands.
        at: u64,
    },
    /// A position breaks the rules.
    #[error("record {record}, byte {at}: {error}")]
    Position {
        /// The record.
        record: u64,
        /// Where the position stands.
        at: u64,
        /// The rule it breaks.
        #[source]
        error: PositionError,
    },
    /// A position's text is at fault.
    #[error("record {record}, byte {at}: {error}")]
    Sfen {
        /// The record.
        record: u64,
        /// Where the text begins.
        at: u64,
        /// What is wrong with it.
        #[source]
        error: SfenError,
    },
    /// A record does not come after the one before it, as searching the file needs.
    #[error("record {record}, byte {at}: it does not come after the one before it")]
    Unsorted {
        /// The record.
        record: u64,
        /// Where it stands.
        at: u64,
    },
    /// The moves of a position lie outside the file.
    #[error("record {record}, byte {at}: moves from byte {start} to {end} of {size}")]
    MovesOutside {
        /// The record.
        record: u64,
        /// Where it stands.
        at: u64,
        /// Where its moves begin, counted from the first move of all.
        start: u64,
        /// Where they end.
        end: u64,
        /// The number of bytes that all moves take.
        size: u64,
    },
    /// Some bytes are the moves of two positions.
    #[error("record {record}, byte {at}: its moves belong to another record as well")]
    MovesShared {
        /// The second of the two records.
        record: u64,
        /// Where it stands.
        at: u64,
    },
    /// A list is longer than any position needs.
    #[error("record {record}, byte {at}: more than {most} {what}")]
    TooMany {
        /// The record.
        record: u64,
        /// Where it stands.
        at: u64,
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// A number names no move.
    #[error("record {record}, byte {at}: {bits:#06x} names no move")]
    NoMove {
        /// The record.
        record: u64,
        /// Where the number stands.
        at: u64,
        /// The number.
        bits: u32,
    },
    /// A move is illegal.
    #[error("record {record}, byte {at}: {m} is illegal: {reason}")]
    IllegalMove {
        /// The record.
        record: u64,
        /// Where the move stands.
        at: u64,
        /// The move.
        m: Move,
        /// The rule it breaks.
        #[source]
        reason: IllegalMove,
    },
    /// A position has the same move twice.
    #[error("record {record}, byte {at}: {m} stands here for the second time")]
    DuplicateMove {
        /// The record.
        record: u64,
        /// Where the move stands.
        at: u64,
        /// The move.
        m: Move,
    },
    /// The bytes are no protocol buffer, or a number is none that can stand there.
    #[error("byte {at}: expected {expected}")]
    Wire {
        /// Where.
        at: u64,
        /// What was due.
        expected: &'static str,
    },
    /// Two states have one number.
    #[error("record {record}, byte {at}: state {id} stands here for the second time")]
    DuplicateState {
        /// The second of the two.
        record: u64,
        /// Where it stands.
        at: u64,
        /// The number.
        id: i32,
    },
    /// A move leads to a state that there is not.
    #[error("record {record}, byte {at}: {m} leads to state {id}, which is missing")]
    MissingState {
        /// The record.
        record: u64,
        /// Where the move stands.
        at: u64,
        /// The move.
        m: Move,
        /// The number.
        id: i32,
    },
    /// A move leads to a state that has another position.
    #[error("record {record}, byte {at}: {m} leads to state {id}, which is another position")]
    OtherState {
        /// The record.
        record: u64,
        /// Where the move stands.
        at: u64,
        /// The move.
        m: Move,
        /// The number.
        id: i32,
    },
}

impl BinBookError {
    /// The record, from 1, where the fault has one.
    #[must_use]
    pub fn record(&self) -> Option<u64> {
        match self {
            Self::Packed { record, .. }
            | Self::OtherPacking { record, .. }
            | Self::Position { record, .. }
            | Self::Sfen { record, .. }
            | Self::Unsorted { record, .. }
            | Self::MovesOutside { record, .. }
            | Self::MovesShared { record, .. }
            | Self::TooMany { record, .. }
            | Self::NoMove { record, .. }
            | Self::IllegalMove { record, .. }
            | Self::DuplicateMove { record, .. }
            | Self::DuplicateState { record, .. }
            | Self::MissingState { record, .. }
            | Self::OtherState { record, .. } => Some(*record),
            Self::Io { .. }
            | Self::Header { .. }
            | Self::UnknownFlags { .. }
            | Self::TooManyRecords { .. }
            | Self::Truncated { .. }
            | Self::Wire { .. } => None,
        }
    }

    /// The byte, from 0, where the fault has one.
    #[must_use]
    pub fn at(&self) -> Option<u64> {
        match self {
            Self::Io { at, .. }
            | Self::Truncated { at, .. }
            | Self::Packed { at, .. }
            | Self::OtherPacking { at, .. }
            | Self::Position { at, .. }
            | Self::Sfen { at, .. }
            | Self::Unsorted { at, .. }
            | Self::MovesOutside { at, .. }
            | Self::MovesShared { at, .. }
            | Self::TooMany { at, .. }
            | Self::NoMove { at, .. }
            | Self::IllegalMove { at, .. }
            | Self::DuplicateMove { at, .. }
            | Self::Wire { at, .. }
            | Self::DuplicateState { at, .. }
            | Self::MissingState { at, .. }
            | Self::OtherState { at, .. } => Some(*at),
            Self::Header { .. } => Some(0),
            Self::UnknownFlags { .. } | Self::TooManyRecords { .. } => None,
        }
    }

    /// Whether nothing more can be read after it.
    pub(crate) fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Io { .. }
                | Self::Header { .. }
                | Self::UnknownFlags { .. }
                | Self::TooManyRecords { .. }
        )
    }
}
