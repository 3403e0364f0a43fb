//! The removal of duplicates.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use komadai::data::tools::{Sameness, ShuffleOptions, deduplicate};

use super::records::{OutputArgs, SourceArgs, report, watched};

/// Write the first record of each position, in the order of the records.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai train deduplicate once.psv data\n\n\
                  Exit codes: 0 done, 1 failed or stopped, 2 bad usage.")]
pub(super) struct Options {
    /// File to write.
    out: PathBuf,
    #[command(flatten)]
    sources: SourceArgs,
    /// Positions also count as the same after colours are exchanged, or left and right.
    #[arg(long)]
    symmetric: bool,
    /// Memory for positions in MiB.
    #[arg(long, value_name = "MIB", default_value_t = ShuffleOptions::default().memory_mib)]
    memory_mib: u64,
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let same = if options.symmetric { Sameness::Symmetric } else { Sameness::Exact };
    let written = watched(|watch| {
        let output = options.output.create(&options.out)?;
        deduplicate(&options.sources.open(watch)?, output, same, options.memory_mib, watch)
    })?;
    report(&options.out, &written)
}
