//! The place of the problems: standard output, or a file that an interrupted run continues.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use komadai::problems::Problem;
use komadai_base::atomic_file::write_atomically;
use komadai_base::file::{open_regular_with, read_text, with_ending};
use komadai_console::{interrupted, stdout};

/// Different problems, the easiest first.
#[derive(Debug, Default)]
pub(super) struct Collection {
    positions: HashSet<String>,
    by_rating: BTreeSet<(u32, String)>,
}

impl Collection {
    /// Adds a problem. Returns its text, or `None` if the problem is there already.
    pub(super) fn insert(&mut self, problem: Problem) -> Option<String> {
        let is_new = self.positions.insert(problem.position.to_string());
        is_new.then(|| {
            let text = problem.to_string();
            self.by_rating.insert((problem.rating(), text.clone()));
            text
        })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.by_rating.iter().try_for_each(|(_, text)| writeln!(out, "{text}"))?;
        out.flush()
    }
}

/// The log of an unfinished run: lines of problems, and after each batch a line with the number of
/// games that were tried.
const TRIED: &str = "# games tried: ";

/// The place of the problems.
#[derive(Debug)]
pub(super) enum Output {
    Stdout,
    File { path: PathBuf, part: PathBuf, log: BufWriter<File>, resumed: Vec<Problem>, tried: u64 },
}

impl Output {
    /// Opens the file of a new run or of one that goes on.
    pub(super) fn open(path: Option<&Path>, is_resumed: bool) -> anyhow::Result<Self> {
        let Some(path) = path.map(Path::to_owned) else { return Ok(Self::Stdout) };
        ensure!(!path.exists(), "{} exists; expected the name of a new file", path.display());
        let part = with_ending(&path, ".part");
        let cannot_use = || format!("cannot use {}", part.display());
        let mut options = File::options();
        let (mut resumed, mut tried, mut whole) = (Vec::new(), 0, 0);
        if is_resumed {
            let text = read_text(&part, u64::MAX).with_context(cannot_use)?;
            (resumed, tried, whole) = read_log(&text).with_context(cannot_use)?;
            options.append(true);
        } else {
            options.write(true).create_new(true);
        }
        let file = open_regular_with(&options, &part).with_context(cannot_use)?;
        file.set_len(whole).with_context(cannot_use)?;
        Ok(Self::File { path, part, log: BufWriter::new(file), resumed, tried })
    }

    /// Takes the problems of the run before the interruption.
    pub(super) fn resumed(&mut self) -> Vec<Problem> {
        match self {
            Self::Stdout => Vec::new(),
            Self::File { resumed, .. } => std::mem::take(resumed),
        }
    }

    /// Returns the number of games that were tried before the interruption.
    pub(super) fn tried(&self) -> u64 {
        match *self {
            Self::Stdout => 0,
            Self::File { tried, .. } => tried,
        }
    }

    /// Notes the problems of a batch.
    pub(super) fn log(
        &mut self,
        problems: impl Iterator<Item = String>,
        tried: u64,
    ) -> anyhow::Result<()> {
        // The problems have to be made in either case.
        let problems: Vec<String> = problems.collect();
        let Self::File { log, part, .. } = self else { return Ok(()) };
        problems
            .iter()
            .try_for_each(|problem| writeln!(log, "{problem}"))
            .and_then(|()| writeln!(log, "{TRIED}{tried}"))
            .and_then(|()| log.flush())
            .with_context(|| format!("cannot write {}", part.display()))
    }

    /// Returns the error of a run that Ctrl-C has ended.
    pub(super) fn interrupt(self) -> anyhow::Error {
        match self {
            Self::Stdout => interrupted("stopped; nothing is written"),
            Self::File { part, .. } => interrupted(format_args!(
                "stopped; {} has the problems so far, --resume continues the run",
                part.display()
            )),
        }
    }

    /// Ends the run: the problems are on the disk under the name of the file.
    pub(super) fn finish(self, problems: &Collection) -> anyhow::Result<()> {
        let Self::File { path, part, .. } = self else {
            return Ok(problems.write(&mut BufWriter::new(stdout()))?);
        };
        let cannot_write = || format!("cannot write {}", path.display());
        write_atomically(&path, |out| problems.write(out)).with_context(cannot_write)?;
        fs::remove_file(&part).with_context(|| format!("cannot remove {}", part.display()))
    }
}

/// Reads a log up to its last complete batch. Returns the problems, the number of games, and the
/// bytes up to there.
fn read_log(text: &str) -> anyhow::Result<(Vec<Problem>, u64, u64)> {
    let (mut problems, mut batch) = (Vec::new(), Vec::new());
    let (mut tried, mut whole, mut bytes) = (0, 0, 0);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        bytes += line.len() as u64;
        let Some(line) = line.strip_suffix('\n') else { break };
        let place = || format!("line {number}");
        if let Some(games) = line.strip_prefix(TRIED) {
            tried = games.parse().with_context(place)?;
            problems.append(&mut batch);
            whole = bytes;
        } else {
            batch.push(line.parse().with_context(place)?);
        }
    }
    Ok((problems, tried, whole))
}
