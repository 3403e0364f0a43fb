//! Tunes the evaluation: fits its weights to the search scores and the results of self-play, and
//! plays a match between old and new weights.
//!
//! ```text
//! komadai train generate data --eval '<classical>' --castles 30 --positions 1000000
//! cargo run --release -p komadai-lab -- tune-evaluation fit new.txt data
//! cargo run --release -p komadai-lab -- tune-evaluation match new.txt
//! cp new.txt crates/komadai-eval/src/classical/parameters.txt
//! ```

mod factors;
mod fit;
mod learner;
mod progress;
mod row;
mod versus;

use clap::{Args, Subcommand};

use crate::tune_evaluation::fit::Fit;
use crate::tune_evaluation::progress::Comparison;
use crate::tune_evaluation::versus::Versus;

/// Tune the weights of the classical evaluation.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  tune-evaluation fit new.txt data\n  tune-evaluation match new.txt"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Fit parameters to the records of `komadai train generate`.
    Fit(Fit),
    /// Fit with the phase of the game by each measure of progress, and compare the losses.
    Progress(Comparison),
    /// Play a match between two sets of parameters.
    Match(Versus),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Fit(fit) => fit.run(),
        Command::Progress(comparison) => comparison.run(),
        Command::Match(versus) => versus.run(),
    }
}
