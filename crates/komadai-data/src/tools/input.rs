//! A file of records, as a tool reads it.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use crate::records::{GameFrames, TrainingError, TrainingFormat};
use komadai_base::file::open_regular;

use super::data_version::DataVersion;
use super::error::ToolError;
use super::fault::{BYTES, Fault, Place};
use super::origin::Origin;
use crate::dataset::{Run, Shard};

/// The ending of a file that a generator is writing.
pub(super) const PART: &str = "part";

/// A file of records in any format that is read: see [`TrainingFormat`].
///
/// The number of records is that at the time when the file was found: a generator may append more.
#[derive(Debug, Clone)]
pub struct Input {
    /// The index of its path among those that were given.
    pub(super) source: usize,
    pub(super) path: PathBuf,
    pub(super) format: TrainingFormat,
    pub(super) records: u64,
    /// Number of bytes of these records.
    pub(super) bytes: u64,
    pub(super) sha256: Option<String>,
    pub(super) stated: Option<Stated>,
    /// True if every game in the file is complete, so that successive positions have successive
    /// move numbers: the file is of a folder of training data, or a `.pack`.
    pub(super) has_whole_games: bool,
    pub(super) origin: Option<Origin>,
    pub(super) runs: Vec<Run>,
    pub(super) versions: Vec<DataVersion>,
}

/// The content of a file as its manifest or its note of origin states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stated {
    pub(super) records: u64,
    pub(super) sha256: String,
}

impl Input {
    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the format.
    pub fn format(&self) -> TrainingFormat {
        self.format
    }

    /// Returns the index of the path that was given for it: itself, or its folder.
    pub(super) fn source(&self) -> usize {
        self.source
    }

    /// Returns the number of records.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Returns the SHA-256 of the records; `None` if the sources have not been verified.
    pub fn sha256(&self) -> Option<&str> {
        self.sha256.as_deref()
    }

    /// Returns whether a generator has written the file.
    pub(super) fn is_of_generator(&self) -> bool {
        self.has_whole_games && self.format == TrainingFormat::Psv
    }

    /// Finds a file, and the fault that its length or its start shows. Formats of games are read
    /// to the end of the last whole game.
    pub(super) fn find(path: &Path) -> Result<(Self, Option<Fault>), ToolError> {
        let io = |error| ToolError::io(path, error);
        let mut file = open_regular(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        let rest = length % BYTES as u64;
        let mut start = Vec::new();
        file.by_ref().take(TrainingFormat::START_BYTES).read_to_end(&mut start).map_err(io)?;
        let is_part = path.extension().is_some_and(|ending| ending == PART);
        // A generator may be writing the rest of the record.
        let whole = if is_part { length - rest } else { length };
        let format = TrainingFormat::detect(&start, Some(whole)).unwrap_or(TrainingFormat::Psv);
        let mut input = Self {
            source: 0,
            path: path.to_owned(),
            format,
            records: 0,
            bytes: length,
            sha256: None,
            stated: None,
            has_whole_games: format == TrainingFormat::Pack,
            origin: None,
            runs: Vec::new(),
            versions: Vec::new(),
        };
        let fault = match format.record_bytes() {
            _ if format == TrainingFormat::AperyRust => Some(Fault::Format { found: format }),
            None => {
                file.seek(SeekFrom::Start(0)).map_err(io)?;
                input.find_games(file).map_err(io)?
            }
            Some(expected) => {
                let found = length % expected as u64;
                input.records = length / expected as u64;
                input.bytes = length - found;
                (found > 0 && !is_part).then_some(Fault::Truncated { found, expected })
            }
        };
        Ok((input, fault))
    }

    /// Counts the records of a file of games, up to the first bytes that are no game.
    fn find_games(&mut self, file: File) -> io::Result<Option<Fault>> {
        let mut games = GameFrames::new(file, self.format);
        loop {
            self.bytes = games.offset();
            match games.next_game() {
                Ok(Some(game)) => self.records += game.records as u64,
                Ok(None) => return Ok(None),
                Err(TrainingError::Io { error, .. }) => return Err(error),
                Err(TrainingError::Game(damage)) => return Ok(Some(damage.into())),
                Err(other) => return Err(io::Error::other(other)),
            }
        }
    }

    /// Returns the place of a record by its number from 0.
    pub(super) fn place(&self, number: u64) -> Place {
        let offset = self.format.record_bytes().map(|bytes| number * bytes as u64);
        Place { record: number + 1, offset }
    }

    /// Adds what a manifest states about the file.
    pub(super) fn with_shard(mut self, shard: &Shard, run: Option<&Run>) -> Self {
        self.stated = Some(Stated { records: shard.positions, sha256: shard.sha256.clone() });
        self.with_run(run)
    }

    /// Adds the run that wrote the file.
    pub(super) fn with_run(mut self, run: Option<&Run>) -> Self {
        self.has_whole_games = true;
        self.runs = run.cloned().into_iter().collect();
        self.versions = run.map(DataVersion::of).into_iter().collect();
        self
    }

    /// Adds what the note of its origin states about the file.
    pub(super) fn with_origin(mut self, origin: Option<Origin>) -> Self {
        if let Some(origin) = origin {
            self.stated = Some(Stated { records: origin.records, sha256: origin.sha256.clone() });
            self.runs.clone_from(&origin.runs);
            self.versions.clone_from(&origin.data_versions);
            self.origin = Some(origin);
        }
        self
    }

    /// Opens the file.
    pub(super) fn open(&self) -> io::Result<File> {
        match open_regular(&self.path) {
            // The generator has completed the file in the meantime.
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let is_part = self.path.extension().is_some_and(|ending| ending == PART);
                if is_part { open_regular(self.path.with_extension("")) } else { Err(error) }
            }
            opened => opened,
        }
    }
}

/// Returns the files of unfinished shards in a folder, in the order of their names.
pub(super) fn unfinished_shards(folder: &Path) -> Result<Vec<PathBuf>, ToolError> {
    let io = |error| ToolError::io(folder, error);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if path.to_string_lossy().ends_with(".psv.part") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
