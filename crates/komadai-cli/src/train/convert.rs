//! The conversion of training data between formats, and of game records into training data.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use komadai::data::records::TrainingFormat;
use komadai::data::tools::{Filter, conversion_losses, convert};
use komadai_console::bad_usage;
use komadai_console::note;

use super::games::{GameChoice, Given, import};
use super::records::{OutputArgs, SourceArgs, report, watched};

/// Write training data in another format, or make them of game records with scores of engines.
///
/// Losses of the format are said, and OUT.json has them with the inputs and their SHA-256. Of
/// game records (files, folders, .zip and .7z archives, as those of floodgate), the positions are
/// taken for whose moves an engine has written a score.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  komadai train convert train.psv games.pack more.hcpe3\n  \
                  komadai train convert floodgate.psv wdoor2025.7z --min-rating 3500 --since 2025-06-01\n\n\
                  Exit codes: 0 done, 1 failed or damaged, 2 bad usage, 130 stopped by Ctrl-C.")]
pub(super) struct Options {
    /// File to write.
    out: PathBuf,
    #[command(flatten)]
    sources: SourceArgs,
    /// Format to write; by default that of the ending of OUT.
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    games: GameChoice,
    #[command(flatten)]
    output: OutputArgs,
}

/// The formats that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Records of 40 bytes: YaneuraOu, nnue-pytorch, tatara.
    Psv,
    /// Records of 38 bytes: Apery, cshogi, dlshogi.
    Hcpe,
    /// Games with candidates: dlshogi.
    Hcpe3,
    /// Games: GenSfen, rshogi.
    Pack,
}

impl Format {
    fn of_ending(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "psv" | "bin" => Self::Psv,
            "hcpe" => Self::Hcpe,
            "hcpe3" => Self::Hcpe3,
            "pack" => Self::Pack,
            _ => return None,
        })
    }

    fn training(self) -> TrainingFormat {
        match self {
            Self::Psv => TrainingFormat::Psv,
            Self::Hcpe => TrainingFormat::Hcpe,
            Self::Hcpe3 => TrainingFormat::Hcpe3,
            Self::Pack => TrainingFormat::Pack,
        }
    }
}

/// Refuses a file whose ending promises another format than PSV, the only one that the other tools
/// write.
pub(super) fn check_names_psv(path: &Path) -> anyhow::Result<()> {
    let is_other = Format::of_ending(path).is_some_and(|format| format != Format::Psv);
    anyhow::ensure!(
        !is_other,
        bad_usage(format_args!(
            "{}: this tool writes PSV; name the file .psv, and let `komadai train convert` make \
             another format of it",
            path.display()
        ))
    );
    Ok(())
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let Some(format) = options.format.or_else(|| Format::of_ending(&options.out)) else {
        return Err(bad_usage(
            "the ending of OUT is none of .psv, .hcpe, .hcpe3 and .pack: name the format with --format",
        ));
    };
    let format = format.training();
    if options.games.given(options.sources.paths())? == Given::Games {
        let wanted = options.games.options(Filter::default());
        return import(&options.out, &options.sources, format, wanted, &options.output);
    }
    let (written, lost) = watched(|watch| {
        let output = options.output.create(&options.out)?;
        let sources = options.sources.open(watch)?;
        let written = convert(&sources, output, format, watch)?;
        let mut lost = Vec::new();
        for input in sources.inputs() {
            let losses = conversion_losses(input.format(), format);
            lost.extend(losses.into_iter().map(|loss| (input.format(), loss)));
        }
        Ok((written, lost))
    })?;
    let mut said = Vec::new();
    for (from, loss) in lost {
        if !said.contains(&(from, loss)) {
            note!("not kept, {from} to {format}: {loss}");
            said.push((from, loss));
        }
    }
    report(&options.out, &written)
}
