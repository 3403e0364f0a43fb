//! The error of all readers of game records, and that of the writers.

use std::borrow::Cow;

use komadai_core::{Color, Move, Piece, PieceKind, PositionError, Square, UsiError};
use komadai_movegen::IllegalMove;

#[cfg(feature = "jkf")]
use crate::jkf_fault::JkfFault;
use crate::kifu_format::KifuFormat;
use crate::notation::JapaneseMoveError;
use crate::variation::Line;
use komadai_base::reading::TextFault;

/// The reason why a text is not a game record: the place, the text found and the text expected.
///
/// Lines and columns count from 1, columns in characters. Text in errors is cut after 40
/// characters.
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
    /// A fault that does not depend on the format: I/O, length, encoding or syntax.
    #[error(transparent)]
    Text(#[from] TextFault),
    /// One game has more moves or text than any real game.
    #[error("line {line}: the game has more than {limit} {what}")]
    GameTooLong {
        /// The line that exceeds the limit.
        line: u64,
        /// Unit of the limit.
        what: &'static str,
        /// Largest number of these units in a game.
        limit: usize,
    },
    /// The text has a game with other rules, which is left out.
    #[error(
        "line {line}: found {found:?}, expected shogi on nine by nine squares; this game is left out"
    )]
    OtherGame {
        /// The line.
        line: u64,
        /// The name of the game, or the size of its board.
        found: String,
    },
    /// The text has no game, where one is needed.
    #[error("line {line}: the text ends, expected a game")]
    NoGame {
        /// The last line.
        line: u64,
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
    /// A move has the sign of the side that is not to move.
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
        /// The side of the sign.
        found: Color,
        /// The side to move.
        expected: Color,
    },
    /// A move names a piece that is neither the one on its origin nor the promotion of that piece.
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
        /// The piece on the origin.
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
    /// A move in Japanese is none of the position, or several.
    #[error("line {line}, column {column}: {error}")]
    JapaneseMove {
        /// The line.
        line: u64,
        /// The column.
        column: usize,
        /// The fault of the move.
        #[source]
        error: JapaneseMoveError,
    },
    /// A line of USI is malformed.
    #[error("line {line}: {error}")]
    Usi {
        /// The line.
        line: u64,
        /// The fault in the line. Its byte offsets count from the start of the line.
        #[source]
        error: UsiError,
    },
    /// The text is probably one of another format than that of the reader.
    #[error("{fault}; {}", looks_like(*.format, *.encoding))]
    OtherFormat {
        /// The first fault of the text in the format of the reader.
        fault: Box<KifuError>,
        /// The format that the text resembles.
        format: KifuFormat,
        /// The encoding of the text, `UTF-8`, `Shift_JIS` or `EUC-JP`; `None` for ASCII.
        encoding: Option<&'static str>,
    },
    /// A move cannot be made or read. It was left out in a lenient reading with the moves after it,
    /// which refer to an unknown board.
    #[error("{fault}; {}", left_out(*.moves, .end.as_deref()))]
    MovesLost {
        /// The fault of the move.
        fault: Box<KifuError>,
        /// The number of moves left out, that move included.
        moves: u64,
        /// The word for the end of the line, if it has one after them. The record has this end.
        end: Option<String>,
    },
    /// A text in JSON has a fault: the place is a path, not a line.
    #[cfg(feature = "jkf")]
    #[error(transparent)]
    Jkf(#[from] JkfFault),
}

impl KifuError {
    /// Returns the line, from 1; 0 for a fault of a value in JSON, which has a path instead.
    pub fn line(&self) -> u64 {
        match self {
            Self::Text(fault) => fault.line,
            Self::GameTooLong { line, .. }
            | Self::StartPosition { line, .. }
            | Self::OtherGame { line, .. }
            | Self::NoGame { line }
            | Self::WrongSide { line, .. }
            | Self::WrongPiece { line, .. }
            | Self::IllegalMove { line, .. }
            | Self::JapaneseMove { line, .. }
            | Self::Usi { line, .. } => *line,
            Self::OtherFormat { fault, .. } | Self::MovesLost { fault, .. } => fault.line(),
            #[cfg(feature = "jkf")]
            Self::Jkf(fault) => fault.line.unwrap_or(0),
        }
    }

    /// Returns the column in characters, from 1, if the fault has one.
    pub fn column(&self) -> Option<usize> {
        match self {
            Self::Text(fault) => fault.column,
            Self::WrongSide { column, .. }
            | Self::WrongPiece { column, .. }
            | Self::IllegalMove { column, .. }
            | Self::JapaneseMove { column, .. } => Some(*column),
            Self::GameTooLong { .. }
            | Self::OtherGame { .. }
            | Self::NoGame { .. }
            | Self::StartPosition { .. }
            | Self::Usi { .. } => None,
            Self::OtherFormat { fault, .. } | Self::MovesLost { fault, .. } => fault.column(),
            #[cfg(feature = "jkf")]
            Self::Jkf(fault) => fault.column,
        }
    }

    /// Returns advice how to read or mend the text, for faults with a usual cause.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{Tolerance, parse_csa};
    ///
    /// let error = parse_csa("手合割：平手\n1 ７六歩(77)\n", Tolerance::Strict).unwrap_err();
    /// assert_eq!(error.hint().as_deref(), Some("the text looks like KIF in UTF-8"));
    /// ```
    pub fn hint(&self) -> Option<Cow<'static, str>> {
        Some(match self {
            Self::OtherFormat { format, encoding, .. } => looks_like(*format, *encoding).into(),
            Self::MovesLost { fault, .. } => return fault.hint(),
            Self::WrongSide { .. } => "a move before it may be missing".into(),
            Self::JapaneseMove { error: JapaneseMoveError::Ambiguous { .. }, .. } => {
                "a word such as 右 or 引, or an origin such as (49), tells the pieces apart".into()
            }
            Self::IllegalMove { .. } => {
                "a lenient reading keeps a foul that can be made on the board".into()
            }
            _ => return None,
        })
    }

    /// Returns true if the source failed, so that nothing more can be read from it.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Self::Text(fault) if fault.is_final())
    }
}

/// Returns the hint for a text of another format.
fn looks_like(format: KifuFormat, encoding: Option<&str>) -> String {
    let encoding = encoding.map(|name| format!(" in {name}")).unwrap_or_default();
    format!("the text looks like {}{encoding}", format.name())
}

/// Returns the consequence of a move that cannot be made.
fn left_out(moves: u64, end: Option<&str>) -> String {
    let moves = match moves {
        0 | 1 => "the move is left out".to_owned(),
        2 => "the move and 1 more move are left out".to_owned(),
        moves => format!("the move and {} more moves are left out", moves - 1),
    };
    match end {
        Some(end) => format!("{moves}, the end {end} is kept"),
        None => moves,
    }
}

/// The reason why a record cannot be written in a format. Records that were read move no piece that
/// is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordTextError {
    /// A move starts from an empty square, so that its piece cannot be named.
    #[error("ply {ply}, {m}, moves a piece that is not there")]
    NoPiece {
        /// The number of the move, from 1.
        ply: usize,
        /// The move.
        m: Move,
    },
    /// The position before a move breaks a rule, so that the move has no name in KI2.
    #[error("ply {ply}, {m}, has no name, because the position before it breaks the rules")]
    NoPosition {
        /// The number of the move, from 1.
        ply: usize,
        /// The move.
        m: Move,
    },
    /// A move cannot be carried out, so that JKF cannot name its piece.
    #[error("ply {ply} of {line:?}, {m}, cannot be carried out")]
    ImpossibleMove {
        /// The line.
        line: Line,
        /// The number of the move, from 1.
        ply: usize,
        /// The move.
        m: Move,
    },
    /// Variations are nested more deeply than a reader of JSON must accept.
    #[error("variations are nested more than {limit} deep")]
    TooDeep {
        /// The largest depth.
        limit: usize,
    },
    /// The format needs a feature of the crate that is off.
    #[error("the format {format:?} needs a feature of komadai-kifu")]
    FeatureOff {
        /// The format.
        format: KifuFormat,
    },
}
