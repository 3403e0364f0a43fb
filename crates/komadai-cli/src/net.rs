//! Tools for the networks of engines.

mod accuracy;
mod check;
mod compare;
mod convert;
mod explain;
mod info;
mod open;
mod scale;
mod words;

use std::process::ExitCode;

use clap::Args;
use komadai_console::Program;

use crate::arguments::subcommands;

pub(crate) use explain::to_text as network_text;

/// Tell what the networks (NNUE) of engines are, measure, check, convert and compare them.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai net info eval/nn.bin\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage.")]
pub struct NetArgs {
    #[command(subcommand)]
    command: Command,
}

subcommands! { ExitCode:
    Info(info::Options) => info::run,
    Scale(scale::Options) => scale::run,
    Accuracy(accuracy::Options) => accuracy::run,
    Check(check::Options) => check::run,
    Convert(convert::Options) => convert::run,
    Explain(explain::Options) => explain::run,
    Compare(compare::Options) => compare::run,
}

impl Program for NetArgs {
    const SUBCOMMAND: &'static str = "net";

    fn run(&self) -> anyhow::Result<ExitCode> {
        self.command.run()
    }
}
