//! The sequences of moves that a player extends, from a file.

use std::io;
use std::path::{Path, PathBuf};

use komadai_base::file::read_bounded;
use komadai_search::{TesujiFileError, TesujiTable};

/// A file of tesuji (`TesujiFile`) that a player cannot use.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TesujiError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The file is not a table.
    #[error("{}: {error}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The place, what was found there and what was expected.
        #[source]
        error: TesujiFileError,
    },
}

/// Reads a table.
pub(crate) fn read_tesuji(path: &Path) -> Result<TesujiTable, TesujiError> {
    let bytes = read_bounded(path, TesujiTable::MAX_FILE_BYTES)
        .map_err(|error| TesujiError::Io { path: path.to_owned(), error })?;
    TesujiTable::read(&bytes).map_err(|error| TesujiError::Content { path: path.to_owned(), error })
}
