//! Lengths of mates.

use std::fmt;

/// Longest mate that the solver searches for, in plies. The longest composed problem known,
/// Microcosmos (K. Hashimoto, 1986), takes 1,525 plies; lines with inferior moves are longer.
pub(crate) const MAX_PLIES: u32 = 4_095;

/// A number of plies, or unlimited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Plies(u16);

impl Plies {
    /// Zero plies.
    pub(crate) const ZERO: Self = Self(0);

    /// Larger than any number: a disproof with this value means that there is no mate at all.
    pub(crate) const UNLIMITED: Self = Self(u16::MAX);

    /// Creates a number of plies, at most 65,534.
    pub(crate) const fn new(plies: u32) -> Self {
        if plies < u16::MAX as u32 { Self(plies as u16) } else { Self(u16::MAX - 1) }
    }

    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    pub(crate) const fn to_bits(self) -> u16 {
        self.0
    }

    /// Returns the number of plies. Undefined for [`UNLIMITED`](Self::UNLIMITED).
    pub(crate) const fn count(self) -> usize {
        self.0 as usize
    }

    pub(crate) const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Returns one ply more. Unlimited stays unlimited.
    pub(crate) const fn longer(self) -> Self {
        match self {
            Self::UNLIMITED => self,
            Self(plies) => Self::new(plies as u32 + 1),
        }
    }

    /// Returns one ply less. Zero stays zero, and unlimited stays unlimited.
    pub(crate) const fn shorter(self) -> Self {
        match self {
            Self::UNLIMITED => self,
            Self(plies) => Self(plies.saturating_sub(1)),
        }
    }
}

impl fmt::Debug for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::UNLIMITED => f.write_str("unlimited"),
            Self(plies) => write!(f, "{plies} plies"),
        }
    }
}
