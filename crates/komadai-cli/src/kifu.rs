//! Collections of game records.

mod collection;
mod criteria;
mod explore;
mod index;
mod names;
mod search;
mod stats;

use std::process::ExitCode;

use clap::Args;
use komadai_console::Program;

use crate::arguments::subcommands;

/// Search and examine collections of game records.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
                        komadai kifu search games/ --player NAME --castle mino\n  \
                        komadai kifu explore games/\n\n\
                        Exit codes: 0 done, 1 failed, 2 bad usage.")]
pub struct KifuArgs {
    #[command(subcommand)]
    command: Command,
}

subcommands! { ExitCode:
    Search(Box<search::Options>) => search::run,
    Explore(explore::Options) => explore::run,
    Index(index::Options) => index::run,
    Stats(stats::Options) => stats::run,
    Names(names::Options) => names::run,
}

impl Program for KifuArgs {
    const SUBCOMMAND: &'static str = "kifu";

    fn run(&self) -> anyhow::Result<ExitCode> {
        self.command.run()
    }
}
