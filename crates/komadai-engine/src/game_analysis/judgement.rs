//! The judgement of a move by the probability of winning that it loses.

use core::fmt;

use komadai_core::Score;

/// Largest centipawns of a bounded value. Differences beyond it do not change a game.
const MOST_CP: i32 = 3_000;

/// The bounded value of a mate, whatever its length.
const MATE_CP: i32 = 4_000;

/// Centipawns at which the odds are e to 1.
const SCALE: f64 = 600.0;

/// Returns a value as a number of centipawns whose differences are comparable: clamped to ±3,000, and ±4,000 for
/// a mate of any length.
///
/// A missed mate loses 4,000 from an even position and 1,000 from a won one, instead of the 30,000 of the scores
/// themselves.
///
/// # Examples
///
/// ```
/// use komadai_core::Score;
/// use komadai_engine::game_analysis::bounded_cp;
///
/// assert_eq!(bounded_cp(Score::cp(-120)), -120);
/// assert_eq!(bounded_cp(Score::cp(9_999)), 3_000);
/// assert_eq!(bounded_cp(Score::mated_in(2)), -4_000);
/// ```
#[must_use]
pub fn bounded_cp(score: Score) -> i32 {
    match score.to_cp() {
        Some(cp) => cp.clamp(-MOST_CP, MOST_CP),
        None => MATE_CP * score.raw().signum(),
    }
}

/// Returns the probability, 0 to 1, with which the side wins that has this value: 1 / (1 + e^(−cp / 600)), and 1 or
/// 0 for a mate.
///
/// The constant 600 is the one of Ponanza, with which most shogi programs convert values.
///
/// # Examples
///
/// ```
/// use komadai_core::Score;
/// use komadai_engine::game_analysis::win_probability;
///
/// assert_eq!(win_probability(Score::ZERO), 0.5);
/// assert!((win_probability(Score::cp(600)) - 0.731).abs() < 0.001);
/// assert_eq!(win_probability(Score::mate_in(5)), 1.0);
/// ```
#[doc(alias("勝率", "評価値"))]
#[must_use]
pub fn win_probability(score: Score) -> f64 {
    match score.to_cp() {
        Some(cp) => 1.0 / (1.0 + (-f64::from(cp) / SCALE).exp()),
        None if score > Score::ZERO => 1.0,
        None => 0.0,
    }
}

/// The judgement of a move, from good to bad.
///
/// | judgement | probability of winning that the move loses | mark |
/// |---|---|---|
/// | best | the move of the analysis itself | |
/// | good | less than 0.05 | |
/// | inaccuracy | 0.05 or more, or a missed mate | `?!` |
/// | mistake | 0.10 or more | `?` |
/// | blunder | 0.20 or more | `??` |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Judgement {
    /// The move of the analysis.
    Best,
    /// A move that loses little or nothing.
    Good,
    /// 緩手: an inaccuracy.
    Inaccuracy,
    /// 疑問手: a mistake.
    Mistake,
    /// 悪手: a blunder.
    Blunder,
}

impl Judgement {
    /// Returns the judgement of a move other than the best one that loses this probability of winning, 0 to 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_engine::game_analysis::Judgement;
    ///
    /// assert_eq!(Judgement::of_loss(0.12), Judgement::Mistake);
    /// ```
    #[must_use]
    pub fn of_loss(loss: f64) -> Self {
        match loss {
            loss if loss >= 0.20 => Self::Blunder,
            loss if loss >= 0.10 => Self::Mistake,
            loss if loss >= 0.05 => Self::Inaccuracy,
            _ => Self::Good,
        }
    }

    /// Returns the mark after the move: `?!`, `?`, `??`, or nothing.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Best | Self::Good => "",
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// Returns the name in lower case: `best`, `good`, `inaccuracy`, `mistake`, `blunder`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
