//! Training data and the training of evaluations.

mod compare;
mod deduplicate;
mod evaluation;
mod filter;
mod generate;
mod moves;
mod network;
mod progress;
mod records;
mod rescore;
mod shuffle;
mod split;
mod statistics;
mod validate;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use komadai_console::Program;

/// Make training data by self-play, check, filter, split and shuffle them, and learn from them.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai train generate data --positions 1000000\n\n\
                  Exit codes: 0 done or stopped by Ctrl-C, 1 failed, 2 bad usage.")]
pub struct TrainArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Generate(generate::Options),
    Validate(validate::Options),
    Filter(filter::Options),
    Split(split::Options),
    Shuffle(shuffle::Options),
    Deduplicate(deduplicate::Options),
    Rescore(rescore::Options),
    Moves(moves::Options),
    Network(network::Options),
    Statistics(statistics::Options),
    Compare(compare::Options),
}

impl Program for TrainArgs {
    const SUBCOMMAND: &'static str = "train";

    fn run(&self) -> anyhow::Result<ExitCode> {
        match &self.command {
            Command::Generate(options) => generate::run(options),
            Command::Validate(options) => validate::run(options),
            Command::Filter(options) => filter::run(options),
            Command::Split(options) => split::run(options),
            Command::Shuffle(options) => shuffle::run(options),
            Command::Deduplicate(options) => deduplicate::run(options),
            Command::Rescore(options) => rescore::run(options),
            Command::Moves(options) => moves::run(options),
            Command::Network(options) => network::run(options),
            Command::Statistics(options) => statistics::run(options),
            Command::Compare(options) => compare::run(options),
        }
    }
}
