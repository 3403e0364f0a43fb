//! Errors of the server as errors of a queue.

use std::error::Error as _;
use std::io;

use komadai_book::queue::{QueueError, Refusal};
use postgres::error::SqlState;

/// An error of the connection, or one that this crate states.
#[derive(Debug)]
pub(crate) enum Fault {
    Server(postgres::Error),
    Queue(QueueError),
}

impl From<postgres::Error> for Fault {
    fn from(error: postgres::Error) -> Self {
        Self::Server(error)
    }
}

impl From<QueueError> for Fault {
    fn from(error: QueueError) -> Self {
        Self::Queue(error)
    }
}

impl From<Fault> for QueueError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Server(error) if is_temporary(&error) => {
                Self::Unavailable { error: message(&error).into() }
            }
            Fault::Server(error) => refused(message(&error)),
            Fault::Queue(error) => error,
        }
    }
}

/// The states that the functions of the schema raise.
pub(crate) const UNKNOWN_WORKER: &str = "KM001";
const DISMISSED: &str = "KM004";
pub(crate) const NEW_ENGINES: &str = "KM005";

impl Fault {
    /// States the worker that the server gives no more work, if this is the reason.
    pub(crate) fn of_worker(self, worker: &str) -> Self {
        match self {
            Self::Server(error) if is_state(&error, DISMISSED) => {
                let text = error.as_db_error().map_or("", |error| error.message());
                let failures = text.parse().unwrap_or_default();
                QueueError::from(Refusal::Dismissed { worker: worker.to_owned(), failures }).into()
            }
            fault => fault,
        }
    }

    /// Returns whether the server reports this state.
    pub(crate) fn is(&self, state: &str) -> bool {
        matches!(self, Self::Server(error) if is_state(error, state))
    }

    /// The reason, if the server may answer later.
    pub(crate) fn outage(&self) -> Option<String> {
        match self {
            Self::Server(error) => is_temporary(error).then(|| message(error)),
            Self::Queue(QueueError::Unavailable { error }) => Some(error.to_string()),
            Self::Queue(_) => None,
        }
    }

    /// Returns whether the same call may succeed at once: it met another one, and the server has undone it.
    pub(crate) fn is_collision(&self) -> bool {
        let collisions = [SqlState::T_R_DEADLOCK_DETECTED, SqlState::T_R_SERIALIZATION_FAILURE];
        matches!(self, Self::Server(error) if error.code().is_some_and(|code| collisions.contains(code)))
    }

    /// Returns whether the connection cannot be used any more.
    pub(crate) fn ends_connection(&self) -> bool {
        // The states of class 57 with a P are those of a server that shuts down.
        let Self::Server(error) = self else { return false };
        error.is_closed() || error.code().is_none_or(|code| code.code().starts_with("57P"))
    }
}

fn is_state(error: &postgres::Error, state: &str) -> bool {
    error.code().is_some_and(|code| code.code() == state)
}

/// An error that the same call gives again.
pub(crate) fn refused(reason: impl Into<String>) -> QueueError {
    Refusal::Other { reason: reason.into() }.into()
}

/// Returns whether the server may answer later.
fn is_temporary(error: &postgres::Error) -> bool {
    if let Some(code) = error.code() {
        // Classes: connection, resources such as disk space and connections, intervention of an operator (a
        // restart, a time limit), collisions; and a row that is locked, a server that is only a copy.
        let classes = ["08", "53", "57", "40", "55"];
        return classes.iter().any(|class| code.code().starts_with(class))
            || *code == SqlState::READ_ONLY_SQL_TRANSACTION;
    }
    if error.is_closed() {
        return true;
    }
    // Certificates that do not match stay so.
    let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    source.is_some_and(|source| source.kind() != io::ErrorKind::InvalidData)
}

/// The message of the server with its hint, or that of the connection with its causes.
fn message(error: &postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        let hint = error.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
        return format!("{}{hint}", error.message());
    }
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let text = cause.to_string();
        if !message.contains(&text) {
            message += &format!(": {text}");
        }
        source = cause.source();
    }
    message
}
