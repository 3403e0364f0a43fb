//! A certificate in memory.

use std::fmt;

use komadai_core::Move;

use super::claim::Claim;
use super::reader::HEADER;

/// A proof that a solver has helped to write: see the [module](super). Displays as the text of the
/// file.
///
/// Only [`check`](super::check()) makes it a proof; it is not checked when it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    claim: Claim,
    lines: Vec<Line>,
}

/// The line of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// SFEN without the move number.
    pub(super) position: String,
    /// The check that mates, or the checks with a reply to each.
    pub(super) moves: Vec<Move>,
    /// The number of plies to the mate; 0 in a proof of no mate.
    pub(super) plies: u32,
}

impl Certificate {
    pub(super) fn new(claim: Claim, lines: Vec<Line>) -> Self {
        Self { claim, lines }
    }

    /// Returns what the certificate proves.
    #[must_use]
    pub fn claim(&self) -> Claim {
        self.claim
    }

    /// Returns the number of positions, at least 1.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.lines.len()
    }
}

/// The text format, with a line feed after each line.
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}\nclaim {}", self.claim)?;
        for line in &self.lines {
            write!(f, "{}:", line.position)?;
            if matches!(self.claim, Claim::MateWithin(_)) {
                write!(f, " {}", line.plies)?;
            }
            for m in &line.moves {
                write!(f, " {m}")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "end {}", self.lines.len())
    }
}
