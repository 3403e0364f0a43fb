//! The difference in strength that follows from the results of game pairs.
//!
//! Two games with the same opening and swapped colours are not independent: an opening that favours
//! Black tends to cost each player one of them. Pairs are independent of each other, so their five
//! possible scores are counted (the pentanomial model). The variance of single games would be too
//! large by the part that the openings contribute.
//!
//! Source: M. Van den Bergh, "Normalized Elo" and "Comments on Normalized Elo", 2020,
//! <https://www.cantate.be/Fishtest/>, and the mathematics of Fishtest,
//! <https://official-stockfish.github.io/docs/fishtest-wiki/Fishtest-Mathematics.html>.

/// The results of game pairs, seen from the first player.
///
/// # Examples
///
/// ```
/// use komadai_match::Pentanomial;
///
/// let results = Pentanomial::from_counts([17, 253, 1042, 337, 39]);
/// let elo = results.elo().expect("there are games");
/// assert_eq!(format!("{:.1} {:.1} {:.1}", elo.low, elo.elo, elo.high), "7.5 13.2 18.9");
/// assert!(elo.los > 0.9999);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "[u64; 5]", try_from = "[u64; 5]"))]
pub struct Pentanomial {
    counts: [u64; 5],
}

/// A difference in strength, in logistic Elo: 400 log₁₀(s / (1 − s)) for the mean score s.
///
/// # Examples
///
/// ```
/// use komadai_match::Pentanomial;
///
/// let elo = Pentanomial::from_counts([0, 10, 20, 30, 5]).elo().expect("there are pairs");
/// assert!(elo.low < elo.elo && elo.elo < elo.high);
/// assert!(elo.los > 0.99);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EloEstimate {
    /// The most likely value; infinite if one player has won all games.
    pub elo: f64,
    /// The lower end of the 95 % interval.
    ///
    /// If one player has won all games, the interval has one end only, the one-sided 95 % bound: a
    /// player weaker than that would have won all these games in fewer than one of 20 matches.
    pub low: f64,
    /// The upper end of the 95 % interval.
    pub high: f64,
    /// The likelihood of superiority (LOS): the probability that the first player is stronger, from
    /// 0 to 1.
    pub los: f64,
}

/// Half of the width of a 95 % interval, in standard errors.
pub(crate) const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// The error probability of the one-sided bound.
const ONE_SIDED: f64 = 0.05;

impl Pentanomial {
    /// Returns results with these numbers of pairs with 0, ½, 1, 1½ and 2 points for the first
    /// player.
    pub const fn from_counts(counts: [u64; 5]) -> Self {
        Self { counts }
    }

    /// The numbers of pairs with 0, ½, 1, 1½ and 2 points for the first player.
    pub const fn counts(&self) -> [u64; 5] {
        self.counts
    }

    /// Adds a pair with this number of half points for the first player. Larger numbers count as 4.
    pub fn add(&mut self, half_points: usize) {
        self.counts[half_points.min(4)] += 1;
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the mean score of a game, from 0 to 1, or ½ if there are no games.
    pub fn mean(&self) -> f64 {
        let quarters: u64 = (0..).zip(self.counts).map(|(score, count)| score * count).sum();
        match self.pairs() {
            0 => 0.5,
            pairs => quarters as f64 / (4 * pairs) as f64,
        }
    }

    /// Returns the standard error of the [`mean`](Self::mean).
    ///
    /// The variance of a pair's score is at least 1 / (4 × pairs), as if one pair had differed from
    /// the mean by half a point a game. Otherwise a few pairs with equal results would have no
    /// error at all.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_match::Pentanomial;
    ///
    /// // Four times the pairs have half the error.
    /// let error = |n| Pentanomial::from_counts([n, 2 * n, 4 * n, 2 * n, n]).standard_error();
    /// assert!((error(100) / error(400) - 2.0).abs() < 0.01);
    /// ```
    pub fn standard_error(&self) -> f64 {
        let pairs = self.pairs().max(1) as f64;
        let mean = self.mean();
        let squares: f64 = scores(&self.counts.map(|count| count as f64))
            .map(|(score, count)| count * (score - mean).powi(2))
            .sum();
        let variance = squares / (pairs - 1.0).max(1.0);
        (variance.max(0.25 / pairs) / pairs).sqrt()
    }

    /// Returns the difference in strength, positive if the first player is stronger. `None` without
    /// pairs.
    pub fn elo(&self) -> Option<EloEstimate> {
        let pairs = self.pairs();
        if pairs == 0 {
            return None;
        }
        let (mean, error) = (self.mean(), self.standard_error());
        let los = normal_distribution((mean - 0.5) / error);
        // The score with which a player wins all of this number of games with probability
        // `ONE_SIDED`.
        let bound = elo_of_score(ONE_SIDED.powf(1.0 / (2 * pairs) as f64));
        let (low, high) = match self.counts {
            [0, 0, 0, 0, _] => (bound, f64::INFINITY),
            [_, 0, 0, 0, 0] => (f64::NEG_INFINITY, -bound),
            _ => {
                let half_width = TWO_SIDED_95 * error;
                (elo_of_score(mean - half_width), elo_of_score(mean + half_width))
            }
        };
        Some(EloEstimate { elo: elo_of_score(mean), low, high, los })
    }
}

/// Returns the score a game of each kind of pair with its number.
pub(crate) fn scores(counts: &[f64; 5]) -> impl Iterator<Item = (f64, f64)> + '_ {
    counts.iter().enumerate().map(|(index, &count)| (index as f64 / 4.0, count))
}

/// Returns the logistic Elo difference at which this score is expected; infinite outside 0 to 1.
pub(crate) fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// Returns the expected score at this logistic Elo difference.
pub(crate) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Returns the distribution function of the standard normal distribution, to seven decimals.
///
/// Source: M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions", 1964, formula
/// 26.2.17.
pub(crate) fn normal_distribution(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 5] =
        [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let polynomial = COEFFICIENTS.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    let density = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let tail = density * polynomial;
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// The largest number of pairs that is read: with more, sums of points overflow.
const MAX_PAIRS: u64 = u64::MAX / 4;

impl From<Pentanomial> for [u64; 5] {
    fn from(results: Pentanomial) -> Self {
        results.counts()
    }
}

impl TryFrom<[u64; 5]> for Pentanomial {
    type Error = &'static str;

    fn try_from(counts: [u64; 5]) -> Result<Self, &'static str> {
        let sum = counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count));
        match sum {
            Some(pairs) if pairs <= MAX_PAIRS => Ok(Self::from_counts(counts)),
            _ => Err("found too many pairs, expected fewer than 2^62"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found}, not {expected}");
    }

    #[test]
    fn scores_and_elo_differences_are_inverse_functions() {
        for (elo, score) in
            [(0.0, 0.5), (100.0, 0.640_065), (-200.0, 0.240_253), (400.0, 10.0 / 11.0)]
        {
            close(score_of_elo(elo), score, 1e-6);
            close(elo_of_score(score), elo, 1e-3);
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(-0.1), f64::NEG_INFINITY);
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_7),
            (-1.0, 0.158_655_3),
            (1.96, 0.975_002_1),
            (-3.0, 0.001_349_9),
        ] {
            close(normal_distribution(x), p, 2e-7);
        }
        close(normal_distribution(40.0), 1.0, 0.0);
    }

    /// Tests of Stockfish with their published results: 1,191 wins, 1,048 losses and 6,201 draws in
    /// 4,220 pairs, and the like.
    #[test]
    fn elo_is_that_of_wins_draws_and_losses() {
        for (counts, wins, losses, games) in [
            ([59, 754, 2_467, 865, 75], 1_191, 1_048, 8_440),
            ([17, 253, 1_042, 337, 39], 487, 359, 3_376),
            ([665, 4_806, 9_333, 4_893, 747], 7_977, 7_726, 40_888),
        ] {
            let results = Pentanomial::from_counts(counts);
            assert_eq!(2 * results.pairs(), games);
            let score = 0.5 + (wins - losses) as f64 / (2 * games) as f64;
            close(results.mean(), score, 1e-12);
            let elo = results.elo().unwrap();
            close(elo.elo, elo_of_score(score), 1e-9);
            assert!(elo.low < elo.elo && elo.elo < elo.high);
            // LOS follows from the distance of the mean from one half in standard errors.
            let deviations = (score - 0.5) / results.standard_error();
            close(elo.los, normal_distribution(deviations), 1e-12);
        }
    }

    #[test]
    fn the_standard_error_is_that_of_pairs() {
        // Scores ¼ and ¾, 50 times each: variance 1/16 × 100/99.
        let results = Pentanomial::from_counts([0, 50, 0, 50, 0]);
        close(results.standard_error(), (1.0 / 16.0 / 99.0_f64).sqrt(), 1e-12);
        let elo = results.elo().unwrap();
        close(elo.elo, 0.0, 0.0);
        close(elo.high, elo_of_score(0.5 + 1.959_964 * (1.0 / 16.0 / 99.0_f64).sqrt()), 1e-6);
        close(elo.low, -elo.high, 1e-9);
        close(elo.los, 0.5, 1e-7);
    }

    #[test]
    fn few_pairs_that_end_alike_prove_little() {
        assert_eq!(Pentanomial::default().elo(), None);
        let elo = Pentanomial::from_counts([0, 0, 10, 0, 0]).elo().unwrap();
        assert!(elo.low < -30.0 && elo.high > 30.0, "{elo:?}");
        let elo = Pentanomial::from_counts([0, 0, 1, 0, 0]).elo().unwrap();
        assert_eq!((elo.low, elo.high), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn a_shut_out_is_a_bound() {
        // 0.05 = s²⁰ for s = 0.8609, which is 317 Elo.
        let won = Pentanomial::from_counts([0, 0, 0, 0, 10]).elo().unwrap();
        assert_eq!((won.elo, won.high), (f64::INFINITY, f64::INFINITY));
        close(won.low, 316.6, 0.1);
        let lost = Pentanomial::from_counts([10, 0, 0, 0, 0]).elo().unwrap();
        assert_eq!((lost.low, lost.high), (f64::NEG_INFINITY, -won.low));
        assert!(won.los > 0.99 && lost.los < 0.01);
    }

    #[test]
    fn pairs_are_counted_by_their_half_points() {
        let mut results = Pentanomial::default();
        [0, 1, 2, 3, 4, 4, 9].into_iter().for_each(|half_points| results.add(half_points));
        assert_eq!(results.counts(), [1, 1, 1, 1, 3]);
        assert_eq!(results.pairs(), 7);
    }
}
