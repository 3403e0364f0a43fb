//! Fits the coefficients of the threatmate predictor (詰めろ): plays games, asks the mate solver which
//! moves were threatmates, and does a logistic regression on the predictor's features.
//!
//! ```text
//! cargo run --release --example fit_threatmate -- --games 400
//! ```

mod logistic;
mod samples;

use anyhow::ensure;
use clap::Parser;

use crate::logistic::{Counts, area_under_curve, fit};
use crate::samples::{Collector, Samples};

/// Fit the coefficients of the threatmate predictor. They are printed in the order of
/// `ThreatmateFeatures::to_array`.
#[derive(Debug, Parser)]
#[command(
    name = "fit_threatmate",
    version,
    after_help = "Example:\n  fit_threatmate --games 400\n\n\
                  One game in four is kept for the test. The two groups of the balanced test are\n\
                  threatmates, and twice as many other moves: half of them played in the same games,\n\
                  half of them legal in the same positions."
)]
struct Arguments {
    /// How many games to play, besides the bundled ones.
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// The nodes per move in these games.
    #[arg(long, default_value_t = 400)]
    play_nodes: u64,
    /// The most nodes the mate solver may spend on a move: what it does not find is no threatmate.
    #[arg(long, default_value_t = 2_000)]
    mate_nodes: u64,
    #[arg(long, default_value_t = 1)]
    /// The seed of the choice of other moves.
    seed: u64,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let mut collector = Collector::new(arguments.mate_nodes, arguments.seed);
    let (mut train, mut test) = (Samples::default(), Samples::default());
    let bundled = samples::bundled();
    let played = samples::self_played(arguments.games, arguments.play_nodes);
    for (index, game) in bundled.chain(played).enumerate() {
        let samples = collector.collect(&game);
        if index % 4 == 0 { &mut test } else { &mut train }.extend(samples);
    }
    ensure!(!train.balanced.is_empty(), "no threatmate was played: more games are needed");

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
