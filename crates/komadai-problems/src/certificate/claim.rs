//! The claim of a certificate: a mate within a number of plies, or no mate.

use std::fmt;

use komadai_core::Position;

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
