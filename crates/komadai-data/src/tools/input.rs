//! A file of records, as a tool reads it.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use crate::records::TrainingFormat;
use komadai_base::file::open_regular;

use super::data_version::DataVersion;
use super::error::ToolError;
use super::fault::Fault;
use super::origin::Origin;
use crate::dataset::{Run, Shard};
use crate::record::BYTES;

/// The ending of a file that a generator is writing.
pub(super) const PART: &str = "part";

/// Number of bytes by which the format of a file is recognised.
const START_BYTES: u64 = 32 * 42;

/// A file of records in the format of YaneuraOu.
///
/// The number of records is that at the time when the file was found: a generator may append more.
#[derive(Debug, Clone)]
pub struct Input {
    pub(super) path: PathBuf,
    pub(super) records: u64,
    pub(super) sha256: Option<String>,
    pub(super) stated: Option<Stated>,
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

    /// Returns the number of records.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Returns the SHA-256 of the records; `None` if the sources have not been verified.
    pub fn sha256(&self) -> Option<&str> {
        self.sha256.as_deref()
    }

    /// Returns whether the file is of a folder of training data, so that every game in it is
    /// complete: successive positions have successive move numbers.
    pub fn has_whole_games(&self) -> bool {
        self.has_whole_games
    }

    /// Finds a file, and the fault that its length or its start shows.
    pub(super) fn find(path: &Path) -> Result<(Self, Option<Fault>), ToolError> {
        let io = |error| ToolError::io(path, error);
        let mut file = open_regular(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        let (records, rest) = (length / BYTES as u64, length % BYTES as u64);
        let mut start = Vec::new();
        file.by_ref().take(START_BYTES).read_to_end(&mut start).map_err(io)?;
        let is_part = path.extension().is_some_and(|ending| ending == PART);
        let fault = match TrainingFormat::detect(
            &start,
            Some(if is_part { length - rest } else { length }),
        ) {
            Some(found) if found != TrainingFormat::Psv => Some(Fault::Format { found }),
            // A generator may be writing the rest of the record.
            _ if rest > 0 && !is_part => Some(Fault::Truncated { found: rest }),
            _ => None,
        };
        let path = path.to_owned();
        let input = Self {
            path,
            records,
            sha256: None,
            stated: None,
            has_whole_games: false,
            origin: None,
            runs: Vec::new(),
            versions: Vec::new(),
        };
        Ok((input, fault))
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
