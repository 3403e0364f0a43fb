//! Fits the expected gain of moves in quiescence search, and compares the policy that follows from
//! it with fixed sets of classes.

mod curve;
mod samples;

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use komadai::search::{ByGain, GainTerms};

use crate::logistic::{Fit, Link};
use crate::quiescence_positions;
use samples::Sample;

/// Fit the expected gain of moves in quiescence search, and compare the policy of the shipped
/// weights with fixed sets of classes on games that the fit has not seen.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  fit-gain --every 4")]
pub(crate) struct Arguments {
    /// Depth of the quiescence searches in plies.
    #[arg(long, default_value_t = 5)]
    depth: u32,
    /// One position in this number is used, of those from move 30 on that are not in check. Every
    /// second bundled game is for the fit, the others are for the comparison.
    #[arg(long, default_value_t = 4)]
    every: usize,
    /// Share of the nodes below the first one whose moves are judged.
    #[arg(long, default_value_t = 0.3)]
    share: f64,
    /// Records of games (PSV) that are compared in place of the bundled ones.
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Only compare.
    #[arg(long)]
    no_fit: bool,
    /// Least gains for each node, in centipawns, of the policies that are compared.
    #[arg(long, value_delimiter = ',', default_values_t = [8.0, 4.0, 2.0, 1.0, 0.5, 0.25, 0.12, 0.06])]
    least: Vec<f32>,
}

/// Ridge penalty: small, but positive, so that a term that never occurs does not make the system
/// singular.
const RIDGE: f64 = 1.0;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let policy = if arguments.no_fit { ByGain::FITTED } else { fit(arguments)? };
    let positions = if arguments.games.is_empty() {
        quiescence_positions::bundled(1, arguments.every)
    } else {
        quiescence_positions::recorded(&arguments.games, arguments.every)?
    };
    curve::print(&policy, &arguments.least, &positions, arguments.depth);
    Ok(())
}

fn fit(arguments: &Arguments) -> anyhow::Result<ByGain> {
    let positions = quiescence_positions::bundled(0, arguments.every);
    let samples = samples::collect(&positions, arguments.depth, arguments.share);
    ensure!(!samples.is_empty(), "no node was judged, expected more positions");
    let rows: Vec<(Vec<f64>, f64)> = samples.iter().map(Sample::row).collect();
    let weights = Fit::with_link(Link::Exponential, GainTerms::COUNT, RIDGE, &rows).weights;
    let mut policy = ByGain::FITTED;
    policy.weights = core::array::from_fn(|index| weights[index] as f32);
    policy.costs = samples::costs(&samples);
    println!("{} moves of {} positions", samples.len(), positions.len());
    println!("weights: {:.3?}", policy.weights);
    println!("costs: {:.3?}\n", policy.costs);
    Ok(policy)
}
