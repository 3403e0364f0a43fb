//! Conversion of game records between formats.

mod folder;
mod lost;
mod options;

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use komadai::kifu::{GameWriteError, GameWriter, RecordFiles};
use komadai_base::atomic_file::AtomicFile;
use komadai_console::{Output as StandardOutput, Program, check_is_new, note, stdout};

use crate::arguments::faults::{exit_code, failure, print_faults};
use lost::Lost;
pub use options::ConvertArgs;
use options::LISTED_FILES;

/// The place of the output.
enum Output {
    File(AtomicFile),
    Stdout(io::BufWriter<StandardOutput>),
}

impl Program for ConvertArgs {
    const SUBCOMMAND: &'static str = "convert";

    fn run(&self) -> anyhow::Result<ExitCode> {
        if self.is_to_folder() {
            return folder::convert(self);
        }
        let format = self.format()?;
        let is_stdout = self.is_stdout();
        check_is_new(&self.output, is_stdout || self.force)?;
        // Before the output is created: the usual mistake costs one line.
        fs::metadata(&self.input).with_context(|| self.input.display().to_string())?;
        let cannot_write = || format!("cannot write {}", self.output.display());
        let output = if is_stdout {
            Output::Stdout(io::BufWriter::new(stdout()))
        } else {
            Output::File(AtomicFile::create(&self.output).with_context(cannot_write)?)
        };
        let mut writer = GameWriter::new(output, format, self.form(&self.output, format));
        let mut files = RecordFiles::open(&self.input, self.options());
        let lost = self.write_games(&mut files, &mut writer);
        let failed = files.report().failed;
        let skipped = files.into_skipped();
        print_faults(&skipped);
        // The faults tell why a file has no game.
        let lost = lost?;
        if failed > 0 {
            let plural = if failed == 1 { "" } else { "s" };
            note!("skipped: {failed} file{plural} or part{plural} of files");
        }
        let games = writer.games();
        writer.into_inner().commit().with_context(cannot_write)?;
        let plural = if games == 1 { "" } else { "s" };
        if is_stdout {
            lost.to_string().lines().for_each(|line| note!("{line}"));
        } else {
            let mut out = stdout();
            writeln!(out, "{}: {games} game{plural}", self.output.display())?;
            write!(out, "{lost}")?;
        }
        Ok(exit_code(skipped.lost_moves() + failed))
    }
}

impl Output {
    /// Makes the file appear, or writes the rest.
    fn commit(self) -> io::Result<()> {
        match self {
            Self::File(file) => file.commit(),
            Self::Stdout(mut out) => out.flush(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Stdout(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Stdout(out) => out.flush(),
        }
    }
}

impl ConvertArgs {
    /// Writes each game before the next one is read. Returns what the games lost.
    fn write_games(
        &self,
        files: &mut RecordFiles,
        writer: &mut GameWriter<Output>,
    ) -> anyhow::Result<Lost> {
        let mut lost = Lost::default();
        let mut read = 0;
        // The failure of the first file is the message if there is no game.
        let mut first_failure = None;
        while let Some(found) = files.next() {
            let record = match found.record {
                Ok(record) => record,
                Err(error) if self.strict => bail!("{}", failure(&found.place, error)),
                Err(error) => {
                    let failed = files.report().failed;
                    if failed == 1 && read == 0 {
                        first_failure = Some(failure(&found.place, error));
                    } else if failed <= LISTED_FILES {
                        first_failure.take().iter().for_each(|failure| note!("{failure}"));
                        note!("{}", failure(&found.place, error));
                    }
                    continue;
                }
            };
            read += 1;
            first_failure.take().iter().for_each(|failure| note!("{failure}"));
            if self.game.is_some_and(|number| number != read) {
                continue;
            }
            lost.add(writer.write(&record).map_err(|error| match error {
                // The rest is not read; it may have any number of games.
                GameWriteError::SecondGame { .. } => anyhow::anyhow!(
                    "{} has at least 2 games, and the format holds one; --game N takes one of them",
                    self.input.display()
                ),
                error => anyhow::Error::new(error).context(found.place.to_string()),
            })?);
            if self.game.is_some() {
                break;
            }
        }
        match self.game {
            _ if writer.games() > 0 => Ok(lost),
            _ if first_failure.is_some() => bail!("{}", first_failure.unwrap_or_default()),
            Some(number) if read > 0 => bail!("there is no game {number} of {read}"),
            _ => bail!("{} has no game", self.input.display()),
        }
    }
}
