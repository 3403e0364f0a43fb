//! Errors of files that are read into a book or as a book.

use std::io;
use std::path::{Path, PathBuf};

use komadai_bookfile::{BookFileError, EntryError};
#[cfg(feature = "archives")]
use komadai_kifu::{FilePlace, RecordFileError};

use crate::games::GameError;
use crate::list_error::ListError;
use crate::store::StoreError;

/// The reason why a file cannot be read into a book, or as a book. The message names the file.
///
/// # Examples
///
/// ```
/// use komadai_book::{FileKind, InputError};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("letter.txt");
/// std::fs::write(&path, "Dear Sir,\n")?;
/// let error = FileKind::of_file(&path).unwrap_err();
/// assert!(matches!(error, InputError::UnknownKind { .. }));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The file is of no kind that a book can be made from.
    #[error(
        "{}: found {found:?}, expected games (CSA, KIF, KI2, JKF, or USI lines), a book (.db, .ybb, .bin, .sbk, \
         .kbook) or the log of one",
        path.display()
    )]
    UnknownKind {
        /// The file.
        path: PathBuf,
        /// The first line of the file, shortened.
        found: String,
    },
    /// A book file cannot be opened, is no book, or has a fault.
    #[error("{}", with_path(path, error))]
    Book {
        /// The file.
        path: PathBuf,
        /// The fault.
        #[source]
        error: BookFileError,
    },
    /// A book file has nothing but faults.
    #[error("{}: no position could be read, {faults} faults were found:\n{first}", path.display())]
    NothingLeft {
        /// The file.
        path: PathBuf,
        /// The number of faults.
        faults: u64,
        /// The first of the faults, a line each.
        first: String,
    },
    /// A position or a move of a book file cannot be part of a book; only if the import is strict.
    #[error("{}: {error}", path.display())]
    Entry {
        /// The file.
        path: PathBuf,
        /// The position or move, and the reason.
        #[source]
        error: EntryError,
    },
    /// A file of games has a fault.
    #[error("{}: {error}", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// The fault.
        #[source]
        error: ListError,
    },
    /// A list of games contains none.
    #[error("{}: found no game, expected a line such as \"startpos moves 7g7f\"", path.display())]
    NoGame {
        /// The file.
        path: PathBuf,
    },
    /// A file in an archive of games cannot be read, or has a fault.
    #[cfg(feature = "archives")]
    #[error("{place}: {error}")]
    Archive {
        /// The archive, and the file in it.
        place: FilePlace,
        /// The fault.
        #[source]
        error: Box<RecordFileError>,
    },
    /// A game breaks a rule; only if the import is strict.
    #[error("{}: game {number}: {error}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// The number of the game in the file, from 1.
        number: u64,
        /// The rule and the move.
        #[source]
        error: GameError,
    },
    /// A text log has a fault.
    #[error("{}: {error}", path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// The fault.
        #[source]
        error: StoreError,
    },
    /// A store cannot be opened, read or changed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl InputError {
    /// Returns the function that makes an I/O error one of a file.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |error| Self::Io { path: path.to_owned(), error }
    }

    /// Returns the function that makes an error of a book one of its file.
    pub(crate) fn book<E: Into<BookFileError>>(path: &Path) -> impl FnOnce(E) -> Self {
        |error| Self::Book { path: path.to_owned(), error: error.into() }
    }
}

/// The message of a book file's error with the path before it, unless the message contains the
/// path.
fn with_path(path: &Path, error: &BookFileError) -> String {
    match error {
        BookFileError::Io { .. } | BookFileError::UnknownFormat { .. } => error.to_string(),
        _ => format!("{}: {error}", path.display()),
    }
}
