//! The place of the answers: standard output, or a file that an interrupted run continues.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, BufWriter, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use komadai_base::file::{LockedFile, open_locked};
use komadai_console::{Output, note};

use super::input::Problem;
use super::options::{Format, TsumeArgs};
use super::output::{CSV_HEADER, id_in, id_of};

/// The answers of a run.
#[derive(Debug)]
pub(super) enum Results {
    Stdout(BufWriter<Output>),
    File { out: BufWriter<LockedFile>, path: PathBuf },
}

impl Results {
    /// Opens the place for the answers. For a run that continues, takes the problems that the file
    /// answers.
    pub(super) fn open(
        arguments: &TsumeArgs,
        problems: &mut impl Iterator<Item = Problem>,
        refused: &mut Refused,
    ) -> anyhow::Result<Self> {
        let format = arguments.format();
        let Some(path) = &arguments.out else {
            let mut results = Self::Stdout(BufWriter::new(Output::json_if(format == Format::Json)));
            results.write(header(format))?;
            return Ok(results);
        };
        let cannot_use = || format!("cannot use {}", path.display());
        ensure!(
            fs::metadata(path).map_or(true, |found| found.is_file()),
            "{} is no regular file; expected the name of one",
            path.display()
        );
        let options = OpenOptions::new().read(true).append(true).create(true).clone();
        let mut file = open_locked(&options, path, "run").with_context(cannot_use)?;
        let length = file.metadata().with_context(cannot_use)?.len();
        ensure!(
            length == 0 || arguments.resume,
            "{} exists; expected --resume to continue it, or the name of a new file",
            path.display()
        );
        let whole = skip_answered(&mut file, path, format, problems, refused)?;
        file.set_len(whole).with_context(cannot_use)?;
        let mut results = Self::File { out: BufWriter::new(file), path: path.clone() };
        if whole == 0 {
            results.write(header(format))?;
        }
        Ok(results)
    }

    pub(super) fn write(&mut self, text: &str) -> anyhow::Result<()> {
        let (written, path) = match self {
            Self::Stdout(out) => return Ok(out.write_all(text.as_bytes())?),
            Self::File { out, path } => (out.write_all(text.as_bytes()), path),
        };
        written.with_context(|| format!("cannot write {}", path.display()))
    }

    pub(super) fn flush(&mut self) -> anyhow::Result<()> {
        let (flushed, path) = match self {
            Self::Stdout(out) => return Ok(out.flush()?),
            Self::File { out, path } => (out.flush(), path),
        };
        flushed.with_context(|| format!("cannot write {}", path.display()))
    }

    /// Ends the run: the answers are on the disk.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        self.flush()?;
        match &self {
            Self::Stdout(_) => Ok(()),
            Self::File { out, path } => (out.get_ref().sync_all())
                .with_context(|| format!("cannot write {}", path.display())),
        }
    }
}

fn header(format: Format) -> &'static str {
    if format == Format::Csv { CSV_HEADER } else { "" }
}

/// Takes the problems whose answers are in the file, in the same order. Returns the length of its
/// complete lines: a process that was killed may leave an incomplete one.
fn skip_answered(
    file: &mut File,
    path: &Path,
    format: Format,
    problems: &mut impl Iterator<Item = Problem>,
    refused: &mut Refused,
) -> anyhow::Result<u64> {
    file.seek(SeekFrom::Start(0))?;
    let mut lines = BufReader::new(file);
    let (mut whole, mut line) = (0, Vec::new());
    for number in 1_u64.. {
        line.clear();
        let length = lines.read_until(b'\n', &mut line)?;
        if line.pop() != Some(b'\n') {
            break;
        }
        let place = || format!("{}, line {number}", path.display());
        let text = str::from_utf8(&line).with_context(place)?;
        if number == 1 && format == Format::Csv {
            let expected = header(format).trim_end();
            ensure!(text == expected, "{}: found {text:?}, expected {expected:?}", place());
        } else {
            let id = id_of(text, format).with_context(|| {
                format!("{}: found {text:?}, expected an answer in the format {format:?}", place())
            })?;
            take(&id, format, problems, refused).with_context(place)?;
        }
        whole += length as u64;
    }
    Ok(whole)
}

/// Takes the problem of an answer, and those before it that cannot be read.
fn take(
    id: &str,
    format: Format,
    problems: &mut impl Iterator<Item = Problem>,
    refused: &mut Refused,
) -> anyhow::Result<()> {
    for problem in problems {
        match problem.position() {
            Err(error) => refused.note(&error),
            Ok(_) if problem.id == id || id_in(format, &problem.id) == id => return Ok(()),
            Ok(_) => bail!(
                "found the answer of {id:?}, expected that of {:?}: the file belongs to other problems",
                problem.id
            ),
        }
    }
    bail!("found the answer of {id:?}, but there are no more problems: the file belongs to others")
}

/// The problems that could not be read.
#[derive(Debug, Default)]
pub(super) struct Refused {
    refused: u64,
}

impl Refused {
    /// Counts an error and shows it.
    pub(super) fn note(&mut self, error: &str) {
        self.refused += 1;
        note!("{error}");
    }

    /// Returns the exit code of the run.
    pub(super) fn exit_code(&self) -> anyhow::Result<ExitCode> {
        match self.refused {
            0 => Ok(ExitCode::SUCCESS),
            refused => {
                note!("{refused} problems could not be read");
                Ok(ExitCode::FAILURE)
            }
        }
    }
}
