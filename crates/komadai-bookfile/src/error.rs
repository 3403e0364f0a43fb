//! Errors in the content of book files.

use std::error::Error;
use std::io;

use komadai_base::reading::{TextFault, TextFaultKind};
use komadai_core::{Move, PackedError, PositionError, SfenError};
use komadai_movegen::IllegalMove;

use crate::entry_error::EntryError;
use crate::fault_place::FaultPlace;

/// A fault in the content of a book file, text or binary: its place, what was found there, and what
/// was expected.
///
/// The text formats are `.db` and those of crates that build on this one; their lines and columns
/// count from 1, columns in characters, and found text is cut after 40 characters. The binary
/// formats are `.ybb`, Apery's `.bin` and ShogiGUI's `.sbk`; their records count from 1, bytes from
/// 0.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::BookError;
/// use komadai_bookfile::db::DbReader;
/// use komadai_bookfile::Tolerance;
///
/// let text = "#YANEURAOU-DB2016 1.00\nsfen 9/9/9/9/9/9/9/9/9 b - 1\n7g7f\n";
/// let mut reader = DbReader::new(text.as_bytes(), Tolerance::Strict);
/// let error: BookError = reader.next().expect("a record or an error").unwrap_err();
/// assert_eq!(error.line(), Some(2)); // no kings
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The source failed.
    #[error("{place}: cannot read on: {error}")]
    Io {
        /// The line that was being read, or the first byte that was requested.
        place: FaultPlace,
        /// The cause.
        #[source]
        error: io::Error,
    },
    /// Another program has changed the file since it was opened.
    #[error("the file has changed since it was opened")]
    Changed,
    /// The file does not start as its format requires.
    #[error("{place}: found {found:?}, expected {expected}")]
    Header {
        /// Line 1 or byte 0.
        place: FaultPlace,
        /// The first line or the first bytes.
        found: String,
        /// The expected start.
        expected: &'static str,
    },
    /// A line is longer than any line of a book needs to be.
    #[error("line {line}: longer than {limit} bytes, expected a line of a book")]
    LineTooLong {
        /// The line.
        line: u64,
        /// The limit in bytes.
        limit: usize,
    },
    /// The comments on one position and its moves are longer than a reader keeps.
    #[error("line {line}: the comments on one position have more than {limit} bytes")]
    CommentTooLong {
        /// The line that exceeds the limit.
        line: u64,
        /// The limit in bytes.
        limit: usize,
    },
    /// A line is not UTF-8.
    #[error("line {line}: not UTF-8")]
    NotUtf8 {
        /// The line.
        line: u64,
    },
    /// A part of a line is not what the format requires there.
    #[error("line {line}, column {column}: found {found:?}, expected {expected}")]
    Syntax {
        /// The line.
        line: u64,
        /// The column.
        column: usize,
        /// The text at that place.
        found: String,
        /// The expected text.
        expected: &'static str,
    },
    /// The SFEN of a position is malformed.
    #[error("{place}: {error}")]
    Sfen {
        /// The start of the position, from which the byte offsets of `error` count.
        place: FaultPlace,
        /// The fault of the SFEN.
        #[source]
        error: SfenError,
    },
    /// A book cannot hold the position.
    #[error("line {line}: a book cannot hold the position: {error}")]
    Position {
        /// The line.
        line: u64,
        /// The reason.
        #[source]
        error: PackedError,
    },
    /// A move is illegal.
    #[error("{place}: {m} is illegal: {reason}")]
    IllegalMove {
        /// The place of the move.
        place: FaultPlace,
        /// The move.
        m: Move,
        /// The rule that the move breaks.
        #[source]
        reason: IllegalMove,
    },
    /// A position has the same move twice.
    #[error("{place}: {m} is listed for the second time")]
    DuplicateMove {
        /// The place of the second of the two.
        place: FaultPlace,
        /// The move.
        m: Move,
    },
    /// The book has another number of positions than it announces: it may be cut off.
    #[error("the book announces {stated} positions, but {found} were found")]
    WrongCount {
        /// The number announced.
        stated: u64,
        /// The number found.
        found: u64,
    },
    /// The book in memory cannot take more.
    #[error("line {line}: {error}")]
    Full {
        /// The line.
        line: u64,
        /// The reason.
        #[source]
        error: EntryError,
    },
    /// The header sets flags without a known meaning.
    #[error("flags {flags:#x}, expected 0, or 1 for moves with a depth")]
    UnknownFlags {
        /// All flags.
        flags: u64,
    },
    /// The header announces more records than the file can hold.
    #[error("the book announces {stated} positions, but the file holds at most {most}")]
    TooManyRecords {
        /// The number announced.
        stated: u64,
        /// The number for which the file has room.
        most: u64,
    },
    /// The file ends too early.
    #[error("byte {at}: the file ends here, within {within}")]
    Truncated {
        /// The end of the file.
        at: u64,
        /// The part that is incomplete.
        within: &'static str,
    },
    /// Thirty-two bytes are not a packed position.
    #[error("{place}: {error}")]
    Packed {
        /// The place of the position.
        place: FaultPlace,
        /// The fault of the bytes.
        #[source]
        error: PackedError,
    },
    /// A position is not packed in the canonical way: a program that searches for it does not find
    /// it.
    #[error("{place}: the position is not packed in the canonical way")]
    OtherPacking {
        /// The place of the position.
        place: FaultPlace,
    },
    /// A position breaks the rules.
    #[error("{place}: {error}")]
    InvalidPosition {
        /// The place of the position.
        place: FaultPlace,
        /// The rule that the position breaks.
        #[source]
        error: PositionError,
    },
    /// A record of a binary book does not sort after the record before it, as binary search
    /// requires.
    #[error("{place}: the record does not sort after the record before it")]
    Unsorted {
        /// The place of the second record.
        place: FaultPlace,
    },
    /// The entries of a `.bin` file do not sort by their keys: other programs have books of the
    /// same ending in another format.
    #[error(
        "{place}: the record does not sort after the record before it, as those of an Apery book do; \
         .bin books of other programs, such as Gikou, are not read"
    )]
    NotApery {
        /// The place of the second record.
        place: FaultPlace,
    },
    /// A text book is not sorted by the bytes of its positions, as binary search requires.
    #[error("byte {at}: the position sorts before an earlier position")]
    UnsortedText {
        /// The offset of the second of the two positions.
        at: u64,
    },
    /// A record that a search in a text book found is faulty.
    #[error("the record at byte {at}: {error}")]
    FoundRecord {
        /// The start of the record; the lines of `error` count from there, starting with 2.
        at: u64,
        /// The fault of the record.
        #[source]
        error: Box<BookError>,
    },
    /// The moves of a position lie outside the file.
    #[error("{place}: moves from byte {start} to {end} of {size}")]
    MovesOutside {
        /// The place of the record.
        place: FaultPlace,
        /// The start of its moves, counted from the first move of the file.
        start: u64,
        /// The end of its moves, counted likewise.
        end: u64,
        /// The number of bytes of all moves.
        size: u64,
    },
    /// Two positions share bytes of their moves.
    #[error("{place}: the moves belong to another record as well")]
    MovesShared {
        /// The place of the second of the two records.
        place: FaultPlace,
    },
    /// A list is longer than any position needs.
    #[error("{place}: more than {most} {what}")]
    TooMany {
        /// The place of the record.
        place: FaultPlace,
        /// The kind of the listed items.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// A number does not encode a move.
    #[error("{place}: {bits:#06x} is not a move")]
    NoMove {
        /// The place of the number.
        place: FaultPlace,
        /// The number.
        bits: u32,
    },
    /// The bytes are not a protocol buffer, or a number is outside its range.
    #[error("byte {at}: expected {expected}")]
    Wire {
        /// The offset of the byte.
        at: u64,
        /// The expected content.
        expected: &'static str,
    },
    /// Two states have the same number.
    #[error("{place}: state {id} is defined for the second time")]
    DuplicateState {
        /// The place of the second of the two.
        place: FaultPlace,
        /// The number.
        id: i32,
    },
    /// A move leads to a state that the file does not have.
    #[error("{place}: {m} leads to state {id}, which is missing")]
    MissingState {
        /// The place of the move.
        place: FaultPlace,
        /// The move.
        m: Move,
        /// The number of the state.
        id: i32,
    },
    /// A move leads to a state that has another position.
    #[error("{place}: {m} leads to state {id}, which is another position")]
    OtherState {
        /// The place of the move.
        place: FaultPlace,
        /// The move.
        m: Move,
        /// The number of the state.
        id: i32,
    },
    /// A book that is no file of these formats cannot be read.
    #[error(transparent)]
    Foreign(Box<dyn Error + Send + Sync>),
}

impl BookError {
    /// The place, where the fault has one.
    pub fn place(&self) -> Option<FaultPlace> {
        match *self {
            Self::Io { place, .. }
            | Self::Header { place, .. }
            | Self::Sfen { place, .. }
            | Self::IllegalMove { place, .. }
            | Self::DuplicateMove { place, .. }
            | Self::Packed { place, .. }
            | Self::OtherPacking { place }
            | Self::InvalidPosition { place, .. }
            | Self::Unsorted { place }
            | Self::NotApery { place }
            | Self::MovesOutside { place, .. }
            | Self::MovesShared { place }
            | Self::TooMany { place, .. }
            | Self::NoMove { place, .. }
            | Self::DuplicateState { place, .. }
            | Self::MissingState { place, .. }
            | Self::OtherState { place, .. } => Some(place),
            Self::Syntax { line, column, .. } => Some(FaultPlace::Column { line, column }),
            Self::LineTooLong { line, .. }
            | Self::CommentTooLong { line, .. }
            | Self::NotUtf8 { line }
            | Self::Position { line, .. }
            | Self::Full { line, .. } => Some(FaultPlace::Line { line }),
            Self::Truncated { at, .. }
            | Self::UnsortedText { at }
            | Self::FoundRecord { at, .. }
            | Self::Wire { at, .. } => Some(FaultPlace::Byte { at }),
            Self::Changed
            | Self::Foreign(_)
            | Self::WrongCount { .. }
            | Self::UnknownFlags { .. }
            | Self::TooManyRecords { .. } => None,
        }
    }

    /// The line, from 1, of a fault in a text.
    pub fn line(&self) -> Option<u64> {
        self.place()?.line()
    }

    /// The column in characters, from 1, where the fault has one.
    pub fn column(&self) -> Option<usize> {
        self.place()?.column()
    }

    /// Returns true if nothing can be read after the fault, even by a lenient reader.
    pub fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Io { .. }
                | Self::Changed
                | Self::Foreign(_)
                | Self::Header { .. }
                | Self::Full { .. }
                | Self::UnknownFlags { .. }
                | Self::TooManyRecords { .. }
        )
    }
}

impl From<TextFault> for BookError {
    fn from(fault: TextFault) -> Self {
        let line = fault.line;
        let io = |line, error| Self::Io { place: FaultPlace::Line { line }, error };
        match fault.kind {
            TextFaultKind::Io(error) => io(line, error),
            TextFaultKind::LineTooLong { limit } => Self::LineTooLong { line, limit },
            _ => io(line, io::Error::other(fault)),
        }
    }
}
