//! The tables about a fitted model.

use crate::fit_threatmate::model::Odds;
use crate::fit_threatmate::samples::{Labelled, Sample};
use crate::prediction_quality::{Rates, Scored, print_intervals, probability};

/// Number of bands of the reliability curve.
const BANDS: usize = 10;

/// Prints accuracy, rates, area and log-loss of a model on its training data and on held-out games.
pub(super) fn quality(name: &str, model: &impl Odds, data: &Labelled) {
    println!("{name}:");
    println!("  training: {}", rates(model, &data.train));
    println!("  held out: {}", rates(model, &data.test));
    print_intervals(&scored(model, &data.test));
    println!("  moves played: {}", rates(model, &data.played));
}

/// Returns the rates of a model on some moves.
pub(super) fn rates(model: &impl Odds, samples: &[Sample]) -> Rates {
    Rates::of(&scored(model, samples))
}

fn scored(model: &impl Odds, samples: &[Sample]) -> Vec<Scored> {
    let score = |sample: &Sample| Scored {
        log_odds: model.log_odds(sample),
        is_yes: sample.mate.is_some(),
        game: sample.game,
    };
    samples.iter().map(score).collect()
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
    println!("  without mates of more than 9 plies: {}", rates(model, &short));
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
