//! Making and opening the file.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use redb::{Builder, ConcurrencyMode, Database, DatabaseError, ReadOnlyDatabase, StorageError};

use super::error::{Fault, StoreError};
use super::fence::fenced;
use super::tables::{
    ANALYST_NUMBERS, ANALYSTS, FORMAT_VERSION, GAMES, INPUTS, JOBS, JOBS_DEAD, JOBS_LEASED,
    JOBS_WAITING, LOG, NUMBERS, SETTINGS, SNAPSHOTS, TOMBSTONES, VERSION, VIEW,
};
use super::{Handle, Store};
use crate::file_kind::STORE_HEADER;
use komadai_bookfile::atomic_file::temporary_name;
use komadai_bookfile::fields::shorten;

impl Store {
    /// Makes a new, empty store.
    ///
    /// The file appears under its name once it is whole.
    ///
    /// # Errors
    ///
    /// If there is a file of this name, or it cannot be made.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let make = || {
            if fs::symlink_metadata(path).is_ok() {
                return Err(StoreError::Exists { path: path.to_owned() }.into());
            }
            let temporary = temporary_name(path)?;
            let made = make_at(&temporary).and_then(|()| Ok(publish(&temporary, path)?));
            // The error that is returned says more than one of removing could.
            let _ = fs::remove_file(&temporary);
            made
        };
        make().map_err(|fault: Fault| fault.in_file(path))?;
        Self::open(path)
    }

    /// Opens a store to read and write it, which only one may do at a time. Others may
    /// [read](Self::open_to_read) it meanwhile.
    ///
    /// A store whose last process was killed is checked and brought in order first, which takes time
    /// proportional to the file.
    ///
    /// # Errors
    ///
    /// If there is no such file, it is in use, may not be written, is not a store, or was made by a later
    /// version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let open = || {
            check_header(path)?;
            Self::of_handle(Handle::Writing(open_database(path)?), path)
        };
        fenced(open).map_err(|fault| fault.in_file(path))
    }

    /// Opens a store that is only to be read, even if it may not be written or someone else is writing
    /// it: a book can be looked at while it grows.
    ///
    /// Each method shows the state of the last change that is on disk when it is called. Whatever would
    /// change the store is [`StoreError::OpenToRead`]. A store whose last process was killed is brought
    /// in order first, as by [`open`](Self::open), if it may be written.
    ///
    /// Reading beside a writer needs locks on parts of a file, which Linux, macOS and Windows have;
    /// elsewhere it is [`StoreError::InUse`].
    ///
    /// # Errors
    ///
    /// If there is no such file, it may not be read, is not a store, or was made by a later version;
    /// [`StoreError::Unclean`] if it is in disorder and may not be written.
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
            Self::of_handle(Handle::Reading(open_read_only(path)?), path)
        };
        match fenced(open).map_err(|fault| fault.in_file(path)) {
            Err(unclean @ StoreError::Unclean { .. }) => match Self::open(path) {
                Ok(in_order) => drop(in_order),
                Err(StoreError::ReadOnly { .. }) => return Err(unclean),
                // Someone else does it at this moment.
                Err(StoreError::InUse { .. }) => {}
                Err(other) => return Err(other),
            },
            opened => return opened,
        }
        fenced(open).map_err(|fault| fault.in_file(path))
    }

    /// Opens a store, or makes a new one if there is no file.
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

    /// The store in a database that has our tables.
    pub(crate) fn of_handle(handle: Handle, path: &Path) -> Result<Self, Fault> {
        let transaction = handle.begin_read()?;
        let version = transaction.open_table(NUMBERS)?.get(VERSION)?.map(|number| number.value());
        drop(transaction);
        let path = path.to_owned();
        match version {
            Some(FORMAT_VERSION) => Ok(Self { handle, path }),
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

/// How files are shared: one process writes, any number read at the same time.
pub(crate) fn shared() -> Builder {
    let mut builder = Builder::new();
    builder.set_concurrency_mode(ConcurrencyMode::SingleWriter);
    builder
}

fn open_database(path: &Path) -> Result<Database, Fault> {
    let opened = shared().open(path);
    Ok(if has_no_locks(opened.as_ref().err()) { Database::open(path)? } else { opened? })
}

fn open_read_only(path: &Path) -> Result<ReadOnlyDatabase, Fault> {
    let opened = shared().open_read_only(path);
    Ok(if has_no_locks(opened.as_ref().err()) { ReadOnlyDatabase::open(path)? } else { opened? })
}

/// Whether the system cannot lock parts of a file; the whole of it, everyone can lock.
fn has_no_locks(error: Option<&DatabaseError>) -> bool {
    matches!(
        error,
        Some(DatabaseError::Storage(StorageError::Io(error)))
            if error.kind() == io::ErrorKind::Unsupported
    )
}

/// Makes all tables, so that reading never meets one that is not there.
pub(crate) fn make_tables(database: &Database) -> Result<(), Fault> {
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

fn make_at(path: &Path) -> Result<(), Fault> {
    // A file of this name can only be what a process of the same number has left behind.
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let database = Database::create(path)?;
    make_tables(&database)?;
    database.close()?;
    Ok(())
}

/// Gives the file its name, unless there is one of that name by now.
fn publish(temporary: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(temporary, path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
        // Some file systems have no hard links.
        Err(_) => fs::rename(temporary, path)?,
    }
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // Some systems cannot sync folders; the file is whole all the same.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// Refuses files that are no databases: redb would make one of an empty file.
fn check_header(path: &Path) -> Result<(), Fault> {
    let mut beginning = Vec::new();
    File::open(path)?.take(STORE_HEADER.len() as u64).read_to_end(&mut beginning)?;
    if beginning == STORE_HEADER {
        return Ok(());
    }
    let found = match beginning.as_slice() {
        [] => "an empty file".to_owned(),
        other => format!("{:?}", shorten(&String::from_utf8_lossy(other))),
    };
    Err(StoreError::NotAStore { path: path.to_owned(), found }.into())
}
