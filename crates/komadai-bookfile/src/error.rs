//! Why a text is no book.

use std::io;

use komadai_core::{Move, PackedError, SfenError};
use komadai_kifu::{TextFault, TextFaultKind};
use komadai_movegen::IllegalMove;

use crate::entry_error::EntryError;

/// Why a book file cannot be read: what was found where, and what was expected.
///
/// Lines and columns count from 1, columns in characters. Found text is cut after 40 characters.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The source failed.
    #[error("line {line}: cannot read on: {error}")]
    Io {
        /// The line that was being read.
        line: u64,
        /// What happened.
        #[source]
        error: io::Error,
    },
    /// A line has more bytes than any line of a book needs.
    #[error("line {line}: longer than {limit} bytes, expected a line of a book")]
    LineTooLong {
        /// The line.
        line: u64,
        /// The limit in bytes.
        limit: usize,
    },
    /// The comments on one position and its moves have more bytes than any reader needs to keep.
    #[error("line {line}: the comments on one position have more than {limit} bytes")]
    CommentTooLong {
        /// The line that is one too many.
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
    /// Something is not what the format wants there.
    #[error("line {line}, column {column}: found {found:?}, expected {expected}")]
    Syntax {
        /// The line.
        line: u64,
        /// The column.
        column: usize,
        /// The text there.
        found: String,
        /// What was due.
        expected: &'static str,
    },
    /// The first line is not the one that tells what kind of file this is.
    #[error("line 1: found {found:?}, expected {expected}")]
    Header {
        /// The first line.
        found: String,
        /// What was due.
        expected: &'static str,
    },
    /// A position's text is at fault.
    #[error("line {line}, column {column}: {error}")]
    Sfen {
        /// The line.
        line: u64,
        /// The column of the position, from which its own byte offsets count.
        column: usize,
        /// What is wrong with it.
        #[source]
        error: SfenError,
    },
    /// A position is one that a book cannot hold.
    #[error("line {line}: a book cannot hold the position: {error}")]
    Position {
        /// The line.
        line: u64,
        /// Why not.
        #[source]
        error: PackedError,
    },
    /// A move is illegal.
    #[error("line {line}, column {column}: {m} is illegal: {reason}")]
    IllegalMove {
        /// The line.
        line: u64,
        /// The column.
        column: usize,
        /// The move.
        m: Move,
        /// The rule it breaks.
        #[source]
        reason: IllegalMove,
    },
    /// A position has the same move twice.
    #[error("line {line}, column {column}: {m} stands here for the second time")]
    DuplicateMove {
        /// The line.
        line: u64,
        /// The column.
        column: usize,
        /// The move.
        m: Move,
    },
    /// The book has not as many positions as it says: it may be cut off.
    #[error("the book says that it has {stated} positions, but {found} were found")]
    Truncated {
        /// The number stated.
        stated: u64,
        /// The number found.
        found: u64,
    },
    /// The book in memory cannot take more.
    #[error("line {line}: {error}")]
    Full {
        /// The line.
        line: u64,
        /// Why not.
        #[source]
        error: EntryError,
    },
}

impl BookError {
    /// The line, from 1, where the fault has one.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        match self {
            Self::Io { line, .. }
            | Self::LineTooLong { line, .. }
            | Self::CommentTooLong { line, .. }
            | Self::NotUtf8 { line }
            | Self::Syntax { line, .. }
            | Self::Sfen { line, .. }
            | Self::Position { line, .. }
            | Self::IllegalMove { line, .. }
            | Self::DuplicateMove { line, .. }
            | Self::Full { line, .. } => Some(*line),
            Self::Header { .. } => Some(1),
            Self::Truncated { .. } => None,
        }
    }

    /// The column in characters, from 1, where the fault has one.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        match self {
            Self::Syntax { column, .. }
            | Self::Sfen { column, .. }
            | Self::IllegalMove { column, .. }
            | Self::DuplicateMove { column, .. } => Some(*column),
            _ => None,
        }
    }

    /// Whether nothing more can be read after it.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Io { .. } | Self::Header { .. } | Self::Full { .. })
    }
}

impl From<TextFault> for BookError {
    fn from(fault: TextFault) -> Self {
        let line = fault.line;
        match fault.kind {
            TextFaultKind::Io(error) => Self::Io { line, error },
            TextFaultKind::LineTooLong { limit } => Self::LineTooLong { line, limit },
            _ => Self::Io { line, error: io::Error::other(fault) },
        }
    }
}
