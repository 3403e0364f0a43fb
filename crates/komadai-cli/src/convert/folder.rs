//! Conversion of the games of a folder, each to a file of its own.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, ensure};
use komadai::kifu::record_files::FileFault;
use komadai::kifu::{GameWriter, KifuFormat, Loss, Record, Skipped};
use komadai_base::atomic_file::AtomicFile;
use komadai_console::{
    Pipeline, Progress, bad_usage, create_folder, describe, interrupted, note, stdout,
    stop_on_interrupt, threads,
};

use super::lost::Lost;
use super::options::{ConvertArgs, FormatName, LISTED_FILES};
use crate::arguments::faults::{exit_code, failure, print_faults};
use crate::arguments::game_sources::{GameSource, NamedGames, game_sources, with_ending};

/// The outcome of one file of games.
#[derive(Default)]
struct Converted {
    /// The losses of each game that was written.
    losses: Vec<Vec<Loss>>,
    failures: Vec<String>,
    skipped: Skipped<FileFault>,
}

/// Converts every game below the input.
pub(super) fn convert(arguments: &ConvertArgs) -> anyhow::Result<ExitCode> {
    let ConvertArgs { input, output, .. } = arguments;
    let format = arguments.to.map(FormatName::format).ok_or_else(|| {
        bad_usage(format_args!("{}: --to names the format of the files", output.display()))
    })?;
    if arguments.game.is_some() {
        return Err(bad_usage("--game takes a game of one file to one file"));
    }
    fs::metadata(input).with_context(|| input.display().to_string())?;
    let (sources, errors) = game_sources(input, output);
    errors.iter().for_each(|error| note!("{error}"));
    ensure!(!sources.is_empty(), "{} has no file of games", input.display());
    create_folder(output)?;
    let stop = stop_on_interrupt()?;
    let is_stopped = || stop.load(Ordering::Relaxed);
    let mut progress = Progress::new("convert", sources.len(), arguments.quiet);
    let (mut lost, mut games, mut failed) = (Lost::default(), 0, errors.len() as u64);
    let mut skipped = Skipped::default();
    let failed_flag = Arc::new(AtomicBool::new(false));
    let pipeline = Pipeline { threads: threads(arguments.jobs).get(), stop: failed_flag };
    let jobs = sources.into_iter().take_while(|_| !is_stopped());
    pipeline.run(
        jobs,
        || (),
        |(), source: GameSource| arguments.convert_file(&source, format),
        |batch: Vec<Converted>, _| {
            for done in batch {
                games += done.losses.len();
                done.losses.into_iter().for_each(|losses| lost.add(losses));
                for failure in done.failures {
                    failed += 1;
                    match arguments.quiet {
                        _ if failed > LISTED_FILES => {}
                        true => note!("{failure}"),
                        false => progress.print(&failure),
                    }
                }
                skipped.append(done.skipped);
                progress.tick(String::new);
            }
            Ok::<_, anyhow::Error>(())
        },
        || {},
    )?;
    progress.finish();
    print_faults(&skipped);
    if failed > LISTED_FILES {
        note!("and {} more failures", failed - LISTED_FILES);
    }
    let plural = if games == 1 { "" } else { "s" };
    let mut out = stdout();
    writeln!(out, "{}: {games} game{plural}", output.display())?;
    write!(out, "{lost}")?;
    if is_stopped() {
        return Err(interrupted("stopped; the files that were written are complete"));
    }
    Ok(exit_code(skipped.lost_moves() + failed))
}

impl ConvertArgs {
    /// Converts the games of one file.
    fn convert_file(&self, source: &GameSource, format: KifuFormat) -> Converted {
        let mut done = Converted::default();
        let mut games = NamedGames::open(source, self.options());
        for (name, found) in &mut games {
            let record = match found.record {
                Ok(record) => record,
                Err(error) => {
                    done.failures.push(failure(&found.place, error));
                    continue;
                }
            };
            let path = self.output.join(with_ending(&name, format.extension()));
            match self.write_game(&record, &path, format) {
                Ok(losses) => done.losses.push(losses),
                Err(error) => {
                    done.failures.push(format!("{}: {}", found.place, describe(&error)));
                }
            }
        }
        done.skipped = games.into_skipped();
        done
    }

    fn write_game(
        &self,
        record: &Record,
        path: &Path,
        format: KifuFormat,
    ) -> anyhow::Result<Vec<Loss>> {
        ensure!(self.force || !path.exists(), "{} exists; --force replaces it", path.display());
        if let Some(folder) = path.parent() {
            create_folder(folder)?;
        }
        let cannot_write = || format!("cannot write {}", path.display());
        let file = AtomicFile::create(path).with_context(cannot_write)?;
        let mut writer = GameWriter::new(file, format, self.form(path, format));
        let losses = writer.write(record)?;
        writer.into_inner().commit().with_context(cannot_write)?;
        Ok(losses)
    }
}
