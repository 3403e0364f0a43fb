//! Faults of a server in the protocol.

use komadai_kifu::{CsaMoveError, KifuError};

/// What a server sent against the protocol.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProtocolError {
    /// A line of the summary of a game.
    #[error("summary of a game: found {found:?}, expected {expected}")]
    Summary {
        /// The line.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The summary of a game lacks a line.
    #[error("summary of a game: found no {key}")]
    Missing {
        /// The key of the line.
        key: &'static str,
    },
    /// The summary of a game is too long.
    #[error("summary of a game: more than {limit} lines")]
    TooLong {
        /// The limit.
        limit: usize,
    },
    /// The start position of a game, or the moves already made.
    #[error("position of a game's summary: {0}")]
    Position(#[source] KifuError),
    /// A move that the position does not allow.
    #[error("move of the server: {0}")]
    Move(#[from] CsaMoveError),
    /// A line that does not belong to the state of the session.
    #[error("found {found:?}, expected {expected}")]
    Unexpected {
        /// The line.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
}
