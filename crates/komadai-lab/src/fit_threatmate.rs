//! Fits the coefficients of the threatmate predictor (詰めろ): plays games, labels the moves with the
//! mate solver, and runs a logistic regression on the features of the predictor.
//!
//! ```text
//! cargo run --release -p komadai-lab -- fit-threatmate --games 400
//! ```

mod logistic;
mod samples;

use anyhow::ensure;
use clap::Args;

use crate::fit_threatmate::logistic::{Counts, area_under_curve, fit};
use crate::fit_threatmate::samples::{Collector, Samples};

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

    let coefficients = fit(&train.balanced);
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
