//! The judgement of a move by the probability of winning that it loses.

use core::fmt;

use komadai_core::{Bound, Score};

/// Largest centipawns of a bounded value. Differences beyond it do not change a game.
const MOST_CP: i32 = 3_000;

/// The bounded value of a mate, whatever its length.
const MATE_CP: i32 = 4_000;

/// Centipawns at which the odds are e to 1.
const SCALE: f64 = 600.0;

/// Returns a value as a number of centipawns whose differences are comparable: clamped to ±3,000,
/// and ±4,000 for a mate of any length.
///
/// A missed mate loses 4,000 from an even position and 1,000 from a won one, instead of the 30,000
/// of the scores themselves.
///
/// # Examples
///
/// ```
/// use komadai_core::{Bound, Score};
/// use komadai_analysis::game_analysis::bounded_cp;
///
/// assert_eq!(bounded_cp(Score::cp(-120)), -120);
/// assert_eq!(bounded_cp(Score::cp(9_999)), 3_000);
/// assert_eq!(bounded_cp(Score::mated_in(2)), -4_000);
/// ```
pub fn bounded_cp(score: Score) -> i32 {
    match score.to_cp() {
        Some(cp) => cp.clamp(-MOST_CP, MOST_CP),
        None => MATE_CP * score.raw().signum(),
    }
}

/// Returns the probability, 0 to 1, with which the side wins that has this value: 1 / (1 + e^(−cp /
/// 600)), and 1 or 0 for a mate.
///
/// The constant 600 is the one of Ponanza, with which most shogi programs convert values.
///
/// # Examples
///
/// ```
/// use komadai_core::{Bound, Score};
/// use komadai_analysis::game_analysis::win_probability;
///
/// assert_eq!(win_probability(Score::ZERO), 0.5);
/// assert!((win_probability(Score::cp(600)) - 0.731).abs() < 0.001);
/// assert_eq!(win_probability(Score::mate_in(5)), 1.0);
/// ```
#[doc(alias("勝率", "評価値"))]
pub fn win_probability(score: Score) -> f64 {
    scaled_win_probability(score, 1.0)
}

/// Returns [`win_probability`] of a score whose centipawns have this size.
pub(super) fn scaled_win_probability(score: Score, scale: f64) -> f64 {
    match score.to_cp() {
        Some(cp) => 1.0 / (1.0 + (-f64::from(cp) / (SCALE * scale)).exp()),
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
    /// Returns the judgement of a move other than the best one that loses this probability of
    /// winning, 0 to 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_analysis::game_analysis::Judgement;
    ///
    /// assert_eq!(Judgement::of_loss(0.12), Judgement::Mistake);
    /// ```
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

/// The loss by a move other than the best one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Loss {
    /// In bounded centipawns, 0 or more.
    pub(super) cp: i32,
    /// As a probability of winning, 0 to 1.
    pub(super) probability: f64,
    /// The relation to the true loss.
    pub(super) bound: Bound,
}

impl Loss {
    /// Returns the loss from the value of the best move to that of the move played, both for the
    /// side that moved; `None` if their bounds prove neither that the move deserves a mark nor that
    /// it deserves none. The scores have this scale.
    pub(super) fn between(
        best: (Score, Bound),
        played: (Score, Bound),
        scale: f64,
    ) -> Option<Self> {
        let [before, after] = [best.0, played.0].map(|score| scaled_win_probability(score, scale));
        let probability = before - after;
        let cp = bounded_cp(best.0) - bounded_cp(played.0);
        let is_marked = Judgement::of_loss(probability) > Judgement::Good;
        // At least the difference is lost, or at most.
        let is_least = best.1 != Bound::Upper && played.1 != Bound::Lower;
        let is_most = best.1 != Bound::Lower && played.1 != Bound::Upper;
        let bound = match (is_least, is_most) {
            (true, true) => Bound::Exact,
            // Not more than nothing is nothing.
            (false, true) if cp <= 0 => Bound::Exact,
            (true, false) if is_marked => Bound::Lower,
            (false, true) if !is_marked => Bound::Upper,
            _ => return None,
        };
        Some(Self { cp: cp.max(0), probability: probability.max(0.0), bound })
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_needs_values_or_bounds_that_prove_it() {
        use Bound::{Exact, Lower, Upper};
        for (best, played, loss) in [
            ((0, Exact), (-300, Exact), Some((300, Exact, Judgement::Mistake))),
            ((0, Exact), (40, Exact), Some((0, Exact, Judgement::Good))),
            // The best move is worth more still, or the move played less.
            ((0, Lower), (-300, Exact), Some((300, Lower, Judgement::Mistake))),
            ((0, Exact), (-300, Upper), Some((300, Lower, Judgement::Mistake))),
            ((0, Lower), (-600, Upper), Some((600, Lower, Judgement::Blunder))),
            ((0, Lower), (-50, Exact), None),
            ((0, Exact), (-50, Upper), None),
            ((0, Lower), (50, Upper), None),
            // The best move is worth less, or the move played more.
            ((0, Upper), (-300, Exact), None),
            ((0, Exact), (-300, Lower), None),
            ((0, Upper), (-300, Lower), None),
            ((0, Upper), (-50, Exact), Some((50, Upper, Judgement::Good))),
            ((0, Exact), (-50, Lower), Some((50, Upper, Judgement::Good))),
            ((0, Exact), (50, Lower), Some((0, Exact, Judgement::Good))),
            // Both in the same direction: anything.
            ((0, Lower), (-300, Lower), None),
            ((0, Upper), (-300, Upper), None),
        ] {
            let [best, played] = [best, played].map(|(cp, bound)| (Score::cp(cp), bound));
            let found = Loss::between(best, played, 1.0);
            let found =
                found.map(|loss| (loss.cp, loss.bound, Judgement::of_loss(loss.probability)));
            assert_eq!(found, loss, "{best:?} {played:?}");
        }
        let twice = |(score, bound): (Score, Bound)| (Score::cp(2 * score.raw()), bound);
        let pair = ((Score::cp(100), Exact), (Score::cp(-200), Exact));
        let single = Loss::between(pair.0, pair.1, 1.0).map(|loss| loss.probability);
        let double = Loss::between(twice(pair.0), twice(pair.1), 2.0).map(|loss| loss.probability);
        assert_eq!(single, double, "a probability does not depend on the size of a centipawn");
        let mate = Loss::between((Score::mate_in(5), Lower), (Score::ZERO, Exact), 1.0);
        assert_eq!(mate.map(|loss| (loss.cp, loss.bound)), Some((4_000, Lower)));
    }
}
