//! Errors of the client, and faults of a server in the protocol.

use std::io;
use std::time::Duration;

use komadai_kifu::KifuError;
use komadai_kifu::notation::CsaMoveError;

/// The reason why a client cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CsaError {
    /// The server cannot be reached.
    #[error("cannot connect to {address}: {error}")]
    Connect {
        /// Host and port.
        address: String,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The name of the player or the password cannot be sent.
    #[error("{what}: found {found}, expected one word of printable ASCII")]
    BadWord {
        /// The name or the password.
        what: &'static str,
        /// The name in quotes, or a description of the password.
        found: String,
    },
    /// The client was asked to stop.
    #[error("stopped")]
    Stopped,
    /// The connection was lost.
    #[error("the connection was lost: {0}")]
    Lost(#[source] io::Error),
    /// The server did not answer.
    #[error("no answer to {waiting_for} within {limit:?}")]
    Silent {
        /// The line that was sent.
        waiting_for: &'static str,
        /// The time that was waited.
        limit: Duration,
    },
    /// Name or password are wrong.
    #[error("the server refused the log-in")]
    LoginRefused,
    /// The server broke the protocol.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// The own player failed.
    #[error("the player failed: {0}")]
    Player(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl CsaError {
    /// Returns true if another attempt to connect may help.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io;
    ///
    /// use komadai_csa::CsaError;
    ///
    /// assert!(CsaError::Lost(io::ErrorKind::ConnectionReset.into()).is_passing());
    /// assert!(!CsaError::LoginRefused.is_passing());
    /// ```
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Connect { .. } | Self::Lost(_) | Self::Silent { .. })
    }
}

/// A line or a move by which a server broke the protocol.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProtocolError {
    /// A line of the summary of a game.
    #[error("summary of a game: found {found:?}, expected {expected}")]
    Summary {
        /// The line.
        found: String,
        /// The expected form.
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
        /// The expected form.
        expected: &'static str,
    },
}
