//! The separation of training and validation data.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use komadai::data::tools::{SplitOptions, split};

use super::records::{OutputArgs, SourceArgs, note_damage, print_written, watched};

/// Write whole games into a file for training or one for validation, at random.
///
/// No game has positions in both files. The records must be in the order of their games, as before
/// a shuffle.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai train split train.psv check.psv data --one-in 50\n\n\
                  Exit codes: 0 done, 1 failed or stopped, 2 bad usage.")]
pub(super) struct Options {
    /// File of the training data to write.
    train: PathBuf,
    /// File of the validation data to write.
    validation: PathBuf,
    #[command(flatten)]
    sources: SourceArgs,
    /// One game in this many is for validation.
    #[arg(long, value_name = "GAMES", default_value_t = SplitOptions::default().one_in,
          value_parser = clap::value_parser!(u64).range(2..))]
    one_in: u64,
    /// Seed of the choice.
    #[arg(long, default_value_t = SplitOptions::default().seed)]
    seed: u64,
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let wanted = SplitOptions { one_in: options.one_in, seed: options.seed };
    let ([train, validation], damage) = watched(|watch| {
        let outputs =
            [options.output.create(&options.train)?, options.output.create(&options.validation)?];
        split(&options.sources.open(watch)?, outputs, &wanted, watch)
    })?;
    note_damage(&damage);
    print_written(&options.train, &train)?;
    print_written(&options.validation, &validation)?;
    Ok(ExitCode::SUCCESS)
}
