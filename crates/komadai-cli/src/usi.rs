//! Tools for engines that speak USI.

mod check;

use std::process::ExitCode;

use clap::Args;
use komadai_console::Program;

use crate::arguments::subcommands;

/// Examine engines that speak USI.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai usi check ./my-engine\n\n\
                        Exit codes: 0 done, 1 failed, 2 bad usage.")]
pub struct UsiArgs {
    #[command(subcommand)]
    command: Command,
}

subcommands! { ExitCode:
    Check(check::Options) => check::run,
}

impl Program for UsiArgs {
    const SUBCOMMAND: &'static str = "usi";

    fn run(&self) -> anyhow::Result<ExitCode> {
        self.command.run()
    }
}
