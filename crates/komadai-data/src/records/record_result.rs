//! The result of the game in a training record.

use komadai_core::Color;

use komadai_kifu::Outcome;

/// The result of the game from which a training record was taken, for the side to move.
///
/// # Examples
///
/// ```
/// use komadai_core::Color;
/// use komadai_kifu::Outcome;
/// use komadai_data::records::RecordResult;
///
/// let result = RecordResult::of(Outcome::Win(Color::Black), Color::White);
/// assert_eq!(result, Some(RecordResult::Loss));
/// assert_eq!(RecordResult::Loss.outcome(Color::White), Outcome::Win(Color::Black));
/// assert_eq!(RecordResult::Loss as i8, -1);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(i8)]
pub enum RecordResult {
    /// The side to move lost.
    Loss = -1,
    /// A draw.
    Draw = 0,
    /// The side to move won.
    Win = 1,
}

impl RecordResult {
    /// The result for `side`; `None` for a game without a known outcome.
    pub fn of(outcome: Outcome, side: Color) -> Option<Self> {
        match outcome {
            Outcome::Win(winner) => Some(Self::of_winner(Some(winner), side)),
            Outcome::Draw => Some(Self::Draw),
            Outcome::Unknown => None,
        }
    }

    /// The outcome of the game in which `side` had this result.
    #[must_use]
    pub fn outcome(self, side: Color) -> Outcome {
        self.winner(side).map_or(Outcome::Draw, Outcome::Win)
    }

    /// The result for the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// The result for `side` of a game with this winner; `None` is a draw.
    pub(super) fn of_winner(winner: Option<Color>, side: Color) -> Self {
        match winner {
            None => Self::Draw,
            Some(winner) if winner == side => Self::Win,
            Some(_) => Self::Loss,
        }
    }

    /// The winner of the game in which `side` had this result; `None` is a draw.
    pub(super) fn winner(self, side: Color) -> Option<Color> {
        match self {
            Self::Loss => Some(!side),
            Self::Draw => None,
            Self::Win => Some(side),
        }
    }
}
