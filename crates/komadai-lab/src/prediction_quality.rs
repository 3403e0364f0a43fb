//! The quality of predictions that something is so: rates, area under the curve, log-loss.

use std::collections::BTreeMap;
use std::fmt;

use komadai::core::SplitMix64;

/// Number of resamples of the games behind an interval.
const RESAMPLES: usize = 1_000;

/// A prediction beside the truth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scored {
    /// The logarithm of the predicted odds.
    pub(crate) log_odds: f64,
    pub(crate) is_yes: bool,
    /// The game, for intervals that respect that positions of one game are alike.
    pub(crate) game: u64,
}

impl Scored {
    fn is_right(&self) -> bool {
        (self.log_odds > 0.0) == self.is_yes
    }
}

/// The rates of predictions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rates {
    yes: f64,
    no: f64,
    pub(crate) accuracy: f64,
    /// Share of what is so that is recognised.
    true_positive: f64,
    /// Share of what is not so that is recognised.
    true_negative: f64,
    precision: f64,
    pub(crate) area_under_curve: f64,
    pub(crate) log_loss: f64,
}

impl Rates {
    pub(crate) fn of(scored: &[Scored]) -> Self {
        // `[actual][predicted]`
        let mut counts = [[0_u32; 2]; 2];
        for one in scored {
            counts[usize::from(one.is_yes)][usize::from(one.log_odds > 0.0)] += 1;
        }
        let [[correct_no, false_yes], [missed, correct_yes]] = counts.map(|row| row.map(f64::from));
        let (no, yes) = (correct_no + false_yes, correct_yes + missed);
        let loss = scored.iter().map(log_loss).sum::<f64>();
        Self {
            yes,
            no,
            accuracy: (correct_no + correct_yes) / (no + yes),
            true_positive: correct_yes / yes,
            true_negative: correct_no / no,
            precision: correct_yes / (correct_yes + false_yes),
            area_under_curve: area_under_curve(scored),
            log_loss: loss / scored.len() as f64,
        }
    }
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} are so, {} not, accuracy {:.4}, TPR {:.4}, TNR {:.4}, precision {:.4}, \
             AUC {:.4}, log-loss {:.4}",
            self.yes,
            self.no,
            self.accuracy,
            self.true_positive,
            self.true_negative,
            self.precision,
            self.area_under_curve,
            self.log_loss,
        )
    }
}

/// Returns the probability of logarithmic odds.
pub(crate) fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

fn log_loss(one: &Scored) -> f64 {
    -probability(if one.is_yes { one.log_odds } else { -one.log_odds }).max(1e-9).ln()
}

/// Prints 95 % intervals of the accuracy and of both rates.
pub(crate) fn print_intervals(scored: &[Scored]) {
    for (name, is_counted) in [
        ("accuracy", (|_| true) as fn(bool) -> bool),
        ("TPR", |is_yes| is_yes),
        ("TNR", |is_yes| !is_yes),
    ] {
        let [low, high] = interval(scored, is_counted);
        println!("    {name} 95 % interval by games [{low:.4}, {high:.4}]");
    }
}

/// Returns the 95 % interval of the share of right predictions among some of them, by resampling
/// whole games.
fn interval(scored: &[Scored], is_counted: fn(bool) -> bool) -> [f64; 2] {
    let mut games: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
    for one in scored.iter().filter(|one| is_counted(one.is_yes)) {
        let [right, all] = games.entry(one.game).or_default();
        *right += f64::from(u8::from(one.is_right()));
        *all += 1.0;
    }
    let games: Vec<[f64; 2]> = games.into_values().collect();
    let mut random = SplitMix64::new(1);
    let mut shares: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let picked = (0..games.len()).map(|_| games[random.below(games.len() as u64) as usize]);
            let [right, all] =
                picked.fold([0.0; 2], |sum, game| [sum[0] + game[0], sum[1] + game[1]]);
            right / all
        })
        .collect();
    shares.sort_by(f64::total_cmp);
    [shares[RESAMPLES / 40], shares[RESAMPLES - 1 - RESAMPLES / 40]]
}

/// Computes the area under the ROC curve: the probability that what is so has higher odds than what
/// is not. Equal odds count half.
fn area_under_curve(scored: &[Scored]) -> f64 {
    let mut ranked = scored.to_vec();
    ranked.sort_by(|a, b| a.log_odds.total_cmp(&b.log_odds));
    let (mut below, mut yes, mut won) = (0.0, 0.0, 0.0);
    for ties in ranked.chunk_by(|a, b| a.log_odds == b.log_odds) {
        let of_those = ties.iter().filter(|one| one.is_yes).count() as f64;
        let others = ties.len() as f64 - of_those;
        won += of_those * (below + others / 2.0);
        below += others;
        yes += of_those;
    }
    won / (yes * below)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(list: &[(f64, bool)]) -> Vec<Scored> {
        let one = |(game, &(log_odds, is_yes)): (usize, &(f64, bool))| Scored {
            log_odds,
            is_yes,
            game: game as u64,
        };
        list.iter().enumerate().map(one).collect()
    }

    #[test]
    fn rates_are_those_of_a_small_table() {
        let all = [(2.0, true), (-1.0, true), (1.0, false), (-3.0, false), (-2.0, false)];
        let rates = Rates::of(&scored(&all));
        assert_eq!((rates.yes, rates.no), (2.0, 3.0));
        assert!((rates.accuracy - 0.6).abs() < 1e-12);
        assert!((rates.true_positive - 0.5).abs() < 1e-12);
        assert!((rates.true_negative - 2.0 / 3.0).abs() < 1e-12);
        assert!((rates.precision - 0.5).abs() < 1e-12);
        // Of six pairs, one is in the wrong order: −1 is so, and 1 is not.
        assert!((rates.area_under_curve - 5.0 / 6.0).abs() < 1e-12);
        let tie = Rates::of(&scored(&[(0.5, true), (0.5, false)]));
        assert!((tie.area_under_curve - 0.5).abs() < 1e-12);
    }

    #[test]
    fn an_interval_holds_the_share() {
        let all: Vec<(f64, bool)> = (0..200).map(|i| (1.0, i % 4 > 0)).collect();
        let [low, high] = interval(&scored(&all), |_| true);
        assert!(low < 0.75 && high > 0.75 && low > 0.6 && high < 0.9, "{low} {high}");
    }
}
