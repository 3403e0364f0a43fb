//! The errors of training data.

use std::io;
use std::path::{Path, PathBuf};

/// The reason why training data cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// The system refuses to read or write.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Another process writes into the folder.
    #[error("{}: another process writes training data here", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The manifest cannot be understood.
    #[error("{}: not a manifest of training data: {reason}", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// The place and the fault.
        reason: String,
    },
}

impl DatasetError {
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    /// Returns whether there is no space left, so that waiting may help.
    pub fn is_storage_full(&self) -> bool {
        let kinds = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
        matches!(self, Self::Io { source, .. } if kinds.contains(&source.kind()))
    }
}
