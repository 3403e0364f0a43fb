//! The groups of features of a linear evaluation.

use core::fmt;
use core::ops::{BitOr, Range};
use core::str::FromStr;

use komadai_core::PieceKind;

use super::error::LinearError;
use super::surplus::{PIECE_VALUES, value_number};
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
    /// A piece of a kind, anywhere on the board or in hand (駒の価値): what it is worth beyond its
    /// value in the material balance.
    pub const V: Self = Self(16);

    /// All groups, in the order of their weights.
    pub const ALL: [Self; 5] = [Self::P, Self::KP, Self::PP, Self::KSS, Self::V];

    const NAMES: [&'static str; 5] = ["p", "kp", "pp", "kss", "v"];

    /// Returns the set of these bits; `None` if one has no group.
    pub(super) fn from_bits(bits: u8) -> Option<Self> {
        (bits != 0 && bits < 32).then_some(Self(bits))
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
            Self::KSS => KING_ZONES * pairs(STRONG_TERMS),
            _ => PIECE_VALUES,
        }
    }

    /// The number of weights.
    #[must_use]
    pub fn weights(self) -> usize {
        self.first(Self(32))
    }

    /// The index of the first weight of a group.
    pub(super) fn first(self, group: Self) -> usize {
        let before = Self::ALL.into_iter();
        before.filter(|known| known.0 < group.0 && self.contains(*known)).map(Self::size).sum()
    }

    /// Returns the indices of the weights of [`V`](Self::V); empty without that group.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_nnue::linear::FeatureGroups;
    ///
    /// assert_eq!((FeatureGroups::P | FeatureGroups::V).piece_values().len(), 13);
    /// assert!(FeatureGroups::P.piece_values().is_empty());
    /// ```
    #[must_use]
    pub fn piece_values(self) -> Range<usize> {
        let first = self.first(Self::V);
        first..if self.contains(Self::V) { first + PIECE_VALUES } else { first }
    }

    /// Returns the index of the weight of a kind in [`V`](Self::V); `None` for a king, and without
    /// that group.
    pub(super) fn piece_value(self, kind: PieceKind) -> Option<usize> {
        self.contains(Self::V).then(|| value_number(kind))?.map(|at| self.first(Self::V) + at)
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
        let names = Self::ALL.into_iter().zip(Self::NAMES);
        let names = names.filter(|(group, _)| self.contains(*group));
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
            let known = Self::NAMES.iter().position(|known| *known == name.trim());
            let known =
                known.ok_or_else(|| LinearError::Group { found: name.trim().to_owned() })?;
            groups = groups | Self::ALL[known];
        }
        Ok(groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_others_refused() {
        for text in ["p", "kp", "v", "p+kp+pp+kss", "kp+kss", "p+kp+pp+kss+v"] {
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
        let with_values = all | FeatureGroups::V;
        assert_eq!(with_values.weights(), all.weights() + 13);
        assert_eq!(with_values.piece_values(), all.weights()..all.weights() + 13);
        assert_eq!(FeatureGroups::V.piece_value(PieceKind::Dragon), Some(12));
        assert_eq!(FeatureGroups::V.piece_value(PieceKind::King), None);
        assert_eq!(FeatureGroups::P.piece_value(PieceKind::Pawn), None);
        assert_eq!(FeatureGroups::KP.first(FeatureGroups::KP), 0);
    }
}
