//! A certificate in memory, and its claim.

use std::fmt;

use komadai_core::{Move, Position};

/// First line of every certificate of this version.
pub(super) const HEADER: &str = "komadai-certificate 1";

/// The statement about its first position that a certificate proves.
///
/// # Examples
///
/// ```
/// use komadai_problems::certificate::Claim;
///
/// assert_eq!(Claim::MateWithin(7).to_string(), "mate 7");
/// assert_eq!(Claim::NoMate.to_string(), "nomate");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Claim {
    /// The side to move mates within this many plies, with a check at each of its moves. A shorter
    /// mate is not excluded.
    MateWithin(u32),
    /// The side to move has no mate by continuous checks.
    NoMate,
}

/// The content of an accepted certificate: position, claim and size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The position of the claim: compare it with the position in question.
    pub position: Position,
    /// The proven claim.
    pub claim: Claim,
    /// The number of positions of the proof.
    pub positions: usize,
}

impl Claim {
    /// The number of plies to the mate; 0 without a mate.
    pub(super) fn plies(self) -> u32 {
        match self {
            Self::MateWithin(plies) => plies,
            Self::NoMate => 0,
        }
    }
}

/// The words of the text format.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MateWithin(plies) => write!(f, "mate {plies}"),
            Self::NoMate => f.write_str("nomate"),
        }
    }
}

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
    pub fn claim(&self) -> Claim {
        self.claim
    }

    /// Returns the number of positions, at least 1.
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
