//! What may be wrong with a contestant.

use komadai_usi::{ClientError, ClientFault};

/// A fault of a contestant, which loses it the game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {detail}")]
pub struct Fault {
    /// What it is counted as.
    pub kind: FaultKind,
    /// What happened, in words.
    pub detail: String,
}

/// The kinds of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// A move that the rules do not allow.
    IllegalMove,
    /// A win was declared without the conditions.
    FalseDeclaration,
    /// An answer that makes no sense.
    BadAnswer,
    /// The process has exited, or the player panicked.
    Crash,
    /// No answer, even after being told to stop.
    Hang,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::IllegalMove, Self::FalseDeclaration, Self::BadAnswer, Self::Crash, Self::Hang];

    /// The kind in words.
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

impl Fault {
    /// A fault of this kind.
    #[must_use]
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into() }
    }
}

/// The detail ends with the engine's last words on its standard error, if there are any.
impl From<ClientError> for Fault {
    fn from(error: ClientError) -> Self {
        let kind = match error.fault() {
            ClientFault::IllegalMove { .. } => FaultKind::IllegalMove,
            ClientFault::Silent { .. } | ClientFault::Deaf => FaultKind::Hang,
            ClientFault::Launch { .. } | ClientFault::Died { .. } => FaultKind::Crash,
            _ => FaultKind::BadAnswer,
        };
        let last_words = error.transcript().iter().rev().find_map(|line| line.strip_prefix("! "));
        let said = last_words.map_or_else(String::new, |words| format!("; it said {words:?}"));
        Self::new(kind, format!("{}{said}", error.fault()))
    }
}
