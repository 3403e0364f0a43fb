//! The errors of the tools.

use std::io;
use std::path::{Path, PathBuf};

use super::data_version::DataVersion;
use super::fault::Damaged;
use crate::dataset::DatasetError;
use crate::records::TrainingFormat;

/// The reason why a tool for training records fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// The system refuses to read or write.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A manifest cannot be read, or is of another version.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A folder is not one of training data.
    #[error("{}: found no manifest.json, expected a folder of training data or a file of records", folder.display())]
    NoManifest {
        /// The folder.
        folder: PathBuf,
    },
    /// There are no records.
    #[error("{}: found no record", path.display())]
    Empty {
        /// The file or folder.
        path: PathBuf,
    },
    /// A file is found twice.
    #[error("{}: the file is given twice", path.display())]
    Twice {
        /// The file.
        path: PathBuf,
    },
    /// A record or a file is damaged.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// No record is sound, though damaged ones are to be skipped.
    #[error("found no sound record among {records}, expected training data; {first}")]
    NothingSound {
        /// Number of records that the files would have.
        records: u64,
        /// The first damage.
        first: Box<Damaged>,
    },
    /// A note of the origin of a file cannot be understood.
    #[error("{}: not a note of the origin of training records: {reason}", path.display())]
    Note {
        /// The note.
        path: PathBuf,
        /// The place and the fault.
        reason: String,
    },
    /// The data were made by different versions.
    #[error(
        "mixed data: {} has scores of {first_version}, {} those of {second_version}",
        first.display(), second.display()
    )]
    Mixed {
        /// A file.
        first: PathBuf,
        /// The version that made its scores.
        first_version: Box<DataVersion>,
        /// Another file, or the same one.
        second: PathBuf,
        /// The version that made its scores.
        second_version: Box<DataVersion>,
    },
    /// No position is left of the records to look at.
    #[error(
        "found no position among {records} records: {in_check} in check, {not_chosen} beyond the \
         wanted number"
    )]
    NoPosition {
        /// Number of records.
        records: u64,
        /// Number of positions in check.
        in_check: u64,
        /// Number of records beyond the wanted number.
        not_chosen: u64,
    },
    /// A format is only read.
    #[error("the format {format} is not written")]
    NotWritten {
        /// The format.
        format: TrainingFormat,
    },
    /// There is not a weight for each source.
    #[error("{found} weights for {expected} sources, expected one for each, not all of them 0")]
    Weights {
        /// Number of weights.
        found: usize,
        /// Number of sources.
        expected: usize,
    },
    /// A source has fewer records than its share.
    #[error("{}: {found} records, expected at least {wanted} for its share", path.display())]
    TooFew {
        /// The source.
        path: PathBuf,
        /// Number of its records.
        found: u64,
        /// Number of records of its share.
        wanted: u64,
    },
    /// The output exists.
    #[error("{}: the file exists", path.display())]
    Exists {
        /// The output.
        path: PathBuf,
    },
    /// The output is one of the inputs.
    #[error("{}: the output is an input", path.display())]
    OutputIsInput {
        /// The file.
        path: PathBuf,
    },
    /// The records are not in the order of their games.
    #[error(
        "{records} records in {runs} runs of increasing move numbers, expected records in the order of their games"
    )]
    NotInGames {
        /// Number of records.
        records: u64,
        /// Number of runs of records with increasing move numbers.
        runs: u64,
    },
    /// The memory does not suffice.
    #[error(
        "{memory_mib} MiB do not suffice for {records} records, expected at least {least_mib} MiB"
    )]
    Memory {
        /// The limit.
        memory_mib: u64,
        /// Number of records.
        records: u64,
        /// The least limit for them.
        least_mib: u64,
    },
    /// Another process writes the output.
    #[error("{}: another process writes this file", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Unfinished work has other inputs or options.
    #[error(
        "{}: the unfinished work cannot be continued: {reason}; delete the file to begin again",
        path.display()
    )]
    Journal {
        /// The conditions of the unfinished work.
        path: PathBuf,
        /// The difference.
        reason: String,
    },
    /// The stop was requested.
    #[error("stopped")]
    Stopped,
}

impl ToolError {
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }
}
