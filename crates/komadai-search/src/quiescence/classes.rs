//! The classes of moves from which a quiescence search is composed.

use core::fmt;
use core::str::FromStr;

use bitflags::bitflags;

use super::policy::{QuiescenceNode, QuiescencePolicy};

bitflags! {
    /// A set of classes of moves: what a quiescence search tries where it may also stand pat.
    ///
    /// A move is tried if it belongs to at least one of the classes. The empty set only stands pat.
    /// In check there is no choice: every evasion is tried, whatever the classes. Moves that no one
    /// would choose (a pawn, bishop or rook that does not promote where it could) belong to no class.
    ///
    /// A set is also the simplest [`QuiescencePolicy`]: the same classes everywhere.
    ///
    /// Source: S. Takeuchi, T. Kaneko and K. Yamaguchi, "Dynamic move generation in quiescence search,
    /// using information of game positions" (局面の情報を利用した,静止探索中の動的な手生成), IPSJ, whose
    /// names these are.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_search::QuiescenceClasses;
    ///
    /// let classes: QuiescenceClasses = "SEE+Escape".parse()?;
    /// assert_eq!(classes, QuiescenceClasses::SEE | QuiescenceClasses::ESCAPE);
    /// assert_eq!(QuiescenceClasses::SKEP.to_string(), "SKEP");
    /// assert_eq!(QuiescenceClasses::empty().to_string(), "Eval");
    /// # Ok::<(), komadai_search::UnknownQuiescence>(())
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct QuiescenceClasses: u16 {
        /// Captures that win material: their static exchange evaluation is greater than zero.
        const SEE = 1;
        /// All captures.
        const CAPTURE = 1 << 1;
        /// Moves of the king.
        const KING = 1 << 2;
        /// Moves of pieces that the opponent attacks, wherever they go.
        const ESCAPE = 1 << 3;
        /// Promotions, with a capture or without.
        const PROMOTE = 1 << 4;
        /// Moves that give check.
        const CHECK = 1 << 5;
        /// Moves that give check, if the side's move two plies earlier is taken for a threatmate
        /// (詰めろ) by the [`ThreatmatePredictor`](komadai_eval::ThreatmatePredictor): the opponent
        /// did not parry it, so there may be a mate.
        const THREATMATE = 1 << 6;
        /// The most probable fifth of the moves, rounded up, by the model of
        /// [`MoveProbability`](crate::MoveProbability).
        const RATING = 1 << 7;
        /// All moves.
        const ALL = 1 << 8;

        /// SEE, King, Escape and Promote together: of the fixed sets in the source the one nearest
        /// to a full-width search.
        const SKEP = Self::SEE.bits() | Self::KING.bits() | Self::ESCAPE.bits()
            | Self::PROMOTE.bits();
    }
}

impl QuiescenceClasses {
    /// The single classes and the names they are written with.
    const SINGLE: [(Self, &'static str); 9] = [
        (Self::SEE, "SEE"),
        (Self::CAPTURE, "Capture"),
        (Self::KING, "King"),
        (Self::ESCAPE, "Escape"),
        (Self::PROMOTE, "Promote"),
        (Self::CHECK, "Check"),
        (Self::THREATMATE, "Threatmate"),
        (Self::RATING, "Rating"),
        (Self::ALL, "All"),
    ];

    /// The sets with a name of their own.
    const NAMED: [(Self, &'static str); 2] = [(Self::empty(), "Eval"), (Self::SKEP, "SKEP")];

    fn from_one_name(name: &str) -> Option<Self> {
        let names = Self::SINGLE.into_iter().chain(Self::NAMED);
        names.into_iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(set, _)| set)
    }
}

/// The classes joined by `+`; `SKEP` for its four, `Eval` for none.
impl fmt::Display for QuiescenceClasses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("Eval");
        }
        let mut rest = *self;
        let mut separator = "";
        if rest.contains(Self::SKEP) {
            f.write_str("SKEP")?;
            (rest, separator) = (rest - Self::SKEP, "+");
        }
        for (class, name) in Self::SINGLE {
            if rest.contains(class) {
                write!(f, "{separator}{name}")?;
                separator = "+";
            }
        }
        Ok(())
    }
}

/// A text that names no way of quiescence search, or no class of its moves.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "found {found:?}, expected Standard, TwoStage, Dynamic, or Eval, SEE, Capture, King, Escape, \
     Promote, SKEP, Check, Threatmate, Rating and All, joined by +"
)]
pub struct UnknownQuiescence {
    /// The text, cut after 32 characters.
    pub found: String,
}

/// Names joined by `+`, in any letters: see [`Display`](fmt::Display).
impl FromStr for QuiescenceClasses {
    type Err = UnknownQuiescence;

    fn from_str(text: &str) -> Result<Self, UnknownQuiescence> {
        text.split('+').try_fold(Self::empty(), |set, name| {
            let unknown = || UnknownQuiescence { found: name.chars().take(32).collect() };
            Ok(set | Self::from_one_name(name).ok_or_else(unknown)?)
        })
    }
}

impl QuiescencePolicy for QuiescenceClasses {
    fn classes(&self, _: &QuiescenceNode<'_>) -> Self {
        *self
    }

    fn fixed(&self) -> Option<Self> {
        Some(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_survives_its_name() {
        for bits in 0..=QuiescenceClasses::all().bits() {
            let set = QuiescenceClasses::from_bits_truncate(bits);
            let name = set.to_string();
            assert_eq!(name.parse(), Ok(set), "{name}");
            assert_eq!(name.to_lowercase().parse(), Ok(set), "{name}");
        }
    }

    #[test]
    fn what_is_no_name_is_told() {
        for (text, wrong) in
            [("", ""), ("SEE+", ""), ("SEE+Drop", "Drop"), ("SEE Check", "SEE Check")]
        {
            let error = text.parse::<QuiescenceClasses>().unwrap_err();
            assert_eq!(error, UnknownQuiescence { found: wrong.to_owned() });
        }
    }
}
