//! Tunes the evaluation: plays games, searches their positions again with better weights, fits
//! the weights to search scores and results of the games, and plays a match between old and new
//! weights.
//!
//! ```text
//! cargo run --release -p komadai-lab -- tune-evaluation generate samples.bin --games 10000 --castles 30
//! cargo run --release -p komadai-lab -- tune-evaluation rescore better.bin samples.bin --parameters new.txt
//! cargo run --release -p komadai-lab -- tune-evaluation fit new.txt samples.bin
//! cargo run --release -p komadai-lab -- tune-evaluation match new.txt
//! cp new.txt crates/komadai-eval/src/classical/parameters.txt
//! ```

mod calibration;
mod evaluators;
mod factors;
mod fit;
mod game;
mod generate;
mod learner;
mod rescore;
mod row;
mod sample;
mod versus;
mod weights;

use clap::{Args, Subcommand};

use crate::tune_evaluation::fit::Fit;
use crate::tune_evaluation::generate::Generate;
use crate::tune_evaluation::rescore::Rescore;
use crate::tune_evaluation::versus::Versus;

/// Tune the weights of the classical evaluation.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tune-evaluation generate samples.bin --games 10000\n  \
                  tune-evaluation fit new.txt samples.bin\n  tune-evaluation match new.txt")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play games and write their quiet positions with search score and result.
    Generate(Generate),
    /// Search the positions of samples again, with a better evaluation.
    Rescore(Rescore),
    /// Fit parameters to samples.
    Fit(Fit),
    /// Play a match between two sets of parameters.
    Match(Versus),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Generate(generate) => generate.run(),
        Command::Rescore(rescore) => rescore.run(),
        Command::Fit(fit) => fit.run(),
        Command::Match(versus) => versus.run(),
    }
}
