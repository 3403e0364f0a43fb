//! Faults of an engine process.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use komadai_core::Move;
use komadai_movegen::{IllegalMove, PlayError};

use crate::message::MessageError;
use crate::option::OptionError;
use crate::transcript::last_stderr;

/// A fault of an engine process, with the last lines of the dialogue before it.
///
/// The text ends with the last lines of the standard error, if there are any: the reason is often
/// there.
///
/// # Examples
///
/// ```
/// use komadai_usi::{ClientFault, EngineConfig, EngineProcess};
///
/// let error = EngineProcess::launch(EngineConfig::new("/no/such/engine")).unwrap_err();
/// assert!(matches!(error.fault(), ClientFault::Launch { .. }));
/// assert!(error.transcript().is_empty()); // nothing was said
/// ```
#[derive(Debug, thiserror::Error)]
#[error("engine {}: {}{}", .0.engine, .0.fault, stderr_note(self))]
pub struct ClientError(Box<Report>);

/// The content of a [`ClientError`]. It is boxed to keep every `Result` small.
#[derive(Debug)]
struct Report {
    engine: String,
    fault: ClientFault,
    transcript: Vec<String>,
}

/// The kind of a fault.
///
/// # Examples
///
/// ```no_run
/// use komadai_core::{Budget, Position};
/// use komadai_usi::{ClientFault, EngineConfig, EngineProcess};
///
/// let mut engine = EngineProcess::launch(EngineConfig::new("/opt/engines/some-engine"))?;
/// let found = engine.analyse(&Position::hirate(), &Budget::nodes(1_000), &mut |_| {});
/// if let Err(error) = found {
///     match error.fault() {
///         ClientFault::Died { .. } | ClientFault::Silent { .. } => engine.restart()?,
///         fault => eprintln!("{fault}\n{}", error.transcript().join("\n")),
///     }
/// }
/// # Ok::<(), komadai_usi::ClientError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientFault {
    /// The program cannot be started.
    #[error("cannot start {program}: {source}")]
    Launch {
        /// The program.
        program: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// No output within the timeout. The process has been killed.
    #[error("no {awaited} within {} ms, killed", waited.as_millis())]
    Silent {
        /// The awaited message.
        awaited: &'static str,
        /// The timeout.
        waited: Duration,
    },
    /// Too many lines without the awaited message, or more than 16 MiB. The process has been
    /// killed.
    #[error("{lines} lines without {awaited}, killed; is this a USI engine?")]
    Babble {
        /// The awaited message.
        awaited: &'static str,
        /// Number of lines received instead.
        lines: usize,
    },
    /// The process has exited or closed its output.
    #[error("gone while its {awaited} was awaited{}", exit_note(*.status))]
    Died {
        /// The awaited message.
        awaited: &'static str,
        /// The exit status, if it is known.
        status: Option<ExitStatus>,
    },
    /// The process has closed its input, or does not read it. It has been killed.
    #[error("does not read its input, killed")]
    Deaf,
    /// A line of more than 1 MiB. The process has been killed.
    #[error("sent a line of more than 1 MiB, killed")]
    EndlessLine,
    /// An answer that cannot be read.
    #[error("bad answer: {0}")]
    BadAnswer(#[from] MessageError),
    /// An answer of the wrong kind.
    #[error("answered {found:?}, expected {expected}")]
    WrongAnswer {
        /// The answer, shortened.
        found: String,
        /// The expected kind.
        expected: &'static str,
    },
    /// An answer without a search. Later answers can no longer be assigned to their searches:
    /// restart the engine.
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
        /// The position, in the form that follows `position` in USI.
        position: String,
        /// The violated rule.
        reason: IllegalMove,
    },
    /// The given position is invalid. The engine has received nothing.
    #[error("cannot ask about this position: {0}")]
    Position(#[from] PlayError),
    /// The engine has no such option, or the value is out of its range. The engine has received
    /// nothing.
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl ClientError {
    pub(crate) fn new(engine: String, fault: ClientFault, transcript: Vec<String>) -> Self {
        Self(Box::new(Report { engine, fault, transcript }))
    }

    /// The name of the engine, or its program if the name is unknown.
    pub fn engine(&self) -> &str {
        &self.0.engine
    }

    /// The kind of the fault.
    pub fn fault(&self) -> &ClientFault {
        &self.0.fault
    }

    /// The last lines of the dialogue, oldest first: `<` to the engine, `>` from it, `!` from its
    /// standard error.
    pub fn transcript(&self) -> &[String] {
        &self.0.transcript
    }

    /// Returns the last lines of the standard error in one, at most three, separated by ` / `.
    /// Empty if there are none.
    pub fn stderr(&self) -> String {
        last_stderr(&self.0.transcript)
    }
}

fn stderr_note(error: &ClientError) -> String {
    match error.stderr() {
        none if none.is_empty() => none,
        lines => format!("; on its standard error: {lines}"),
    }
}

fn exit_note(status: Option<ExitStatus>) -> String {
    status.map_or_else(String::new, |status| format!(" ({status})"))
}
