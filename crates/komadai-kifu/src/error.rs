//! Why a text is no game record.

use std::io;

use komadai_core::{Color, Piece, PieceKind, PositionError, Square, UsiError};
use komadai_movegen::IllegalMove;

use crate::LineError;

/// Why a text is no game record: what was found where, and what was expected.
///
/// Lines and columns count from 1, columns in characters. Found text is cut after 40 characters.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{Tolerance, parse_csa};
///
/// let error = parse_csa("V2.2\nPI\n+\n+7776FU\n-3334KA\n", Tolerance::Strict).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 5, column 2: ply 2 moves a Bishop, but a Pawn stands on 3c",
/// );
/// assert_eq!((error.line(), error.column()), (5, Some(2)));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KifuError {
    /// The source failed.
    #[error("line {line}: cannot read on")]
    Io {
        /// The line that was being read.
        line: u64,
        /// What happened.
        #[source]
        error: io::Error,
    },
    /// A line has more bytes than any record needs.
    #[error("line {line}: longer than {limit} bytes, expected a line of a game record")]
    LineTooLong {
        /// The line.
        line: u64,
        /// The limit in bytes.
        limit: usize,
    },
    /// One game holds more than any game needs.
    #[error("line {line}: the game has more than {limit} {what}")]
    GameTooLong {
        /// The line that is one too many.
        line: u64,
        /// What there is too much of.
        what: &'static str,
        /// How much there may be.
        limit: usize,
    },
    /// A line is in no encoding that records use.
    #[error("line {line}: neither UTF-8 nor Shift_JIS (code page 932) nor EUC-JP")]
    Encoding {
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
    /// The start position breaks a rule.
    #[error("line {line}: the start position is not possible: {error}")]
    StartPosition {
        /// The line that completes the position.
        line: u64,
        /// The rule.
        #[source]
        error: PositionError,
    },
    /// A move is signed for the side that is not to move.
    #[error(
        "line {line}, column {column}: ply {ply} is signed for {found:?}, but {expected:?} is to move"
    )]
    WrongSide {
        /// The line.
        line: u64,
        /// The column.
        column: usize,
        /// The number of the move, from 1.
        ply: usize,
        /// The side named.
        found: Color,
        /// The side to move.
        expected: Color,
    },
    /// A move names a piece that is not the one on its square, nor its promotion.
    #[error("line {line}, column {column}: ply {ply} moves a {named:?}, but a {:?} stands on {square}", .stands.kind())]
    WrongPiece {
        /// The line.
        line: u64,
        /// The column.
        column: usize,
        /// The number of the move, from 1.
        ply: usize,
        /// The origin.
        square: Square,
        /// The piece there.
        stands: Piece,
        /// The kind named.
        named: PieceKind,
    },
    /// A move is illegal.
    #[error("line {line}, column {column}: ply {ply}, {text}, is illegal: {reason}")]
    IllegalMove {
        /// The line.
        line: u64,
        /// The column.
        column: usize,
        /// The number of the move, from 1.
        ply: usize,
        /// The move as the text has it.
        text: String,
        /// The rule it breaks.
        #[source]
        reason: IllegalMove,
    },
    /// A line of USI is at fault.
    #[error("line {line}: {error}")]
    Usi {
        /// The line.
        line: u64,
        /// What is wrong with it; its byte offsets count from the start of the line.
        #[source]
        error: UsiError,
    },
}

impl KifuError {
    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        match self {
            Self::Io { line, .. }
            | Self::LineTooLong { line, .. }
            | Self::GameTooLong { line, .. }
            | Self::Encoding { line }
            | Self::Syntax { line, .. }
            | Self::StartPosition { line, .. }
            | Self::WrongSide { line, .. }
            | Self::WrongPiece { line, .. }
            | Self::IllegalMove { line, .. }
            | Self::Usi { line, .. } => *line,
        }
    }

    /// The column in characters, from 1, where the fault has one.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        match self {
            Self::Syntax { column, .. }
            | Self::WrongSide { column, .. }
            | Self::WrongPiece { column, .. }
            | Self::IllegalMove { column, .. } => Some(*column),
            _ => None,
        }
    }

    /// Whether the source failed, so that nothing more can be read from it.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Self::Io { .. })
    }
}

impl From<LineError> for KifuError {
    fn from(error: LineError) -> Self {
        match error {
            LineError::Io { line, error } => Self::Io { line, error },
            LineError::TooLong { line, limit } => Self::LineTooLong { line, limit },
        }
    }
}

/// The first characters of an offending text: errors never copy a whole broken file.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
