//! Errors of stores.

use std::io;
use std::path::{Path, PathBuf};

use komadai_bookfile::{BookError, EntryError};

/// The reason why a store cannot be opened, read or changed.
///
/// A change that fails has no effect.
///
/// # Examples
///
/// ```
/// use komadai_book::store::{Store, StoreError};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.kbook");
/// let _open = Store::create(&path)?;
/// assert!(matches!(Store::open(&path), Err(StoreError::InUse { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file or its folder cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// There is no space for the change. All earlier changes are safe; the store must be opened
    /// again.
    #[error("{}: no space left: {error}", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The file or its folder is not writable.
    #[error("{}: may not be written: {error}", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The store is open already, here or in another process.
    #[error("{}: someone else has the store open", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The store was opened for reading only.
    #[error("{}: open for reading only, expected it to be open for writing", path.display())]
    OpenToRead {
        /// The file.
        path: PathBuf,
    },
    /// The last process that wrote the store was killed, and the file is not writable, so it cannot
    /// be repaired.
    #[error(
        "{}: left in need of repair by a process that was killed; open it once with write access",
        path.display()
    )]
    Unclean {
        /// The file.
        path: PathBuf,
    },
    /// A file with the name of the new store exists.
    #[error("{}: there is a file already, expected none", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file is no store.
    #[error("{}: found {found}, expected a book's store", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
        /// The description of the file.
        found: String,
    },
    /// A later version of this library has written the file or a row of it.
    #[error("{}: version {found}, expected at most {supported}", path.display())]
    NewerVersion {
        /// The file.
        path: PathBuf,
        /// The version of the file or row.
        found: u64,
        /// The newest version that this library reads.
        supported: u64,
    },
    /// The file is damaged.
    #[error("{}: damaged: {reason}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The damage.
        reason: String,
    },
    /// A row is damaged.
    #[error("{}: damaged row {key} of {table}: {reason}", path.display())]
    CorruptRow {
        /// The file.
        path: PathBuf,
        /// The table of the row.
        table: &'static str,
        /// The key in hexadecimal digits. If the key starts with a position, the first 64 digits
        /// are that position, packed.
        key: String,
        /// The damage.
        reason: String,
    },
    /// An earlier write failed. The store must be opened again.
    #[error("{}: an earlier write failed, the store must be opened again", path.display())]
    Stopped {
        /// The file.
        path: PathBuf,
    },
    /// A position or a move cannot be part of a book.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// A text that is imported has a fault.
    #[error(transparent)]
    Text(#[from] BookError),
    /// A log has results of jobs of another book.
    #[error("found results of jobs of the book {found:016x}, expected the book {expected:016x}")]
    OtherBook {
        /// The number of the book that the log names; 0 if it names none.
        found: u64,
        /// The number of this book.
        expected: u64,
    },
    /// The export cannot be written.
    #[error("the export cannot be written: {error}")]
    Output {
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The move or position to be deleted is not in the view.
    #[error("{what} is not in the book")]
    NotInBook {
        /// The move, if there is one, and the position as SFEN.
        what: String,
    },
    /// There is no such deletion.
    #[error("there is no deletion number {id}")]
    NoTombstone {
        /// The requested number.
        id: u64,
    },
    /// There is no such snapshot.
    #[error("there is no snapshot {name:?}")]
    NoSnapshot {
        /// The requested name.
        name: String,
    },
    /// A snapshot of another state has this name.
    #[error("there is a snapshot {name:?} already, expected a new name")]
    SnapshotExists {
        /// The name.
        name: String,
    },
}

/// A [`StoreError`] with an empty path.
#[derive(Debug)]
pub(crate) struct StoreFault(pub(crate) StoreError);

impl StoreFault {
    pub(crate) fn corrupt_row(
        table: &'static str,
        key: &[u8],
        reason: impl core::fmt::Display,
    ) -> Self {
        let key = key.iter().map(|byte| format!("{byte:02x}")).collect();
        let path = PathBuf::new();
        let reason = reason.to_string();
        Self(StoreError::CorruptRow { path, table, key, reason })
    }

    /// The error with the path of the file, unless it has one.
    pub(crate) fn in_file(self, file: &Path) -> StoreError {
        let mut error = self.0;
        match &mut error {
            StoreError::Io { path, .. }
            | StoreError::DiskFull { path, .. }
            | StoreError::ReadOnly { path, .. }
            | StoreError::InUse { path }
            | StoreError::OpenToRead { path }
            | StoreError::Unclean { path }
            | StoreError::Exists { path }
            | StoreError::NotAStore { path, .. }
            | StoreError::NewerVersion { path, .. }
            | StoreError::Corrupt { path, .. }
            | StoreError::CorruptRow { path, .. }
            | StoreError::Stopped { path }
                if path.as_os_str().is_empty() =>
            {
                file.clone_into(path);
            }
            _ => {}
        }
        error
    }
}

impl From<StoreError> for StoreFault {
    fn from(error: StoreError) -> Self {
        Self(error)
    }
}

impl From<EntryError> for StoreFault {
    fn from(error: EntryError) -> Self {
        Self(error.into())
    }
}

impl From<BookError> for StoreFault {
    fn from(error: BookError) -> Self {
        Self(error.into())
    }
}

impl From<io::Error> for StoreFault {
    fn from(error: io::Error) -> Self {
        let path = PathBuf::new();
        Self(match error.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => StoreError::DiskFull { path, error },
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                StoreError::ReadOnly { path, error }
            }
            _ => StoreError::Io { path, error },
        })
    }
}

impl From<redb::Error> for StoreFault {
    fn from(error: redb::Error) -> Self {
        let path = PathBuf::new();
        Self(match error {
            redb::Error::Io(error) => return error.into(),
            // The last of these occurs if a reader is active when the file is to be compacted.
            redb::Error::DatabaseAlreadyOpen
            | redb::Error::LockProtocolMismatch
            | redb::Error::TransactionInProgress => StoreError::InUse { path },
            redb::Error::RepairAborted => StoreError::Unclean { path },
            redb::Error::PreviousIo | redb::Error::DatabaseClosed => StoreError::Stopped { path },
            redb::Error::TableDoesNotExist(table) => {
                StoreError::NotAStore { path, found: format!("a database without {table:?}") }
            }
            redb::Error::UpgradeRequired(version) => {
                let found = format!("a database file of version {version}");
                StoreError::NotAStore { path, found }
            }
            other => StoreError::Corrupt { path, reason: other.to_string() },
        })
    }
}

macro_rules! through_redb_error {
    ($($error:ty),*) => {
        $(impl From<$error> for StoreFault {
            fn from(error: $error) -> Self {
                redb::Error::from(error).into()
            }
        })*
    };
}

through_redb_error!(
    redb::StorageError,
    redb::TableError,
    redb::TransactionError,
    redb::CommitError,
    redb::CompactionError,
    redb::DatabaseError
);
