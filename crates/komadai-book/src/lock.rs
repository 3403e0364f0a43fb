//! One book, one writer.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use fs4::TryLockError;

/// The right to write beside a path, which nobody else has, in this process or another, until this is
/// dropped or the process ends, however it does.
///
/// The lock is held on an empty file `.NAME.lock` that stays behind: the file itself may be replaced.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the right; `None` if someone else has it.
    pub(crate) fn take(path: &Path) -> io::Result<Option<Self>> {
        let file =
            OpenOptions::new().create(true).truncate(false).write(true).open(lock_name(path)?)?;
        match fs4::FileExt::try_lock(&file) {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

fn lock_name(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file")
    })?;
    let mut lock = std::ffi::OsString::from(".");
    lock.push(name);
    lock.push(".lock");
    Ok(path.with_file_name(lock))
}
