//! Errors of the analysis of a composition.

use std::error::Error;
use std::fmt;

/// Longest mate whose length is computed, in plies.
pub const MAX_LENGTH: u32 = 399;

/// A reason why a composition cannot be analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CompositionError {
    /// There is no mate.
    NoMate,
    /// The budget was spent before a result.
    Budget,
    /// The mate that was found takes more plies than are analysed.
    TooLong {
        /// Plies within which the attacker mates.
        plies: u32,
    },
    /// The line that the author intends is not a mate.
    IntendedLine {
        /// Number of the first move, from 1, that is illegal, gives no check or allows the defender to escape.
        ply: u32,
    },
}

impl fmt::Display for CompositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMate => f.write_str("no mate"),
            Self::Budget => f.write_str("the budget was spent before a result"),
            Self::TooLong { plies } => {
                write!(f, "a mate within {plies} plies, more than {} are not analysed", MAX_LENGTH)
            }
            Self::IntendedLine { ply } => {
                write!(f, "move {ply} of the intended line does not mate")
            }
        }
    }
}

impl Error for CompositionError {}
