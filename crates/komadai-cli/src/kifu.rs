//! Collections of game records.

mod stats;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use komadai_console::Program;

/// Examine collections of game records.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai kifu stats games/\n\n\
                        Exit codes: 0 done, 1 failed, 2 bad usage.")]
pub struct KifuArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Stats(stats::Options),
}

impl Program for KifuArgs {
    const SUBCOMMAND: &'static str = "kifu";

    fn run(&self) -> anyhow::Result<ExitCode> {
        match &self.command {
            Command::Stats(options) => stats::run(options),
        }
    }
}
