//! Files that are either old or new, never half-written.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file whole or not at all.
///
/// The content goes to a temporary name in the same folder, is synced to disk and then renamed. If
/// anything fails, or the process ends, what was there under the name before is still there. A file
/// that is replaced hands on its permissions; a symbolic link stays, and what it points to is
/// replaced.
///
/// # Examples
///
/// ```
/// use std::io::Write;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.db");
/// komadai_bookfile::atomic_file::write_atomically(&path, |out| writeln!(out, "#YANEURAOU-DB2016 1.00"))?;
/// assert_eq!(std::fs::read_to_string(&path)?, "#YANEURAOU-DB2016 1.00\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// What `write` returns, or whatever hinders writing, syncing or renaming. The temporary file is
/// removed then.
pub fn write_atomically<T>(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
) -> io::Result<T> {
    let path = fs::canonicalize(path.as_ref()).unwrap_or_else(|_| path.as_ref().to_owned());
    let temporary = temporary_name(&path)?;
    let result = write_and_rename(&temporary, &path, write);
    if result.is_err() {
        // The error that is returned says more than one of removing could.
        let _ = fs::remove_file(&temporary);
    }
    result
}

fn write_and_rename<T>(
    temporary: &Path,
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
) -> io::Result<T> {
    let mut out = BufWriter::new(File::create(temporary)?);
    let result = write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Ok(replaced) = fs::metadata(path) {
        file.set_permissions(replaced.permissions())?;
    }
    file.sync_all()?;
    fs::rename(temporary, path)?;
    // The new name is on disk once the folder is. Some systems cannot sync folders; the file is
    // whole there all the same.
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(result)
}

/// A name beside `path` that nobody else uses, in this process or another.
pub fn temporary_name(path: &Path) -> io::Result<PathBuf> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file")
    })?;
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    temporary.push(format!(".{}.{number}.tmp", std::process::id()));
    Ok(path.with_file_name(temporary))
}
