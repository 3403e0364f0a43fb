//! Errors of the client.

use std::io;
use std::time::Duration;

use crate::protocol_error::ProtocolError;

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
        /// What was sent.
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
    #[must_use]
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Connect { .. } | Self::Lost(_) | Self::Silent { .. })
    }
}
