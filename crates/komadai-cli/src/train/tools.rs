//! The tools that write files of records: conditions, mixtures, duplicates, random order,
//! separation.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use komadai::data::records::TrainingFormat;
use komadai::data::tools::{
    MixOptions, Sameness, ShuffleOptions, SplitOptions, deduplicate, filter, mix, shuffle, split,
};
use komadai_console::bad_usage;

use super::convert::check_names_psv;
use super::games::{GameChoice, Given, import};
use super::records::{
    FilterArgs, OutputArgs, SourceArgs, note_damage, print_written, report, watched,
};

/// Write the records that fulfil all conditions, in their order.
///
/// PATHS may also be game records with scores of engines, as those of floodgate: see `convert`.
/// OUT.json states the inputs with their SHA-256, the conditions and the counts.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai train filter quiet.psv data --quiet --max-score 3000\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.")]
pub(super) struct FilterTool {
    /// File to write.
    out: PathBuf,
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    games: GameChoice,
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn run_filter(options: &FilterTool) -> anyhow::Result<ExitCode> {
    check_names_psv(&options.out)?;
    if options.games.given(options.sources.paths())? == Given::Games {
        let wanted = options.games.options(options.filter.filter());
        let format = TrainingFormat::Psv;
        return import(&options.out, &options.sources, format, wanted, &options.output);
    }
    let written = watched(|watch| {
        let output = options.output.create(&options.out)?;
        filter(&options.sources.open(watch)?, output, &options.filter.filter(), watch)
    })?;
    report(&options.out, &written)
}

/// Write a sample of each source, all in one random order.
///
/// The shares are exact to a record, no record is written twice, and the file follows from the data
/// and the seed.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai train mix train.psv own teacher.pack --weights 3,1\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.")]
pub(super) struct MixTool {
    /// File to write.
    out: PathBuf,
    #[command(flatten)]
    sources: SourceArgs,
    /// Share of each of PATHS, as 3,1; equal ones by default.
    #[arg(long, value_name = "WEIGHTS", value_delimiter = ',')]
    weights: Vec<u32>,
    /// Number of records to write; by default as many as the sources have in these shares.
    #[arg(long)]
    records: Option<u64>,
    /// Seed of the samples and of the order.
    #[arg(long, default_value_t = MixOptions::default().seed)]
    seed: u64,
    /// Memory for records in MiB. It has no influence on the order.
    #[arg(long, value_name = "MIB", default_value_t = MixOptions::default().memory_mib)]
    memory_mib: u64,
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn run_mix(options: &MixTool) -> anyhow::Result<ExitCode> {
    check_names_psv(&options.out)?;
    let (weights, paths) = (options.weights.len(), options.sources.paths().len());
    if weights > 0 && weights != paths {
        return Err(bad_usage(format_args!(
            "found {weights} weights for {paths} paths, expected one for each"
        )));
    }
    let wanted = MixOptions {
        weights: options.weights.clone(),
        records: options.records,
        seed: options.seed,
        memory_mib: options.memory_mib,
    };
    let written = watched(|watch| {
        let output = options.output.create(&options.out)?;
        mix(&options.sources.open(watch)?, output, &wanted, watch)
    })?;
    report(&options.out, &written)
}

/// Write the first record of each position, in the order of the records.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai train deduplicate once.psv data\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.")]
pub(super) struct DeduplicateTool {
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

pub(super) fn run_deduplicate(options: &DeduplicateTool) -> anyhow::Result<ExitCode> {
    check_names_psv(&options.out)?;
    let same = if options.symmetric { Sameness::Symmetric } else { Sameness::Exact };
    let written = watched(|watch| {
        let output = options.output.create(&options.out)?;
        deduplicate(&options.sources.open(watch)?, output, same, options.memory_mib, watch)
    })?;
    report(&options.out, &written)
}

/// Write records in a random order, also more than fit into memory.
///
/// The order follows from the seed and the data. Temporary files without a name are beside the
/// output until the end and take as much space.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: komadai train shuffle train.psv data other.psv --seed 7 --deduplicate\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C."
)]
pub(super) struct ShuffleTool {
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

pub(super) fn run_shuffle(options: &ShuffleTool) -> anyhow::Result<ExitCode> {
    check_names_psv(&options.out)?;
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

/// Write whole games into a file for training or one for validation, at random.
///
/// No game has positions in both files. The records must be in the order of their games, as before
/// a shuffle.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai train split train.psv check.psv data --one-in 50\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.")]
pub(super) struct SplitTool {
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

pub(super) fn run_split(options: &SplitTool) -> anyhow::Result<ExitCode> {
    check_names_psv(&options.train)?;
    check_names_psv(&options.validation)?;
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
