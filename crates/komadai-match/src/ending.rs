//! The end of a game and its verdict.

use std::fmt;

use komadai_core::Color;

use crate::fault::FaultKind;

/// The reason for the end of a game.
///
/// # Examples
///
/// ```
/// use komadai_match::Ending;
///
/// assert_eq!(Ending::PerpetualCheck.name(), "perpetual check");
/// assert_eq!(Ending::from_name("perpetual check"), Some(Ending::PerpetualCheck));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Ending {
    /// The side to move has no legal move (詰み, or a stalemate, which loses as well).
    Checkmate,
    /// The side to move resigned (投了).
    Resignation,
    /// The side to move declared a win, and the conditions are met (入玉宣言). A draw under a rule by
    /// which its points are enough for that only (持将棋).
    Declaration,
    /// The king of the side that moved reached the square on which the other king started (トライ).
    Try,
    /// Fourfold repetition (千日手), a draw.
    Repetition,
    /// Perpetual check (連続王手の千日手): the side that gave check loses.
    PerpetualCheck,
    /// The maximum number of moves was reached, a draw.
    MaxMoves,
    /// The values of both sides agreed on the winner.
    Adjudication,
    /// A move came too late (切れ負け).
    TimeForfeit,
    /// A fault of a contestant.
    Fault(FaultKind),
}

/// The end of a game and its winner.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Position};
/// use komadai_match::{Ending, Rules, Verdict};
///
/// // White is mated.
/// let position = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1")?;
/// let expected = Verdict { winner: Some(Color::Black), ending: Ending::Checkmate };
/// assert_eq!(Rules::default().verdict(&position), Some(expected));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Verdict {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The reason.
    pub ending: Ending,
}

impl Ending {
    /// All endings but faults.
    const SOUND: [Self; 9] = [
        Self::Checkmate,
        Self::Resignation,
        Self::Declaration,
        Self::Try,
        Self::Repetition,
        Self::PerpetualCheck,
        Self::MaxMoves,
        Self::Adjudication,
        Self::TimeForfeit,
    ];

    /// The ending in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Resignation => "resignation",
            Self::Declaration => "declaration",
            Self::Try => "try",
            Self::Repetition => "repetition",
            Self::PerpetualCheck => "perpetual check",
            Self::MaxMoves => "max moves",
            Self::Adjudication => "adjudication",
            Self::TimeForfeit => "time forfeit",
            Self::Fault(kind) => kind.name(),
        }
    }

    /// The ending that has this [`name`](Self::name).
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_match::{Ending, FaultKind};
    ///
    /// assert_eq!(Ending::from_name("time forfeit"), Some(Ending::TimeForfeit));
    /// assert_eq!(Ending::from_name("hang"), Some(Ending::Fault(FaultKind::Hang)));
    /// assert_eq!(Ending::from_name("boredom"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        let faults = FaultKind::ALL.into_iter().map(Self::Fault);
        Self::SOUND.into_iter().chain(faults).find(|ending| ending.name() == name)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Verdict {
    /// A draw.
    pub const fn draw(ending: Ending) -> Self {
        Self { winner: None, ending }
    }

    /// A win of this side.
    pub const fn win(winner: Color, ending: Ending) -> Self {
        Self { winner: Some(winner), ending }
    }
}
