//! The records that fulfil conditions.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use komadai::data::tools::filter;

use super::records::{FilterArgs, OutputArgs, SourceArgs, report, watched};

/// Write the records that fulfil all conditions, in their order.
///
/// OUT.json states the inputs with their SHA-256, the conditions and the counts.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai train filter quiet.psv data --quiet --max-score 3000\n\n\
                  Exit codes: 0 done, 1 failed or stopped, 2 bad usage.")]
pub(super) struct Options {
    /// File to write.
    out: PathBuf,
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let written = watched(|watch| {
        let output = options.output.create(&options.out)?;
        filter(&options.sources.open(watch)?, output, &options.filter.filter(), watch)
    })?;
    report(&options.out, &written)
}
