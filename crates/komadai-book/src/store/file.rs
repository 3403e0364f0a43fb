//! Creation and opening of store files.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use komadai_base::atomic_file::Draft;
use komadai_base::file::open_regular;
use komadai_bookfile::fields::shorten;
use redb::{Builder, ConcurrencyMode, Database, DatabaseError, ReadOnlyDatabase, StorageError};

use super::damage::{Closing, report_damage};
use super::error::{StoreError, StoreFault};
use super::tables::{
    ANALYST_NUMBERS, ANALYSTS, FORMAT_VERSION, GAMES, INPUTS, JOBS, JOBS_DEAD, JOBS_LEASED,
    JOBS_WAITING, LOG, NUMBERS, SETTINGS, SNAPSHOTS, TOMBSTONES, VERSION, VIEW,
};
use super::{Handle, Store};
use crate::files::file_kind::STORE_HEADER;
use crate::queue::Session;

impl Store {
    /// Creates a new, empty store.
    ///
    /// The file appears under its name when it is complete.
    ///
    /// # Errors
    ///
    /// If a file of this name exists, or it cannot be created.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let make = || {
            if fs::symlink_metadata(path).is_ok() {
                return Err(StoreError::Exists { path: path.to_owned() }.into());
            }
            let draft = Draft::new(path)?;
            make_at(draft.path())?;
            Ok(draft.commit_new()?)
        };
        make().map_err(|fault: StoreFault| fault.in_file(path))?;
        Self::open(path)
    }

    /// Opens a store for reading and writing. Only one process at a time can do so; others can
    /// [read](Self::open_to_read) the store at the same time.
    ///
    /// A store whose last process was killed is checked and repaired first, in time proportional to
    /// the file.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it is in use, not writable, not a store, or written by a later
    /// version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let open = || {
            check_header(path)?;
            let database = with_locks(shared().open(path), || Database::open(path))?;
            Self::of_handle(Handle::Writing(Closing::new(database)), path)
        };
        report_damage(open).map_err(|fault| fault.in_file(path))
    }

    /// Opens a store for reading only. The file need not be writable, and another process may be
    /// writing it: a book can be read while it grows.
    ///
    /// Each method sees the state after the last change that is on disk when it is called. Methods
    /// that change the store return [`StoreError::OpenToRead`]. A store whose last process was
    /// killed is repaired first, as by [`open`](Self::open), if it is writable.
    ///
    /// Reading beside a writer needs locks on parts of a file, which Linux, macOS and Windows have.
    /// On other systems the result is [`StoreError::InUse`].
    ///
    /// # Errors
    ///
    /// If there is no such file, or it is not readable, not a store, or written by a later version;
    /// [`StoreError::Unclean`] if it needs a repair and is not writable.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::store::{Store, StoreError};
    /// use komadai_core::Position;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("book.kbook");
    /// let growing = Store::create(&path)?;
    /// let read = Store::open_to_read(&path)?;
    /// growing.add_games(&Position::hirate(), "7g7f".parse()?, 3)?;
    /// assert_eq!(read.len()?, 1);
    /// let refused = read.add_games(&Position::hirate(), "2g2f".parse()?, 3);
    /// assert!(matches!(refused, Err(StoreError::OpenToRead { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_to_read(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let open = || {
            check_header(path)?;
            let shared = shared().open_read_only(path);
            let database = with_locks(shared, || ReadOnlyDatabase::open(path))?;
            Self::of_handle(Handle::Reading(Closing::new(database)), path)
        };
        match report_damage(open).map_err(|fault| fault.in_file(path)) {
            Err(unclean @ StoreError::Unclean { .. }) => match Self::open(path) {
                Ok(repaired) => drop(repaired),
                Err(StoreError::ReadOnly { .. }) => return Err(unclean),
                // Another process is repairing it at this moment.
                Err(StoreError::InUse { .. }) => {}
                Err(other) => return Err(other),
            },
            opened => return opened,
        }
        report_damage(open).map_err(|fault| fault.in_file(path))
    }

    /// Opens a store, or creates it if there is no file.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open) and [`create`](Self::create).
    pub fn open_or_create(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        match Self::create(path.as_ref()) {
            Err(StoreError::Exists { .. }) => Self::open(path),
            made => made,
        }
    }

    /// The store in an open database. Checks the version of its tables.
    pub(crate) fn of_handle(handle: Handle, path: &Path) -> Result<Self, StoreFault> {
        let transaction = handle.begin_read()?;
        let version = transaction.open_table(NUMBERS)?.get(VERSION)?.map(|number| number.value());
        drop(transaction);
        let path = path.to_owned();
        match version {
            Some(FORMAT_VERSION) => Ok(Self { handle, path, session: Session::default() }),
            Some(found) if found > FORMAT_VERSION => {
                Err(StoreError::NewerVersion { path, found, supported: FORMAT_VERSION }.into())
            }
            older => {
                let found = match older {
                    Some(older) => format!("one of version {older}, which is not read any more"),
                    None => "a database without a version".to_owned(),
                };
                Err(StoreError::NotAStore { path, found }.into())
            }
        }
    }
}

/// The settings for opening files: one process writes, any number of others read at the same time.
pub(crate) fn shared() -> Builder {
    let mut builder = Builder::new();
    builder.set_concurrency_mode(ConcurrencyMode::SingleWriter);
    builder
}

/// The database opened with locks on parts of its file. Without such locks, redb locks the whole
/// file, so readers and writers exclude each other.
fn with_locks<T>(
    shared: Result<T, DatabaseError>,
    open: impl FnOnce() -> Result<T, DatabaseError>,
) -> Result<T, StoreFault> {
    match shared {
        Err(DatabaseError::Storage(StorageError::Io(error)))
            if error.kind() == io::ErrorKind::Unsupported =>
        {
            Ok(open()?)
        }
        shared => Ok(shared?),
    }
}

/// Creates all tables, because opening a missing table for reading is an error.
pub(crate) fn make_tables(database: &Database) -> Result<(), StoreFault> {
    let transaction = database.begin_write()?;
    transaction.open_table(LOG)?;
    transaction.open_table(VIEW)?;
    transaction.open_table(ANALYSTS)?;
    transaction.open_table(ANALYST_NUMBERS)?;
    transaction.open_table(INPUTS)?;
    transaction.open_table(GAMES)?;
    transaction.open_table(TOMBSTONES)?;
    transaction.open_table(SNAPSHOTS)?;
    transaction.open_table(JOBS)?;
    transaction.open_table(JOBS_WAITING)?;
    transaction.open_table(JOBS_LEASED)?;
    transaction.open_table(JOBS_DEAD)?;
    transaction.open_table(SETTINGS)?;
    transaction.open_table(NUMBERS)?.insert(VERSION, FORMAT_VERSION)?;
    transaction.commit()?;
    Ok(())
}

fn make_at(path: &Path) -> Result<(), StoreFault> {
    let database = Database::create(path)?;
    make_tables(&database)?;
    database.close()?;
    Ok(())
}

/// Refuses files that are no databases, because redb would turn an empty file into one.
fn check_header(path: &Path) -> Result<(), StoreFault> {
    let mut head = Vec::new();
    open_regular(path)?.take(STORE_HEADER.len() as u64).read_to_end(&mut head)?;
    if head == STORE_HEADER {
        return Ok(());
    }
    let found = match head.as_slice() {
        [] => "an empty file".to_owned(),
        other => format!("{:?}", shorten(&String::from_utf8_lossy(other))),
    };
    Err(StoreError::NotAStore { path: path.to_owned(), found }.into())
}
