//! Atomic replacement of files: a file has either its old or its new content.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use komadai_base::file::sync_folder_of;

/// Writes a file completely or not at all, as [`AtomicFile`] does.
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
/// The error of `write`, or those of [`AtomicFile`].
pub fn write_atomically<T>(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
) -> io::Result<T> {
    let mut file = AtomicFile::create(path)?;
    let result = write(&mut file.out)?;
    file.commit()?;
    Ok(result)
}

/// A file that appears completely or not at all.
///
/// The content is written to a temporary file in the same folder. [`commit`](Self::commit) syncs it to disk and
/// renames it. If that is not reached, or the process ends, the old file of that name is unchanged. The new file has
/// the permissions of the file that it replaces. A symbolic link is kept, and its target is replaced.
#[derive(Debug)]
pub struct AtomicFile {
    // Dropped before the temporary file is removed, as some systems cannot remove open files.
    out: BufWriter<File>,
    temporary: Temporary,
    path: PathBuf,
}

impl AtomicFile {
    /// Creates the temporary file.
    ///
    /// # Errors
    ///
    /// If it cannot be created. A device, pipe or socket is refused with [`io::ErrorKind::InvalidInput`]: the rename
    /// would replace it by a file.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        // Resolved first: renaming onto a symbolic link would replace the link, not its target.
        let path = fs::canonicalize(path.as_ref()).unwrap_or_else(|_| path.as_ref().to_owned());
        if fs::metadata(&path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            let reason = "found a device, pipe or socket, expected a file";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        let temporary = temporary_name(&path)?;
        let out = BufWriter::new(File::create(&temporary)?);
        Ok(Self { out, temporary: Temporary { path: temporary, is_renamed: false }, path })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, synced or renamed. The temporary file is then removed.
    pub fn commit(self) -> io::Result<()> {
        let Self { out, mut temporary, path } = self;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Ok(replaced) = fs::metadata(&path) {
            file.set_permissions(replaced.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&temporary.path, &path)?;
        temporary.is_renamed = true;
        sync_folder_of(&path);
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A temporary file, which is removed unless it was renamed.
#[derive(Debug)]
struct Temporary {
    path: PathBuf,
    is_renamed: bool,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_renamed {
            // The first error is the one to report; a failure to remove the file only follows from it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A temporary name in the folder of `path`, unique among all threads and running processes.
///
/// # Errors
///
/// If `path` does not end with the name of a file.
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

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::FileTypeExt as _;
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_socket_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let _listener = UnixListener::bind(&path).unwrap();
        let error = write_atomically(&path, |_| Ok(())).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        assert!(fs::metadata(&path).unwrap().file_type().is_socket());
    }
}
