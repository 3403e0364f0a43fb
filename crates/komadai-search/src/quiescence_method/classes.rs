//! The classes of moves of a selective quiescence search.

use core::fmt;
use core::str::FromStr;

use bitflags::bitflags;

bitflags! {
    /// A set of classes of moves: the moves that a quiescence search tries where it may also stand
    /// pat.
    ///
    /// A move is tried if it belongs to at least one of the classes. The empty set only stands pat.
    /// In check every evasion is tried, independent of the classes, except with
    /// [`InCheck::Classes`](crate::InCheck::Classes). Useless moves (a pawn, bishop or rook that
    /// does not promote where it could) belong to no class.
    ///
    /// A set is also the simplest [`QuiescencePolicy`](crate::QuiescencePolicy): the same classes
    /// at every node.
    ///
    /// Source: S. Takeuchi, T. Kaneko and K. Yamaguchi, "Dynamic move generation in quiescence
    /// search, using information of game positions" (局面の情報を利用した,静止探索中の動的な手生成), IPSJ, from which the
    /// names are taken.
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
        /// Moves of pieces that the opponent attacks, to any square.
        const ESCAPE = 1 << 3;
        /// Promotions, with a capture or without.
        const PROMOTE = 1 << 4;
        /// Moves that give check.
        const CHECK = 1 << 5;
        /// Moves that give check, if the [`ThreatmatePredictor`](komadai_eval::ThreatmatePredictor)
        /// predicts that the side's move two plies earlier was a threatmate (詰めろ). The opponent
        /// did not parry it, so there may be a mate.
        const THREATMATE = 1 << 6;
        /// The most probable fifth of the moves, rounded up, by the model of
        /// [`MoveProbability`](crate::MoveProbability).
        const RATING = 1 << 7;
        /// All moves.
        const ALL = 1 << 8;
        /// Captures that lose no material: their static exchange evaluation is at least zero.
        const SAFE = 1 << 9;
        /// The move that mates at once, if there is one.
        const MATE = 1 << 10;
        /// Promotions without a capture.
        const QUIET_PROMOTE = 1 << 11;

        /// SEE, King, Escape and Promote together: the fixed set of the source that comes nearest
        /// to a full-width search.
        const SKEP = Self::SEE.bits() | Self::KING.bits() | Self::ESCAPE.bits()
            | Self::PROMOTE.bits();
    }
}

impl QuiescenceClasses {
    /// The single classes and their names.
    const SINGLE: [(Self, &'static str); 12] = [
        (Self::SEE, "SEE"),
        (Self::CAPTURE, "Capture"),
        (Self::KING, "King"),
        (Self::ESCAPE, "Escape"),
        (Self::PROMOTE, "Promote"),
        (Self::CHECK, "Check"),
        (Self::THREATMATE, "Threatmate"),
        (Self::RATING, "Rating"),
        (Self::ALL, "All"),
        (Self::SAFE, "Safe"),
        (Self::MATE, "Mate"),
        (Self::QUIET_PROMOTE, "QuietPromote"),
    ];

    /// The sets with a name of their own.
    const NAMED: [(Self, &'static str); 2] = [(Self::empty(), "Eval"), (Self::SKEP, "SKEP")];

    fn from_one_name(name: &str) -> Option<Self> {
        let names = Self::SINGLE.into_iter().chain(Self::NAMED);
        names.into_iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(set, _)| set)
    }
}

impl fmt::Display for QuiescenceClasses {
    /// Writes the classes joined by `+`; `SKEP` for its four, `Eval` for none.
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

/// A text that names no quiescence method and no class of moves.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "found {found:?}, expected Standard, TwoStage, Dynamic, Bonanza, Kfend, Yss, Tacos, or Eval, \
     SEE, Capture, King, Escape, Promote, SKEP, Check, Threatmate, Rating, All, Safe, Mate and \
     QuietPromote, joined by +"
)]
pub struct UnknownQuiescence {
    /// The text, cut after 32 characters.
    pub found: String,
}

impl FromStr for QuiescenceClasses {
    type Err = UnknownQuiescence;

    /// Parses names joined by `+`, in upper or lower case: see [`Display`](fmt::Display).
    fn from_str(text: &str) -> Result<Self, UnknownQuiescence> {
        text.split('+').try_fold(Self::empty(), |set, name| {
            let unknown = || UnknownQuiescence { found: name.chars().take(32).collect() };
            Ok(set | Self::from_one_name(name).ok_or_else(unknown)?)
        })
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
    fn unknown_names_are_reported() {
        for (text, wrong) in
            [("", ""), ("SEE+", ""), ("SEE+Drop", "Drop"), ("SEE Check", "SEE Check")]
        {
            let error = text.parse::<QuiescenceClasses>().unwrap_err();
            assert_eq!(error, UnknownQuiescence { found: wrong.to_owned() });
        }
    }
}
