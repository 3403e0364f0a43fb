//! Making and opening the file.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use redb::{Database, ReadableDatabase};

use super::Store;
use super::error::{Fault, StoreError};
use super::tables::{
    ANALYST_NUMBERS, ANALYSTS, FORMAT_VERSION, GAMES, INPUTS, JOBS, JOBS_DEAD, JOBS_LEASED,
    JOBS_WAITING, LOG, NUMBERS, SETTINGS, SNAPSHOTS, TOMBSTONES, VERSION, VIEW,
};
use crate::atomic_file::temporary_name;
use crate::error::shorten;
use crate::inputs::DATABASE_HEADER;

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

    /// Opens a store, which nobody else may have open.
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
            Self::of_database(Database::open(path)?, path)
        };
        open().map_err(|fault: Fault| fault.in_file(path))
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
    pub(crate) fn of_database(database: Database, path: &Path) -> Result<Self, Fault> {
        let transaction = database.begin_read()?;
        let version = transaction.open_table(NUMBERS)?.get(VERSION)?.map(|number| number.value());
        drop(transaction);
        let path = path.to_owned();
        match version {
            Some(FORMAT_VERSION) => Ok(Self { database, path }),
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
    File::open(path)?.take(DATABASE_HEADER.len() as u64).read_to_end(&mut beginning)?;
    if beginning == DATABASE_HEADER {
        return Ok(());
    }
    let found = match beginning.as_slice() {
        [] => "an empty file".to_owned(),
        other => format!("{:?}", shorten(&String::from_utf8_lossy(other))),
    };
    Err(StoreError::NotAStore { path: path.to_owned(), found }.into())
}
