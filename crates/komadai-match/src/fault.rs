//! Faults of contestants.

use komadai_usi::{ClientError, ClientFault};

/// A fault of a contestant. It loses the game.
///
/// # Examples
///
/// ```
/// use komadai_match::{ContestantFault, FaultKind};
///
/// let fault = ContestantFault::new(FaultKind::IllegalMove, "7g7e");
/// assert_eq!(fault.to_string(), "illegal move: 7g7e");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[error("{kind}: {detail}")]
pub struct ContestantFault {
    /// The kind of the fault.
    pub kind: FaultKind,
    /// A description of the event.
    pub detail: String,
}

/// The kind of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum FaultKind {
    /// A move that the rules do not allow.
    IllegalMove,
    /// A declaration of a win whose conditions are not met.
    FalseDeclaration,
    /// An answer that cannot be read or does not fit the request.
    BadAnswer,
    /// The process has ended, or the player has panicked.
    Crash,
    /// No answer, even after the request to stop.
    Hang,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::IllegalMove, Self::FalseDeclaration, Self::BadAnswer, Self::Crash, Self::Hang];

    /// Returns the name of the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::IllegalMove => "illegal move",
            Self::FalseDeclaration => "false declaration",
            Self::BadAnswer => "bad answer",
            Self::Crash => "crash",
            Self::Hang => "hang",
        }
    }
}

impl std::fmt::Display for FaultKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl ContestantFault {
    /// Returns a fault of this kind.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into() }
    }
}

/// Converts a fault of an engine process. The detail ends with the last line on the standard error
/// of the process, if there is one.
impl From<ClientError> for ContestantFault {
    fn from(error: ClientError) -> Self {
        let kind = match error.fault() {
            ClientFault::IllegalMove { .. } => FaultKind::IllegalMove,
            ClientFault::Silent { .. } | ClientFault::Deaf => FaultKind::Hang,
            ClientFault::Launch { .. } | ClientFault::Died { .. } => FaultKind::Crash,
            _ => FaultKind::BadAnswer,
        };
        let last_line = error.transcript().iter().rev().find_map(|line| line.strip_prefix("! "));
        let said = last_line.map_or_else(String::new, |line| format!("; it said {line:?}"));
        Self::new(kind, format!("{}{said}", error.fault()))
    }
}
