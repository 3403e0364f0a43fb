//! What goes wrong with an engine process.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use komadai_core::Move;
use komadai_movegen::{IllegalMove, PlayError};

use crate::message::MessageError;
use crate::option::OptionError;

/// A fault of an engine process, with the lines that passed before it.
#[derive(Debug, thiserror::Error)]
#[error("engine {}: {}", .0.engine, .0.fault)]
pub struct ClientError(Box<Report>);

/// What [`ClientError`] tells; boxed, because errors travel through every result.
#[derive(Debug)]
struct Report {
    engine: String,
    fault: ClientFault,
    transcript: Vec<String>,
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientFault {
    /// The program cannot be started.
    #[error("cannot start {program}: {source}")]
    Launch {
        /// The program.
        program: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Nothing came for too long. The process has been killed.
    #[error("no {awaited} within {} ms, killed", waited.as_millis())]
    Silent {
        /// What was waited for.
        awaited: &'static str,
        /// For how long.
        waited: Duration,
    },
    /// Much came, but not what was waited for. The process has been killed.
    #[error("{lines} lines without {awaited}, killed; is this a USI engine?")]
    Babble {
        /// What was waited for.
        awaited: &'static str,
        /// How many lines came instead.
        lines: usize,
    },
    /// The process has exited or closed its output.
    #[error("gone while {awaited} was awaited{}", exit_note(*.status))]
    Died {
        /// What was waited for.
        awaited: &'static str,
        /// How it exited, if that is known.
        status: Option<ExitStatus>,
    },
    /// The process does not read what it is sent. It has been killed.
    #[error("does not read its input, killed")]
    Deaf,
    /// A line of more than a mebibyte. The process has been killed.
    #[error("sent a line of more than 1 MiB, killed")]
    EndlessLine,
    /// An answer that makes no sense.
    #[error("bad answer: {0}")]
    BadAnswer(#[from] MessageError),
    /// An answer to another question.
    #[error("answered {found:?}, expected {expected}")]
    WrongAnswer {
        /// The answer, shortened.
        found: String,
        /// What was due.
        expected: &'static str,
    },
    /// An answer to no question, before the next one was asked. Which answer belongs to what
    /// cannot be told any more: restart the engine.
    #[error("answered {found:?} although nothing was asked")]
    Unasked {
        /// The answer, shortened.
        found: String,
    },
    /// A move that the rules do not allow.
    #[error("answered {m}, which is illegal in `position {position}`: {reason}")]
    IllegalMove {
        /// The move.
        m: Move,
        /// Where: what follows the word `position` in USI.
        position: String,
        /// The rule it breaks.
        reason: IllegalMove,
    },
    /// The position that was asked about is none; the engine has not been asked.
    #[error("cannot ask about this position: {0}")]
    Position(#[from] PlayError),
    /// The engine has no such option, or it does not take such a value; it has not been told.
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl ClientError {
    pub(crate) fn new(engine: String, fault: ClientFault, transcript: Vec<String>) -> Self {
        Self(Box::new(Report { engine, fault, transcript }))
    }

    /// The engine's name, or its program if it has not told its name.
    #[must_use]
    pub fn engine(&self) -> &str {
        &self.0.engine
    }

    /// What went wrong.
    #[must_use]
    pub fn fault(&self) -> &ClientFault {
        &self.0.fault
    }

    /// The last lines that passed, oldest first: `<` to the engine, `>` from it, `!` from its
    /// standard error.
    #[must_use]
    pub fn transcript(&self) -> &[String] {
        &self.0.transcript
    }
}

fn exit_note(status: Option<ExitStatus>) -> String {
    status.map_or_else(String::new, |status| format!(" ({status})"))
}
