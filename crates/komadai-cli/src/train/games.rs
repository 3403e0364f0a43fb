//! Game records as the source of training data.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::Context as _;
use clap::Args;
use komadai::data::file_sha256;
use komadai::data::records::TrainingFormat;
use komadai::data::tools::{Filter, GameDate, GameFilter, GameImport, ImportOptions, InputOrigin};
use komadai::kifu::record_files::is_archive;
use komadai::kifu::{RecordFiles, Tolerance};
use komadai_base::file::open_regular;
use komadai_console::{bad_usage, interrupted, note, stop_on_interrupt};

use super::progress::ProgressLine;
use super::records::{OutputArgs, STOPPED, SourceArgs, print_written};
use crate::arguments::faults::{failure, print_faults};

/// The games that are taken, if the sources are game records.
#[derive(Debug, Args)]
pub(super) struct GameChoice {
    /// Least rating of both players, as floodgate states it; for game records.
    #[arg(long, value_name = "RATING")]
    min_rating: Option<u32>,
    /// First day, as 2025-07-31; for game records.
    #[arg(long, value_name = "DATE")]
    since: Option<GameDate>,
    /// Last day; for game records.
    #[arg(long, value_name = "DATE")]
    until: Option<GameDate>,
    /// Part of the name of one of the players; for game records.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Take moves without a score, too, with the score 0; for game records.
    #[arg(long)]
    unscored: bool,
}

/// The kind of the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    Games,
    Records,
}

impl GameChoice {
    /// Returns the kind of the sources, and refuses a mixture, and options for games with records.
    pub(super) fn given(&self, paths: &[PathBuf]) -> anyhow::Result<Given> {
        let mut games = 0;
        for path in paths {
            games += usize::from(is_of_games(path)?);
        }
        let has_options = self.min_rating.is_some()
            || self.since.is_some()
            || self.until.is_some()
            || self.player.is_some()
            || self.unscored;
        match games {
            0 if has_options => Err(bad_usage(
                "--min-rating, --since, --until, --player and --unscored are for game records; \
                 training data state neither players nor dates",
            )),
            0 => Ok(Given::Records),
            _ if games == paths.len() => Ok(Given::Games),
            _ => Err(bad_usage("some of PATHS are game records and some training data")),
        }
    }

    pub(super) fn options(&self, filter: Filter) -> ImportOptions {
        let games = GameFilter {
            min_rating: self.min_rating,
            since: self.since,
            until: self.until,
            player: self.player.clone(),
        };
        ImportOptions { games, filter, unscored: self.unscored }
    }
}

/// Returns whether a path has game records: a folder that is none of training data, an archive, or
/// a file of text.
fn is_of_games(path: &Path) -> anyhow::Result<bool> {
    if path.is_dir() {
        return Ok(!path.join("manifest.json").exists() && !path.join("lock").exists());
    }
    let (file, mut start) = (open_regular(path), Vec::new());
    let read = file.and_then(|file| file.take(TrainingFormat::START_BYTES).read_to_end(&mut start));
    read.with_context(|| path.display().to_string())?;
    let is_text = || !start.is_empty() && !start.iter().take(1 << 10).any(|byte| *byte == 0);
    let length = fs::metadata(path).ok().map(|file| file.len());
    Ok(is_archive(&start) || (TrainingFormat::detect(&start, length).is_none() && is_text()))
}

/// Writes training data from game records.
pub(super) fn import(
    out: &Path,
    sources: &SourceArgs,
    format: TrainingFormat,
    wanted: ImportOptions,
    output: &OutputArgs,
) -> anyhow::Result<ExitCode> {
    let stop = stop_on_interrupt()?;
    let mut import = GameImport::new(output.create(out)?, format, wanted);
    let mut line = ProgressLine::new("positions", 0);
    let (mut inputs, mut failed) = (Vec::new(), 0_u64);
    let tolerance = if sources.skip_damaged() { Tolerance::Lenient } else { Tolerance::Strict };
    for (index, path) in sources.paths().iter().enumerate() {
        let mut files = RecordFiles::open(path, tolerance);
        for found in &mut files {
            if stop.load(Ordering::Relaxed) {
                return Err(interrupted(STOPPED));
            }
            match found.record {
                Ok(record) => import.add(index, &record)?,
                Err(error) if sources.skip_damaged() => {
                    failed += 1;
                    note!("skipped: {}", failure(&found.place, error));
                }
                Err(error) => anyhow::bail!("{}", failure(&found.place, error)),
            }
            line.report("import", import.read(), None);
        }
        let faults = files.into_skipped();
        print_faults(&faults);
        failed += faults.count();
        let sha256 = path.is_file().then(|| file_sha256(path)).transpose();
        inputs.push(InputOrigin {
            path: path.to_string_lossy().into_owned(),
            records: 0,
            sha256: sha256.with_context(|| path.display().to_string())?,
            origin: None,
        });
    }
    drop(line);
    let games = import.games();
    if games == 0 {
        let paths: Vec<_> = sources.paths().iter().map(|path| path.display().to_string()).collect();
        anyhow::bail!("found no game record in {}", paths.join(", "));
    }
    let origin = import.finish(inputs)?;
    if failed > 0 {
        note!("skipped, faults of game records: {failed}");
    }
    note!("games: {games}");
    print_written(out, &origin)?;
    Ok(ExitCode::SUCCESS)
}
