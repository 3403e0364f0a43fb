//! The kinds of formations.

use std::fmt;

/// The kind of a [`Formation`](crate::formation::Formation).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FormationKind {
    /// A castle (囲い): a king and the pieces that guard it.
    Castle,
    /// A strategy (戦法): a way to open the game.
    Strategy,
}

impl fmt::Display for FormationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Castle => "castle",
            Self::Strategy => "strategy",
        })
    }
}
