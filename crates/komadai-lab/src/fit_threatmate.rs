//! Fits the coefficients of the threatmate predictor (詰めろ): plays games, labels the moves with the
//! mate solver, and runs a logistic regression on the features of the predictor.
//!
//! ```text
//! cargo run --release -p komadai-lab -- fit-threatmate --games 400
//! ```

mod samples;

use std::fmt;

use anyhow::ensure;
use clap::Args;
use komadai::eval::ThreatmateFeatures;

use crate::fit_threatmate::samples::{Collector, Sample, Samples};
use crate::logistic::Fit;

/// Fit the coefficients of the threatmate predictor. Prints them in the order of
/// `ThreatmateFeatures::to_array`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  fit-threatmate --games 400\n\n\
                  One game in four is test data. The balanced data contain the threatmates and up to\n\
                  twice as many other moves: half of them played in the same games, half of them legal\n\
                  in the same positions.")]
pub(crate) struct Arguments {
    /// Number of games to play in addition to the bundled ones.
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Number of nodes per move in these games.
    #[arg(long, default_value_t = 400)]
    play_nodes: u64,
    /// Maximum number of nodes of the mate solver per move; a mate not found counts as none.
    #[arg(long, default_value_t = 2_000)]
    mate_nodes: u64,
    /// Seed for the choice of the other moves.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Ridge penalty: small, but positive, so that a feature that never occurs does not make the system
/// singular.
const RIDGE: f64 = 1e-3;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut collector = Collector::new(arguments.mate_nodes, arguments.seed);
    let (mut train, mut test) = (Samples::default(), Samples::default());
    let bundled = samples::bundled();
    let played = samples::self_played(arguments.games, arguments.play_nodes);
    // Whole games are held out: positions of one game are too similar to test on.
    for (index, game) in bundled.chain(played).enumerate() {
        let samples = collector.collect(&game);
        if index % 4 == 0 { &mut test } else { &mut train }.extend(samples);
    }
    ensure!(!train.balanced.is_empty(), "found no threatmate in the games, expected more games");

    let rows = train.balanced.iter().map(Sample::row).collect::<Vec<_>>();
    let coefficients = Fit::new(ThreatmateFeatures::COUNT, RIDGE, &rows).weights;
    println!("coefficients {coefficients:.3?}");
    for (name, samples) in [("train", &train), ("test", &test)] {
        for (group, samples) in [("balanced", &samples.balanced), ("as played", &samples.played)] {
            let counts = Counts::of(samples, &coefficients);
            println!(
                "{name}, {group}: {counts}, AUC {:.4}",
                area_under_curve(samples, &coefficients)
            );
        }
    }
    Ok(())
}

fn log_odds(sample: &Sample, coefficients: &[f64]) -> f64 {
    sample.features.iter().zip(coefficients).map(|(&x, c)| f64::from(x) * c).sum()
}

/// The confusion matrix of the predictor.
#[derive(Debug, Default)]
struct Counts {
    /// `[actual][predicted]`.
    counts: [[u32; 2]; 2],
}

impl Counts {
    fn of(samples: &[Sample], coefficients: &[f64]) -> Self {
        let mut all = Self::default();
        for sample in samples {
            let predicted = log_odds(sample, coefficients) > 0.0;
            all.counts[usize::from(sample.is_threatmate)][usize::from(predicted)] += 1;
        }
        all
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [[correct_no, false_yes], [missed, correct_yes]] =
            self.counts.map(|c| c.map(f64::from));
        let (no, yes) = (correct_no + false_yes, correct_yes + missed);
        write!(f, "{yes} threatmates, {no} others, ")?;
        write!(f, "accuracy {:.4}, ", (correct_no + correct_yes) / (no + yes))?;
        write!(f, "TPR {:.4}, TNR {:.4}, ", correct_yes / yes, correct_no / no)?;
        write!(f, "precision {:.4}", correct_yes / (correct_yes + false_yes))
    }
}

/// Computes the area under the ROC curve: the probability that a threatmate has higher odds than
/// another move. Equal odds count half.
fn area_under_curve(samples: &[Sample], coefficients: &[f64]) -> f64 {
    let mut ranked: Vec<_> =
        samples.iter().map(|s| (log_odds(s, coefficients), s.is_threatmate)).collect();
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
