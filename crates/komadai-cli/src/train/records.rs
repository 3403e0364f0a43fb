//! The arguments and the frame of the tools for records.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::Args;
use komadai::data::tools::{
    Damage, Existing, Filter, OnDamage, Origin, Output, Sources, ToolError, Watch,
};
use komadai_console::{grouped, interrupted, note, stdout, stop_on_interrupt};

use super::progress::ProgressLine;

/// The note of an interrupted run that leaves nothing behind.
pub(super) const STOPPED: &str = "stopped; there is no result";

/// The data that a tool reads.
#[derive(Debug, Args)]
pub(super) struct SourceArgs {
    /// Folders of training data, and files of records of any format: PSV, HCPE, HCPE3, .pack,
    /// sbinpack (their content decides), or .psv.part of a running generator.
    #[arg(required = true, value_name = "PATHS")]
    paths: Vec<PathBuf>,
    /// Skip and count damaged records, and files that their manifest contradicts.
    #[arg(long)]
    skip_damaged: bool,
    /// Accept scores of different versions or evaluations.
    #[arg(long)]
    mixed: bool,
}

impl SourceArgs {
    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    pub(super) fn skip_damaged(&self) -> bool {
        self.skip_damaged
    }

    /// Returns the data, verified.
    pub(super) fn open(&self, watch: &mut Watch<'_>) -> Result<Sources, ToolError> {
        let on_damage = if self.skip_damaged { OnDamage::Skip } else { OnDamage::Refuse };
        let sources = Sources::find(&self.paths, on_damage)?;
        let sources = if self.mixed { sources } else { sources.of_one_version()? };
        sources.verified(watch)
    }
}

/// The data that a tool reads which holds out whole games.
#[derive(Debug, Args)]
pub(super) struct GameArgs {
    #[command(flatten)]
    sources: SourceArgs,
    /// Accept records that are not in the order of their games, as after a shuffle. Positions of
    /// one game are then both learnt from and held out, and the results on held-out ones say
    /// little.
    #[arg(long)]
    shuffled: bool,
}

impl GameArgs {
    /// Fills a set with the records by its function, until its end or the request to stop.
    pub(super) fn read<S>(
        &self,
        mut set: S,
        stop: &AtomicBool,
        read: impl FnOnce(&mut S, &Sources, &mut Watch<'_>) -> Result<Damage, ToolError>,
    ) -> anyhow::Result<S> {
        let damage = watched_until(stop, STOPPED, |watch| {
            let sources = self.sources.open(watch)?;
            self.check_order(&sources, watch)?;
            read(&mut set, &sources, watch)
        })?;
        note_damage(&damage);
        Ok(set)
    }

    /// Refuses records in another order than that of their games, unless it is accepted.
    fn check_order(&self, sources: &Sources, watch: &mut Watch<'_>) -> Result<(), ToolError> {
        match sources.check_order(watch) {
            Err(error @ ToolError::NotInGames { .. }) if self.shuffled => {
                note!("warning: {error}; held-out positions are of games that are learnt from");
                Ok(())
            }
            checked => checked,
        }
    }
}

/// The treatment of outputs.
#[derive(Debug, Args)]
pub(super) struct OutputArgs {
    /// Replace outputs that exist.
    #[arg(long)]
    force: bool,
}

impl OutputArgs {
    pub(super) fn existing(&self) -> Existing {
        if self.force { Existing::Replace } else { Existing::Refuse }
    }

    /// Refuses an output that exists, unless it shall be replaced.
    pub(super) fn check(&self, path: &Path) -> Result<(), ToolError> {
        if !self.force && path.symlink_metadata().is_ok() {
            return Err(ToolError::Exists { path: path.to_owned() });
        }
        Ok(())
    }

    pub(super) fn create(&self, path: &Path) -> Result<Output, ToolError> {
        Output::create(path, self.existing())
    }
}

/// The conditions of records.
#[derive(Debug, Args)]
pub(super) struct FilterArgs {
    /// Only quiet positions: not in check, and the best move neither captures nor promotes.
    #[arg(long)]
    quiet: bool,
    /// No positions in check.
    #[arg(long)]
    no_checks: bool,
    /// Largest score of either side, in centipawns.
    #[arg(long, value_name = "CP")]
    max_score: Option<u16>,
    /// No mate scores.
    #[arg(long)]
    no_mates: bool,
    /// Least move number.
    #[arg(long, value_name = "PLY")]
    min_ply: Option<u16>,
    /// Largest move number.
    #[arg(long, value_name = "PLY")]
    max_ply: Option<u16>,
    /// No games that ended in a draw.
    #[arg(long)]
    no_draws: bool,
}

impl FilterArgs {
    pub(super) fn filter(&self) -> Filter {
        Filter {
            is_quiet: self.quiet,
            no_checks: self.no_checks,
            max_score: self.max_score,
            no_mates: self.no_mates,
            min_ply: self.min_ply,
            max_ply: self.max_ply,
            no_draws: self.no_draws,
        }
    }
}

/// Runs a tool with a line of progress, until its end or Ctrl-C.
pub(crate) fn watched<T>(
    tool: impl FnOnce(&mut Watch<'_>) -> Result<T, ToolError>,
) -> anyhow::Result<T> {
    watched_until(&*stop_on_interrupt()?, STOPPED, tool)
}

/// Runs a tool with a line of progress, until its end or the request to stop, after which the run is
/// interrupted with this note.
pub(super) fn watched_until<T>(
    stop: &AtomicBool,
    note: &str,
    tool: impl FnOnce(&mut Watch<'_>) -> Result<T, ToolError>,
) -> anyhow::Result<T> {
    let mut line = ProgressLine::new("records", 0);
    let mut report = |progress| line.tool(progress);
    tool(&mut Watch::new(stop, &mut report)).map_err(|error| match error {
        ToolError::Stopped => interrupted(note),
        error => error.into(),
    })
}

/// Prints the counts of a file that a tool has written.
pub(super) fn print_written(path: &Path, origin: &Origin) -> anyhow::Result<()> {
    let (written, read) = (grouped(origin.records), grouped(origin.read));
    writeln!(stdout(), "{written} of {read} records: {}", path.display())?;
    for (reason, count) in &origin.dropped {
        writeln!(stdout(), "dropped, {}: {}", reason.replace('_', " "), grouped(*count))?;
    }
    Ok(())
}

/// Prints the damage that a tool has skipped on standard error.
pub(crate) fn note_damage(damage: &Damage) {
    for damaged in damage.first() {
        note!("skipped: {damaged}");
    }
    for (kind, count) in damage.counts() {
        note!("skipped, {kind}: {}", grouped(*count));
    }
}

/// Prints the result of a tool that writes one file.
pub(super) fn report(path: &Path, written: &(Origin, Damage)) -> anyhow::Result<ExitCode> {
    note_damage(&written.1);
    print_written(path, &written.0)?;
    Ok(ExitCode::SUCCESS)
}
