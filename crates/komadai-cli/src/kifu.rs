//! Collections of game records.

mod names;
mod stats;

use std::process::ExitCode;

use clap::Args;
use komadai_console::Program;

use crate::arguments::subcommands;

/// Examine collections of game records.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai kifu stats games/\n\n\
                        Exit codes: 0 done, 1 failed, 2 bad usage.")]
pub struct KifuArgs {
    #[command(subcommand)]
    command: Command,
}

subcommands! { ExitCode:
    Stats(stats::Options) => stats::run,
    Names(names::Options) => names::run,
}

impl Program for KifuArgs {
    const SUBCOMMAND: &'static str = "kifu";

    fn run(&self) -> anyhow::Result<ExitCode> {
        self.command.run()
    }
}
