//! The error of lists that are read line by line: lists of games, and reviewed lists of moves.

use komadai_core::{Move, SfenError};
use komadai_kifu::{KifuError, TextFault};
use komadai_movegen::IllegalMove;

/// The reason why a list of games or a reviewed list of moves cannot be read: the place, the text
/// found and the text expected. Lines count from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListError {
    /// A fault that any text can have: I/O, length, encoding or syntax.
    #[error(transparent)]
    Text(#[from] TextFault),
    /// A game of a list is at fault, or the source of the games failed.
    #[error(transparent)]
    Game(#[from] KifuError),
    /// An option of a game has a value that is not of its kind.
    #[error("line {line}: found {found:?} as {name}, expected {expected}")]
    OptionValue {
        /// The line.
        line: u64,
        /// The name of the option.
        name: &'static str,
        /// The value found, cut after 40 characters.
        found: String,
        /// The kind of value expected.
        expected: &'static str,
    },
    /// A game has the same option twice.
    #[error("line {line}: found {name} twice, expected it at most once")]
    RepeatedOption {
        /// The line.
        line: u64,
        /// The name of the option.
        name: &'static str,
    },
    /// The position of a move is not valid SFEN.
    #[error("line {line}: {error}")]
    Sfen {
        /// The line.
        line: u64,
        /// The fault of the position's text.
        #[source]
        error: SfenError,
    },
    /// A move is illegal in its position.
    #[error("line {line}: {m} is illegal: {reason}")]
    IllegalMove {
        /// The line.
        line: u64,
        /// The move.
        m: Move,
        /// The rule that the move breaks.
        #[source]
        reason: IllegalMove,
    },
}
