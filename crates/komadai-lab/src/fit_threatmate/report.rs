//! The tables about a fitted model.

use std::collections::BTreeMap;
use std::fmt;

use komadai::core::SplitMix64;

use crate::fit_threatmate::model::{Odds, probability};
use crate::fit_threatmate::samples::{Labelled, Sample};

/// Number of resamples of the games behind an interval.
const RESAMPLES: usize = 1_000;
/// Number of bands of the reliability curve.
const BANDS: usize = 10;

/// Prints accuracy, rates, area and log-loss of a model on its training data and on held-out games.
pub(super) fn quality(name: &str, model: &impl Odds, data: &Labelled) {
    println!("{name}:");
    println!("  training: {}", Rates::of(model, &data.train));
    println!("  held out: {}", Rates::of(model, &data.test));
    for (name, is_counted) in [
        ("accuracy", (|_| true) as fn(bool) -> bool),
        ("TPR", |is_threatmate| is_threatmate),
        ("TNR", |is_threatmate| !is_threatmate),
    ] {
        let [low, high] = interval(model, &data.test, is_counted);
        println!("    {name} 95 % interval by games [{low:.4}, {high:.4}]");
    }
    println!("  moves played: {}", Rates::of(model, &data.played));
}

/// The rates of a prediction on some moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rates {
    threatmates: f64,
    others: f64,
    pub(super) accuracy: f64,
    /// Share of the threatmates that are recognised.
    true_positive: f64,
    /// Share of the other moves that are recognised.
    true_negative: f64,
    precision: f64,
    area_under_curve: f64,
    pub(super) log_loss: f64,
}

impl Rates {
    pub(super) fn of(model: &impl Odds, samples: &[Sample]) -> Self {
        // `[actual][predicted]`
        let mut counts = [[0_u32; 2]; 2];
        for sample in samples {
            let predicted = model.log_odds(sample) > 0.0;
            counts[usize::from(sample.mate.is_some())][usize::from(predicted)] += 1;
        }
        let [[correct_no, false_yes], [missed, correct_yes]] = counts.map(|row| row.map(f64::from));
        let (no, yes) = (correct_no + false_yes, correct_yes + missed);
        let loss = samples.iter().map(|sample| log_loss(model, sample)).sum::<f64>();
        Self {
            threatmates: yes,
            others: no,
            accuracy: (correct_no + correct_yes) / (no + yes),
            true_positive: correct_yes / yes,
            true_negative: correct_no / no,
            precision: correct_yes / (correct_yes + false_yes),
            area_under_curve: area_under_curve(model, samples),
            log_loss: loss / samples.len() as f64,
        }
    }
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} threatmates, {} others, accuracy {:.4}, TPR {:.4}, TNR {:.4}, precision {:.4}, \
             AUC {:.4}, log-loss {:.4}",
            self.threatmates,
            self.others,
            self.accuracy,
            self.true_positive,
            self.true_negative,
            self.precision,
            self.area_under_curve,
            self.log_loss,
        )
    }
}

fn log_loss(model: &impl Odds, sample: &Sample) -> f64 {
    let odds = model.log_odds(sample);
    -probability(if sample.mate.is_some() { odds } else { -odds }).max(1e-9).ln()
}

/// Returns the 95 % interval of the share of right predictions among some of the moves, by
/// resampling whole games.
fn interval(model: &impl Odds, samples: &[Sample], is_counted: fn(bool) -> bool) -> [f64; 2] {
    let mut games: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| is_counted(sample.mate.is_some())) {
        let [right, all] = games.entry(sample.game).or_default();
        *right += f64::from(u8::from((model.log_odds(sample) > 0.0) == sample.mate.is_some()));
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

/// Computes the area under the ROC curve: the probability that a threatmate has higher odds than
/// another move. Equal odds count half.
fn area_under_curve(model: &impl Odds, samples: &[Sample]) -> f64 {
    let mut ranked: Vec<_> =
        samples.iter().map(|s| (model.log_odds(s), s.mate.is_some())).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut yes, mut won) = (0.0, 0.0, 0.0);
    for ties in ranked.chunk_by(|a, b| a.0 == b.0) {
        let of_those = ties.iter().filter(|(_, is)| *is).count() as f64;
        let others = ties.len() as f64 - of_those;
        won += of_those * (below + others / 2.0);
        below += others;
        yes += of_those;
    }
    won / (yes * below)
}

/// Prints the share of threatmates found by the length of their mates, and the rates if only mates
/// of up to nine plies count.
pub(super) fn by_length(name: &str, model: &impl Odds, data: &Labelled) {
    println!("{name}: threatmates found by the length of the mate, held out");
    for (name, least, most) in
        [("1", 1, 1), ("3", 3, 3), ("5", 5, 5), ("7 and 9", 7, 9), ("11 and more", 11, usize::MAX)]
    {
        let of_length =
            |sample: &&Sample| sample.mate.is_some_and(|plies| (least..=most).contains(&plies));
        let all: Vec<&Sample> = data.test.iter().filter(of_length).collect();
        let found = all.iter().filter(|sample| model.log_odds(sample) > 0.0).count();
        println!("  {name:>11} plies: {found} of {}", all.len());
    }
    let short: Vec<Sample> =
        data.test.iter().filter(|s| s.mate.is_none_or(|plies| plies <= 9)).cloned().collect();
    println!("  without mates of more than 9 plies: {}", Rates::of(model, &short));
}

/// Prints the change of the constant for moves played in games, and the reliability curve.
pub(super) fn reliability(name: &str, model: &impl Odds, data: &Labelled) {
    let balanced: Vec<&Sample> = data.test.iter().collect();
    println!("{name}: reliability, held out");
    curve(model, &balanced, 0.0);
    // The change is found on one half of the held-out games and tried on the other.
    let (first, second): (Vec<&Sample>, Vec<&Sample>) =
        data.played.iter().partition(|sample| sample.game & (1 << 40) == 0);
    let share = second.iter().filter(|sample| sample.mate.is_some()).count();
    let shift = model.shift_for(&first);
    println!(
        "{name}: moves played in games, constant changed by {shift:.3}; 1 in {:.1} is a threatmate",
        second.len() as f64 / share.max(1) as f64,
    );
    curve(model, &second, shift);
}

fn curve(model: &impl Odds, samples: &[&Sample], shift: f64) {
    let mut bands = [(0_u32, 0.0, 0_u32); BANDS];
    for sample in samples {
        let predicted = probability(model.log_odds(sample) + shift);
        let band = &mut bands[((predicted * BANDS as f64) as usize).min(BANDS - 1)];
        band.0 += 1;
        band.1 += predicted;
        band.2 += u32::from(sample.mate.is_some());
    }
    for (index, (count, predicted, found)) in bands.into_iter().enumerate() {
        let (all, low) = (f64::from(count.max(1)), index as f64 / BANDS as f64);
        println!(
            "  {low:.1}–{:.1}: {count:>6} moves, predicted {:.3}, threatmates {:.3}",
            low + 1.0 / BANDS as f64,
            predicted / all,
            f64::from(found) / all,
        );
    }
}
