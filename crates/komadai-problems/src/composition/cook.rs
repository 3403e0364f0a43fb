//! Flaws of a composition.

use std::fmt;

use komadai_core::Move;

/// A flaw: moves other than those of the solution at one point of it.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_problems::composition::{self, CompositionOptions, CookKind};
///
/// let position = Position::from_sfen("5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1")?;
/// let report = composition::analyse(&position, &CompositionOptions::default())?;
/// let cook = report.cooks_of(CookKind::SecondSolution).next().expect("two solutions");
/// assert_eq!(cook.to_string(), "move 1: second solution (余詰): 3c4b, 13 plies in all");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cook {
    /// Number of the move of the solution that has alternatives, from 1.
    pub ply: u32,
    /// The kind of the flaw.
    pub kind: CookKind,
    /// The alternatives, in the order of generation.
    pub moves: Vec<Move>,
    /// Plies of the whole solution when one of them is played.
    pub plies: u32,
}

/// The kinds of flaws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum CookKind {
    /// The attacker mates sooner than by the solution (早詰, hayazume).
    #[doc(alias("早詰", "hayazume"))]
    ShorterMate,
    /// Another check mates, in as many plies or more, on a way of its own (余詰, yozume).
    #[doc(alias("余詰", "yozume"))]
    SecondSolution,
    /// Another check mates in more plies, but only by way of a position of the solution (迂回手順).
    #[doc(alias("迂回手順", "ukai"))]
    Detour,
    /// Another check mates in as many plies, but only by way of a later position of the solution:
    /// moves are exchanged (手順前後).
    #[doc(alias("手順前後", "tejun zengo"))]
    MoveOrder,
    /// The same move with or without promotion mates in as many plies (成不成非限定).
    #[doc(alias("成不成非限定", "narazu"))]
    Promotion,
    /// The same piece dropped on another square mates in as many plies (打ち場所非限定, 遠打ち非限定).
    #[doc(alias("非限定", "遠打ち"))]
    DropSquare,
    /// The same piece moved to another square mates in as many plies (移動先非限定).
    #[doc(alias("非限定"))]
    Destination,
    /// The last move has alternatives (最終手余詰). It is customary to ignore them.
    #[doc(alias("最終手余詰"))]
    LastMove,
    /// The defender delays the mate longer than in the solution (変長, hencho). Possible for an
    /// intended solution only.
    #[doc(alias("変長", "変化長手数"))]
    LongerVariation,
    /// The defender delays the mate as long as in the solution by another move (変同, hendo). It is
    /// customary to ignore those that leave the attacker pieces.
    #[doc(alias("変同", "変化同手数"))]
    EqualVariation,
}

impl CookKind {
    /// Returns true if the flaw does not make the composition unsound.
    #[must_use]
    pub const fn is_tolerated(self) -> bool {
        !matches!(self, Self::ShorterMate | Self::SecondSolution | Self::LongerVariation)
    }

    /// Returns the Japanese term.
    #[must_use]
    pub const fn japanese(self) -> &'static str {
        match self {
            Self::ShorterMate => "早詰",
            Self::SecondSolution => "余詰",
            Self::Detour => "迂回手順",
            Self::MoveOrder => "手順前後",
            Self::Promotion => "成不成非限定",
            Self::DropSquare => "打ち場所非限定",
            Self::Destination => "移動先非限定",
            Self::LastMove => "最終手余詰",
            Self::LongerVariation => "変長",
            Self::EqualVariation => "変同",
        }
    }
}

impl fmt::Display for CookKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ShorterMate => "shorter mate",
            Self::SecondSolution => "second solution",
            Self::Detour => "detour",
            Self::MoveOrder => "exchanged moves",
            Self::Promotion => "promotion or not",
            Self::DropSquare => "other square for the drop",
            Self::Destination => "other square for the move",
            Self::LastMove => "other last move",
            Self::LongerVariation => "longer variation",
            Self::EqualVariation => "variation of equal length",
        })
    }
}
