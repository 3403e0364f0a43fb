//! Counts of wins, draws and losses.

use std::fmt;
use std::iter::Sum;
use std::ops::AddAssign;

use komadai_bookgraph::BookGame;

/// The outcome of a game for one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum GameOutcome {
    /// The side won.
    Win,
    /// Neither side won.
    Draw,
    /// The other side won.
    Loss,
}

/// The numbers of games won, drawn and lost.
///
/// # Examples
///
/// ```
/// use komadai_book::games::WinDrawLoss;
///
/// let results = WinDrawLoss { wins: 60, draws: 1, losses: 4 };
/// assert_eq!(results.to_string(), "60-1-4");
/// assert_eq!(results.games(), 65);
/// let [low, high] = results.interval().expect("there are games");
/// assert!(low > 0.84 && high < 0.98);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct WinDrawLoss {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

/// The 97.5 % quantile of the standard normal distribution, for two-sided intervals of 95 %.
const QUANTILE: f64 = 1.959_963_984_540_054;

impl GameOutcome {
    /// Returns the outcome for the side that had the book.
    pub fn of(game: &BookGame) -> Self {
        match game.winner {
            None => Self::Draw,
            Some(winner) if winner == game.book_side => Self::Win,
            Some(_) => Self::Loss,
        }
    }

    /// Returns `win`, `draw` or `loss`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Loss => "loss",
        }
    }
}

impl WinDrawLoss {
    /// Counts a game.
    pub fn add(&mut self, outcome: GameOutcome) {
        let count = match outcome {
            GameOutcome::Win => &mut self.wins,
            GameOutcome::Draw => &mut self.draws,
            GameOutcome::Loss => &mut self.losses,
        };
        *count = count.saturating_add(1);
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }

    /// Returns the share of points from 0 to 1, or `None` without games. A draw is half a win.
    pub fn rate(&self) -> Option<f64> {
        let points = f64::from(self.wins) + f64::from(self.draws) / 2.0;
        (self.games() > 0).then(|| points / self.games() as f64)
    }

    /// Returns the ends of Wilson's 95 % confidence interval of the share of points, the lower end
    /// first, or `None` without games.
    ///
    /// A draw counts as half a win and half a loss, which makes the interval slightly too wide.
    ///
    /// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical
    /// inference", Journal of the American Statistical Association 22 (1927), 209–212.
    pub fn interval(&self) -> Option<[f64; 2]> {
        let rate = self.rate()?;
        let games = self.games() as f64;
        let squared = QUANTILE * QUANTILE;
        let center = rate + squared / (2.0 * games);
        let spread = rate * (1.0 - rate) / games + squared / (4.0 * games * games);
        let ends = [center - QUANTILE * spread.sqrt(), center + QUANTILE * spread.sqrt()];
        Some(ends.map(|end| (end / (1.0 + squared / games)).clamp(0.0, 1.0)))
    }

    /// Returns a text such as `42.0 % (15.8–74.1)`, or an empty text without games.
    pub(super) fn rate_text(&self) -> String {
        let (Some(rate), Some([low, high])) = (self.rate(), self.interval()) else {
            return String::new();
        };
        format!("{:.1} % ({:.1}–{:.1})", 100.0 * rate, 100.0 * low, 100.0 * high)
    }
}

/// Writes `wins-draws-losses`.
impl fmt::Display for WinDrawLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.wins, self.draws, self.losses)
    }
}

impl AddAssign for WinDrawLoss {
    fn add_assign(&mut self, other: Self) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
    }
}

impl FromIterator<GameOutcome> for WinDrawLoss {
    fn from_iter<T: IntoIterator<Item = GameOutcome>>(outcomes: T) -> Self {
        let mut results = Self::default();
        outcomes.into_iter().for_each(|outcome| results.add(outcome));
        results
    }
}

impl Sum for WinDrawLoss {
    fn sum<I: Iterator<Item = Self>>(results: I) -> Self {
        results.fold(Self::default(), |mut sum, results| {
            sum += results;
            sum
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_agree_with_published_ones() {
        let interval = |wins, losses| {
            let ends = WinDrawLoss { wins, draws: 0, losses }.interval().unwrap();
            ends.map(|end| (end * 10_000.0).round() / 10_000.0)
        };
        // R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        assert_eq!(interval(81, 263 - 81), [0.2553, 0.3662]);
        assert_eq!(interval(15, 148 - 15), [0.0624, 0.1605]);
        assert_eq!(interval(0, 20), [0.0, 0.1611]);
        assert_eq!(interval(1, 28), [0.0061, 0.1718]);
        assert_eq!(WinDrawLoss::default().interval(), None);
    }

    #[test]
    fn a_draw_is_half_a_win() {
        let results = WinDrawLoss { wins: 1, draws: 2, losses: 1 };
        assert_eq!((results.rate(), results.games()), (Some(0.5), 4));
        assert_eq!(WinDrawLoss::default().rate(), None);
        assert_eq!(WinDrawLoss::default().rate_text(), "");
    }
}
