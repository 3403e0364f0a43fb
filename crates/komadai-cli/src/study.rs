//! Pages about source documents: their claims beside measurements.

mod frontier;
mod glossary;
mod hybrid;
mod output;
mod quiescence;
mod shiba;

use std::process::ExitCode;

use clap::Args;
use komadai_console::Program;

use crate::arguments::subcommands;

/// Repeat the measurements of a document about computer shogi, and write a page with its claims.
///
/// Each page has the tables of its source beside ours, and each claim as confirmed, not confirmed or
/// undecided, with the measure, its 95 % interval and the size of the sample. The folder receives
/// the page, the measured numbers (NAME.tsv, which --data reads) and what is needed to continue
/// after Ctrl-C.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai study quiescence --out study\n  \
    komadai study frontier --out study --lang ja --format md\n  \
    komadai study quiescence --data study/quiescence.tsv --lang ja\n\n\
    Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.")]
pub struct StudyArgs {
    #[command(subcommand)]
    command: Command,
}

subcommands! { ExitCode:
    Frontier(frontier::Options) => frontier::run,
    Shiba(shiba::Options) => shiba::run,
    Glossary(glossary::Options) => glossary::run,
    Hybrid(hybrid::Options) => hybrid::run,
    Quiescence(quiescence::Options) => quiescence::run,
}

impl Program for StudyArgs {
    const SUBCOMMAND: &'static str = "study";

    fn run(&self) -> anyhow::Result<ExitCode> {
        self.command.run()
    }
}
