//! Training data and the training of evaluations.

mod compare;
mod convert;
mod evaluation;

/// Self-play on many machines by the tasks of a queue.
mod farm {
    pub(super) mod collect;
    pub(super) mod plan;
    mod share;
    pub(super) mod worker;
}

mod games;
mod generate;
mod generation_page;
mod moves;
mod network;
mod progress;
pub(crate) mod records;
mod rescore;
mod statistics;
mod tools;
mod validate;

use std::process::ExitCode;

use clap::Args;
use komadai_console::Program;

use crate::arguments::subcommands;

/// Make training data by self-play, convert, check, filter, mix, split and shuffle them, and learn
/// from them.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai train generate data --positions 1000000\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.")]
pub struct TrainArgs {
    #[command(subcommand)]
    command: Command,
}

subcommands! { ExitCode:
    Generate(generate::Options) => generate::run,
    Worker(farm::worker::Options) => farm::worker::run,
    Collect(farm::collect::Options) => farm::collect::run,
    Validate(validate::Options) => validate::run,
    Convert(convert::Options) => convert::run,
    Filter(tools::FilterTool) => tools::run_filter,
    Mix(tools::MixTool) => tools::run_mix,
    Split(tools::SplitTool) => tools::run_split,
    Shuffle(tools::ShuffleTool) => tools::run_shuffle,
    Deduplicate(tools::DeduplicateTool) => tools::run_deduplicate,
    Rescore(rescore::Options) => rescore::run,
    Moves(moves::Options) => moves::run,
    Network(network::Options) => network::run,
    Statistics(statistics::Options) => statistics::run,
    Compare(compare::Options) => compare::run,
}

impl Program for TrainArgs {
    const SUBCOMMAND: &'static str = "train";

    fn run(&self) -> anyhow::Result<ExitCode> {
        self.command.run()
    }
}
