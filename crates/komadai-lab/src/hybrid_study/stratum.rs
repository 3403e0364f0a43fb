//! The kinds of position that the appeal document of ym-shogi names.

use std::fmt;

use komadai::core::attacks;
use komadai::eval::{AttackMap, Balance};
use komadai::prelude::*;

/// A kind of position, for its side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stratum {
    /// The value is within 300 cp.
    Level,
    /// Two minor pieces ahead or more, and at most one square around the opponent's king is attacked.
    AheadWithoutAttack,
    /// The value is below −1,000 cp, the upper of the bounds that its author names.
    Losing,
    /// None of these.
    Other,
}

impl Stratum {
    pub(crate) const ALL: [Self; 4] =
        [Self::Level, Self::AheadWithoutAttack, Self::Losing, Self::Other];

    /// Returns the stratum of a position with this value for the side to move.
    pub(crate) fn of(position: &Position, value: i32) -> Self {
        let us = position.side();
        let attacked = position
            .king_square(!us)
            .map_or(0, |king| (AttackMap::new(position, us).once() & attacks::king(king)).len());
        if value < -1_000 {
            Self::Losing
        } else if Balance::of(position).lead(us) >= 600 && attacked <= 1 {
            Self::AheadWithoutAttack
        } else if value.abs() <= 300 {
            Self::Level
        } else {
            Self::Other
        }
    }
}

impl fmt::Display for Stratum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Level => "level",
            Self::AheadWithoutAttack => "ahead in material without an attack",
            Self::Losing => "losing",
            Self::Other => "other",
        })
    }
}
