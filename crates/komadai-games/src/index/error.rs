//! The error of an index.

use std::io;
use std::path::{Path, PathBuf};

/// The reason why an index cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The file cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The index.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The file does not begin as an index.
    #[error("{}: not an index of games, which begins with \"komadai-games\"", .path.display())]
    NotAnIndex {
        /// The file.
        path: PathBuf,
    },
    /// The file has another version.
    #[error("{}: found version {found:?} of the format, expected {expected}; build the index anew", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: String,
        /// The version that is read.
        expected: u32,
    },
    /// The keys of positions are others than those of this version of the library.
    #[error("{}: made by a version with other keys of positions; build the index anew", .path.display())]
    Keys {
        /// The file.
        path: PathBuf,
    },
    /// A part of the file is damaged.
    #[error("{}: damaged at byte {at}: {reason}; build the index anew", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The place.
        at: u64,
        /// The fault.
        reason: String,
    },
    /// There are more games than the format can number.
    #[error("{}: more than {} games", .path.display(), u32::MAX)]
    TooManyGames {
        /// The file.
        path: PathBuf,
    },
    /// The path of a file of games is no UTF-8, so that the format cannot hold it.
    #[error("{}: the path is not UTF-8, which an index cannot hold", .path.display())]
    Path {
        /// The file of games.
        path: PathBuf,
    },
}

impl IndexError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io { path: path.to_owned(), error }
    }

    pub(super) fn damaged(path: &Path, at: u64, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), at, reason: reason.into() }
    }
}
