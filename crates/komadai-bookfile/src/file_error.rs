//! Errors of opening, searching, sorting and writing book files.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use crate::book_format::BookFormat;
use crate::error::BookError;

/// An error of opening, reading, searching or writing a book file.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookFile, BookFileError};
/// use komadai_bookfile::Tolerance;
///
/// let error = BookFile::open("/no/such/book.db", Tolerance::Strict).unwrap_err();
/// assert!(matches!(error, BookFileError::Io { .. }));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookFileError {
    /// The file cannot be opened or read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        error: io::Error,
    },
    /// Neither the first bytes nor the extension of the file determine a format.
    #[error("{}: expected a book, a name ending in .db, .ybb, .bin or .sbk", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// A position of this format can only be found by reading the whole file.
    #[error("a .{format} book cannot be searched on disk, expected .db, .ybb or .bin")]
    NoSearch {
        /// The format.
        format: BookFormat,
    },
    /// The content of the file is faulty.
    #[error(transparent)]
    Content(#[from] BookError),
    /// A temporary file of sorting or writing failed.
    #[error("a temporary file failed: {0}")]
    Temporary(#[source] io::Error),
    /// The file cannot be written. The file that had the name before is unchanged.
    #[error("{}: cannot write: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        error: io::Error,
    },
}

impl BookFileError {
    /// Returns the function that makes an I/O error one of a file.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |error| Self::Io { path: path.to_owned(), error }
    }
}

/// An error of an operation that takes records from a source of the caller: sorting, merging,
/// writing.
///
/// `E` is the error of the source.
///
/// # Examples
///
/// ```
/// use std::convert::Infallible;
///
/// use komadai_bookfile::{BookFormat, BookRecord, RecordsError, WriteOptions, write_book};
///
/// let records: [Result<BookRecord, Infallible>; 0] = [];
/// let path = "/no/such/folder/book.db";
/// let error = write_book(path, BookFormat::Db, records, &WriteOptions::default()).unwrap_err();
/// assert!(matches!(error, RecordsError::File(_)));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordsError<E: Error + 'static> {
    /// The source of the records failed.
    #[error(transparent)]
    Source(E),
    /// A temporary file or the written file failed.
    #[error(transparent)]
    File(BookFileError),
}

impl<E: Error + 'static> RecordsError<E> {
    pub(crate) fn temporary(error: io::Error) -> Self {
        Self::File(BookFileError::Temporary(error))
    }
}
