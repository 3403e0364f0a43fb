//! The groups of features of a linear evaluation.

use core::fmt;
use core::ops::BitOr;
use core::str::FromStr;

use super::error::LinearError;
use super::terms::TERMS;

/// A set of groups of features.
///
/// Every group is tied: a position, the same position with exchanged colours, and its mirror image
/// share their weights. Pieces in hand are terms like pieces on the board; the minor promoted
/// pieces count as golds.
///
/// # Examples
///
/// ```
/// use komadai_nnue::linear::FeatureGroups;
///
/// let groups: FeatureGroups = "p+kp".parse()?;
/// assert_eq!(groups, FeatureGroups::P | FeatureGroups::KP);
/// assert_eq!(groups.to_string(), "p+kp");
/// assert_eq!(groups.weights(), 1_710 + 45 * 1_710);
/// # Ok::<(), komadai_nnue::linear::LinearError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FeatureGroups(u8);

/// The kinds of silvers and better pieces on the board, by owner, and those of the hands.
pub(super) const STRONG_TERMS: usize = 2 * 6 * 81 + 2 * (4 + 4 + 2 + 2);

/// The zones of a king that stands on the right half of the board.
pub(super) const KING_ZONES: usize = 6;

/// The squares of a king that stands on the right half of the board.
pub(super) const KING_SQUARES: usize = 45;

/// The number of pairs of `count` things.
pub(super) const fn pairs(count: usize) -> usize {
    count * (count - 1) / 2
}

impl FeatureGroups {
    /// A piece on a square.
    pub const P: Self = Self(1);
    /// A king on a square with a piece on a square, of either side.
    pub const KP: Self = Self(2);
    /// Two pieces on their squares (二駒関係).
    pub const PP: Self = Self(4);
    /// A king in one of nine zones with two pieces from silvers to dragons, of either side each:
    /// the part of the relations of three pieces that *ym* uses.
    pub const KSS: Self = Self(8);

    const NAMES: [(Self, &'static str); 4] =
        [(Self::P, "p"), (Self::KP, "kp"), (Self::PP, "pp"), (Self::KSS, "kss")];

    /// Returns the set of these bits; `None` if one has no group.
    pub(super) fn from_bits(bits: u8) -> Option<Self> {
        (bits != 0 && bits < 16).then_some(Self(bits))
    }

    pub(super) fn bits(self) -> u8 {
        self.0
    }

    /// Returns true if all groups of `other` are in this set.
    #[must_use]
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The number of weights of one group.
    const fn size(group: Self) -> usize {
        match group {
            Self::P => TERMS,
            Self::KP => KING_SQUARES * TERMS,
            Self::PP => pairs(TERMS),
            _ => KING_ZONES * pairs(STRONG_TERMS),
        }
    }

    /// The number of weights.
    #[must_use]
    pub fn weights(self) -> usize {
        self.first(Self(16))
    }

    /// The index of the first weight of a group.
    pub(super) fn first(self, group: Self) -> usize {
        let before = Self::NAMES.iter().map(|(known, _)| *known);
        before.filter(|known| known.0 < group.0 && self.contains(*known)).map(Self::size).sum()
    }
}

impl BitOr for FeatureGroups {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl fmt::Display for FeatureGroups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Self::NAMES.iter().filter(|(group, _)| self.contains(*group));
        for (index, (_, name)) in names.enumerate() {
            write!(f, "{}{name}", if index > 0 { "+" } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for FeatureGroups {
    type Err = LinearError;

    fn from_str(text: &str) -> Result<Self, LinearError> {
        let mut groups = Self(0);
        for name in text.split('+') {
            let known = Self::NAMES.iter().find(|(_, known)| *known == name.trim());
            let (group, _) =
                known.ok_or_else(|| LinearError::Group { found: name.trim().to_owned() })?;
            groups = groups | *group;
        }
        Ok(groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_others_refused() {
        for text in ["p", "kp", "p+kp+pp+kss", "kp+kss"] {
            let groups: FeatureGroups = text.parse().unwrap();
            assert_eq!(groups.to_string(), text);
        }
        for text in ["", "kpp", "p,kp", "p+"] {
            assert!(matches!(text.parse::<FeatureGroups>(), Err(LinearError::Group { .. })));
        }
    }

    #[test]
    fn groups_follow_one_another() {
        let all: FeatureGroups = "p+kp+pp+kss".parse().unwrap();
        assert_eq!(all.first(FeatureGroups::P), 0);
        assert_eq!(all.first(FeatureGroups::KP), 1_710);
        assert_eq!(all.first(FeatureGroups::PP), 1_710 + 76_950);
        assert_eq!(all.first(FeatureGroups::KSS), 1_710 + 76_950 + 1_461_195);
        assert_eq!(all.weights(), 1_710 + 76_950 + 1_461_195 + 6 * 495_510);
        assert_eq!(FeatureGroups::KP.first(FeatureGroups::KP), 0);
    }
}
