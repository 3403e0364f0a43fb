//! The fit to quiescence searches.

use clap::Args;
use komadai::eval::Progress;
use komadai::prelude::*;
use komadai::search::{DepthPair, QuiescenceClasses};
use rayon::prelude::*;

use super::line::{self, Valued, fit};
use crate::quiescence_positions::{bundled, searcher, selected};

/// Fit the values of quiescence searches, in every second bundled game; the others are for the
/// errors.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  fit-probcut quiescence --classes All --pairs 1-3,2-4 --every 4"
)]
pub(crate) struct Arguments {
    /// Classes of moves.
    #[arg(long, default_value = "SKEP")]
    classes: QuiescenceClasses,
    /// Pairs of a shallow and a deep number of plies.
    #[arg(long, value_delimiter = ',', value_parser = depth_pair,
          default_values = ["1-3", "2-4", "3-5", "4-6", "3-7", "4-8"])]
    pairs: Vec<(u32, u32)>,
    /// One position in this number is used, of those from move 30 on that are not in check.
    #[arg(long, default_value_t = 1)]
    every: usize,
}

fn depth_pair(text: &str) -> Result<(u32, u32), String> {
    line::depth_pair(text, 8)
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let pairs = fit(&arguments.pairs, &valued(arguments, 0), &valued(arguments, 1));
    println!("\n{}", DepthPair::to_table(&pairs));
    Ok(())
}

/// Returns the values of both searches of every pair in positions of every second game.
fn valued(arguments: &Arguments, remainder: usize) -> Vec<Valued> {
    let value = |position: &Position, depth: u32| {
        let analysis = searcher(selected(arguments.classes, depth)).quiescence(position);
        analysis.score().map_or(i32::MAX, Score::raw)
    };
    let of_position = |position: &Position| Valued {
        band: DepthPair::band(Progress::of(position)),
        values: arguments
            .pairs
            .iter()
            .map(|&(shallow, deep)| [value(position, shallow), value(position, deep)])
            .collect(),
    };
    bundled(remainder, arguments.every).par_iter().map(of_position).collect()
}
