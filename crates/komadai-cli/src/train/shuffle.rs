//! A random order of records.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use komadai::data::tools::{Sameness, ShuffleOptions, shuffle};

use super::records::{FilterArgs, OutputArgs, SourceArgs, report, watched};

/// Write records in a random order, also more than fit into memory.
///
/// The order follows from the seed and the data. Temporary files without a name are beside the
/// output until the end and take as much space.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: komadai train shuffle train.psv data other.psv --seed 7 --deduplicate\n\n\
                  Exit codes: 0 done, 1 failed or stopped, 2 bad usage."
)]
pub(super) struct Options {
    /// File to write.
    out: PathBuf,
    #[command(flatten)]
    sources: SourceArgs,
    /// Seed of the order.
    #[arg(long, default_value_t = ShuffleOptions::default().seed)]
    seed: u64,
    /// Memory for records in MiB. It has no influence on the order.
    #[arg(long, value_name = "MIB", default_value_t = ShuffleOptions::default().memory_mib)]
    memory_mib: u64,
    /// Write only the first record of each position.
    #[arg(long)]
    deduplicate: bool,
    /// Positions also count as the same after colours are exchanged, or left and right.
    #[arg(long, requires = "deduplicate")]
    symmetric: bool,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let same = if options.symmetric { Sameness::Symmetric } else { Sameness::Exact };
    let wanted = ShuffleOptions {
        seed: options.seed,
        filter: options.filter.filter(),
        deduplicate: options.deduplicate.then_some(same),
        memory_mib: options.memory_mib,
    };
    let written = watched(|watch| {
        let output = options.output.create(&options.out)?;
        shuffle(&options.sources.open(watch)?, output, &wanted, watch)
    })?;
    report(&options.out, &written)
}
