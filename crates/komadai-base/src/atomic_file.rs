//! Atomic replacement of files: a file has either its old or its new content.
//!
//! A process can be killed, a disk can be full and a machine can lose its power while a file is
//! written. Therefore the content is written under a temporary name in the same folder, synced to
//! the disk, and renamed; and the folder is synced, because otherwise the new name may be lost
//! although the content is not.
//!
//! [`write_atomically`] does all of it. [`AtomicFile`] is for content that does not come from one
//! function, and a [`Draft`] for files that others write by their path, or that an interrupted run
//! continues.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::file::{open_regular_with, sync_folder_of};

/// Writes a file completely or not at all, as [`AtomicFile`] does.
///
/// # Examples
///
/// ```
/// use std::io::Write;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.db");
/// komadai_base::atomic_file::write_atomically(&path, |out| writeln!(out, "#YANEURAOU-DB2016 1.00"))?;
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

/// Writes all bytes of a file or none, where [`std::fs::write`] would leave a part of them after a
/// failure.
///
/// # Errors
///
/// Those of [`AtomicFile`].
pub fn write(path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> io::Result<()> {
    write_atomically(path, |out| out.write_all(content.as_ref()))
}

/// A file that appears completely or not at all.
///
/// The content is written to a [`Draft`]. [`commit`](Self::commit) gives it its name. If that is
/// not reached, or the process ends, the old file of that name is unchanged. The new file has the
/// permissions of the file that it replaces.
#[derive(Debug)]
pub struct AtomicFile {
    // Dropped before the draft is removed, as some systems cannot remove open files.
    out: BufWriter<File>,
    draft: Draft,
}

impl AtomicFile {
    /// Creates the temporary file.
    ///
    /// # Errors
    ///
    /// If it cannot be created, or as [`Draft::new`].
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        Draft::new(path)?.create()
    }

    /// Gives the file its name.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, synced or renamed. The temporary file is then removed.
    pub fn commit(self) -> io::Result<()> {
        self.finish()?.commit()
    }

    /// Ends the writing: the content is on the disk, and only the name is missing.
    ///
    /// This is for files that get their names together with others, as late as possible.
    ///
    /// # Errors
    ///
    /// If the file cannot be written or synced. The temporary file is then removed.
    pub fn finish(self) -> io::Result<Draft> {
        let Self { out, draft } = self;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Ok(replaced) = fs::metadata(&draft.target) {
            file.set_permissions(replaced.permissions())?;
        }
        file.sync_all()?;
        Ok(draft)
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

/// A file under a temporary name in the folder of the final one.
///
/// It is removed when this is dropped, unless it got its name or [is kept](Self::keep_partial).
///
/// # Examples
///
/// The file can be written by whoever takes a path:
///
/// ```
/// use komadai_base::atomic_file::Draft;
///
/// let folder = tempfile::tempdir()?;
/// let draft = Draft::new(folder.path().join("games.csv"))?;
/// std::fs::copy("Cargo.toml", draft.path())?;
/// draft.commit()?;
/// assert!(folder.path().join("games.csv").exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    target: PathBuf,
    /// True if the file must not exist before it is created.
    is_new: bool,
    is_removed: bool,
}

impl Draft {
    /// A draft of a file under a name that no other thread and no running process uses.
    ///
    /// A symbolic link is kept, and its target is replaced, or made if it does not exist yet.
    ///
    /// # Errors
    ///
    /// If `path` does not end with the name of a file. A folder, device, pipe or socket is refused
    /// with [`io::ErrorKind::InvalidInput`]: the rename would fail after all work, or replace it by
    /// a file.
    pub fn new(path: impl AsRef<Path>) -> io::Result<Self> {
        // Resolved first: renaming onto a symbolic link would replace the link, not its target.
        let target = resolved(path.as_ref())?;
        match fs::metadata(&target) {
            Ok(found) if found.is_dir() => return invalid("found a folder, expected a file"),
            Ok(found) if !found.is_file() => {
                return invalid("found a device, pipe or socket, expected a file");
            }
            _ => {}
        }
        loop {
            let path = temporary_name(&target)?;
            // A file of this name was left by a killed process that had the same number, or made by
            // somebody else, who could have made a link: the next name may be free.
            if fs::symlink_metadata(&path).is_err() {
                return Ok(Self { path, target, is_new: true, is_removed: true });
            }
        }
    }

    /// A draft with a name of the caller's choice: a process that is killed leaves a file that the
    /// next one finds, and continues or overwrites.
    pub fn with_name(target: impl Into<PathBuf>, path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), target: target.into(), is_new: false, is_removed: true }
    }

    /// Keeps the file when this is dropped before it got its name: interrupted work goes on with it
    /// later.
    #[must_use]
    pub fn keep_partial(mut self) -> Self {
        self.is_removed = false;
        self
    }

    /// The temporary name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates the file under its temporary name, or empties the one that is there under a name of
    /// the caller's choice. Nobody can read it who cannot read the file that it will replace.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    pub fn create(self) -> io::Result<AtomicFile> {
        let mut options = OpenOptions::new();
        if self.is_new {
            options.write(true).create_new(true);
        } else {
            options.write(true).create(true).truncate(true);
        }
        #[cfg(unix)]
        if let Ok(replaced) = fs::metadata(&self.target) {
            use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
            options.mode(replaced.permissions().mode() & 0o777 | 0o600);
        }
        let out = BufWriter::new(open_regular_with(&options, &self.path)?);
        Ok(AtomicFile { out, draft: self })
    }

    /// Gives the file its name, in place of an older file. Its content must be on the disk.
    ///
    /// # Errors
    ///
    /// If the file cannot be renamed.
    pub fn commit(mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.target)?;
        self.is_removed = false;
        sync_folder_of(&self.target);
        Ok(())
    }

    /// Gives the file its name, unless there is a file of that name by now. Its content must be on
    /// the disk.
    ///
    /// # Errors
    ///
    /// If the file cannot be renamed, with [`io::ErrorKind::AlreadyExists`] if the name is taken.
    pub fn commit_new(self) -> io::Result<()> {
        match fs::hard_link(&self.path, &self.target) {
            Ok(()) => {
                // The file has two names now; an error here leaves the temporary one, which does no
                // harm.
                let _ = fs::remove_file(&self.path);
                sync_folder_of(&self.target);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // Some file systems have no hard links. Renaming would replace a file.
            Err(_) if fs::symlink_metadata(&self.target).is_ok() => {
                Err(io::ErrorKind::AlreadyExists.into())
            }
            Err(_) => self.commit(),
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if self.is_removed {
            // The first error is the one to report; a failure to remove the file only follows from
            // it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The file that a path names. Links are followed, also one whose target does not exist yet.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    // Systems follow 40 links or fewer; more are a circle.
    const MOST_LINKS: u32 = 40;
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(real) = fs::canonicalize(&target) {
            return Ok(real);
        }
        let Ok(link) = fs::read_link(&target) else { return Ok(target) };
        // A relative link starts from its own folder.
        target = target.parent().unwrap_or(Path::new("")).join(link);
    }
    invalid("found a circle of symbolic links, expected a file")
}

fn invalid<T>(reason: &str) -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::InvalidInput, reason))
}

/// A temporary name in the folder of `path`, unique among all threads and running processes.
fn temporary_name(path: &Path) -> io::Result<PathBuf> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    /// Most systems allow 255 bytes; the rest of the name needs fewer than 55.
    const LONGEST: usize = 200;
    let Some(name) = path.file_name() else { return invalid("the path does not name a file") };
    let mut temporary = OsString::from(".");
    if name.len() <= LONGEST {
        temporary.push(name);
    } else {
        temporary.push(name.to_string_lossy().chars().take(LONGEST / 4).collect::<String>());
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    temporary.push(format!(".{}.{number}.tmp", std::process::id()));
    Ok(path.with_file_name(temporary))
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;
    use crate::file::synced_folders;

    fn names(folder: &Path) -> Vec<String> {
        let files = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn full<T>() -> io::Result<T> {
        Err(io::Error::other("the disk is full"))
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.db");
        super::write(&path, "old").unwrap();
        let failed = write_atomically(&path, |out| {
            out.write_all(&[b'x'; 100_000])?;
            full::<()>()
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["book.db"]);
        assert!(write_atomically(folder.path().join("none/book.db"), |_| Ok(())).is_err());
        assert!(write_atomically("/", |_| Ok(())).is_err());
    }

    /// A process that is ended in the middle of writing has not renamed its file.
    #[test]
    fn a_write_that_never_ends_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.db");
        write_atomically(&path, |out| out.write_all(b"old")).unwrap();
        let result = catch_unwind(|| {
            write_atomically(&path, |out| -> io::Result<()> {
                out.write_all(b"new")?;
                panic!("the process ends here");
            })
        });
        assert!(result.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[test]
    fn the_folder_is_synced_after_each_new_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"content").unwrap();
        let finished = file.finish().unwrap();
        assert!(!path.exists());
        assert!(synced_folders().is_empty());
        finished.commit().unwrap();
        let new = AtomicFile::create(folder.path().join("b")).unwrap();
        new.finish().unwrap().commit_new().unwrap();
        assert_eq!(synced_folders(), [folder.path(), folder.path()]);
        assert_eq!(names(folder.path()), ["a", "b"]);
    }

    #[test]
    fn a_name_that_is_taken_meanwhile_is_respected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let file = AtomicFile::create(&path).unwrap();
        fs::write(&path, "other").unwrap();
        let error = file.finish().unwrap().commit_new().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"other");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn a_partial_file_is_kept_on_demand_and_then_continued() {
        let folder = tempfile::tempdir().unwrap();
        let (path, partial) = (folder.path().join("out"), folder.path().join("out.part"));
        let draft = || Draft::with_name(&path, &partial);
        fs::write(&partial, "left by a killed process").unwrap();
        drop(draft().create().unwrap());
        assert!(names(folder.path()).is_empty(), "it is removed unless it is kept");
        fs::write(draft().keep_partial().path(), "half").unwrap();
        assert_eq!(names(folder.path()), ["out.part"]);
        draft().keep_partial().commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"half");
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_outlive_a_replacement() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("real", &link).unwrap();
        write_atomically(&link, |out| write!(out, "new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(names(folder.path()), ["link", "real"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_socket_is_not_replaced() {
        use std::os::unix::fs::FileTypeExt as _;
        use std::os::unix::net::UnixListener;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let _listener = UnixListener::bind(&path).unwrap();
        let error = write_atomically(&path, |_| Ok(())).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        assert!(fs::metadata(&path).unwrap().file_type().is_socket());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_whose_target_does_not_exist_is_kept() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("disk")).unwrap();
        let (first, second) = (folder.path().join("first"), folder.path().join("second"));
        symlink("second", &first).unwrap();
        symlink("disk/real", &second).unwrap();
        super::write(&first, "new").unwrap();
        assert!(
            [&first, &second].iter().all(|link| fs::symlink_metadata(link).unwrap().is_symlink())
        );
        assert_eq!(fs::read(folder.path().join("disk/real")).unwrap(), b"new");
        assert_eq!(names(&folder.path().join("disk")), ["real"]);
        let circle = folder.path().join("circle");
        symlink("circle", &circle).unwrap();
        let error = super::write(&circle, "new").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        assert!(fs::symlink_metadata(&circle).unwrap().is_symlink());
    }

    #[test]
    fn a_name_may_be_as_long_as_the_system_allows() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["x".repeat(255), "棋".repeat(85)] {
            super::write(folder.path().join(&name), "content").unwrap();
            assert_eq!(names(folder.path()), [name.as_str()]);
            fs::remove_file(folder.path().join(name)).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_may_be_any_bytes() {
        use std::os::unix::ffi::OsStrExt as _;
        let folder = tempfile::tempdir().unwrap();
        for name in [&b"a\nb"[..], b"\xff\xfe", &[0xff; 255], b" ", b"-rf", b".hidden"] {
            let path = folder.path().join(std::ffi::OsStr::from_bytes(name));
            super::write(&path, "old").unwrap();
            super::write(&path, "new").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
            fs::remove_file(path).unwrap();
            assert!(names(folder.path()).is_empty());
        }
    }

    /// The work of hours shall not end with a name that cannot be given.
    #[test]
    fn a_folder_is_refused_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let refused = AtomicFile::create(folder.path()).unwrap_err();
        assert_eq!(refused.to_string(), "found a folder, expected a file");
    }

    #[cfg(unix)]
    #[test]
    fn a_draft_is_as_private_as_the_file_that_it_replaces() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        for mode in [0o600, 0o400] {
            super::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let file = AtomicFile::create(&path).unwrap();
            let draft = fs::metadata(file.draft.path()).unwrap();
            assert_eq!(draft.permissions().mode() & 0o777, 0o600);
            file.commit().unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
    }

    /// In a folder that all users share, somebody else could put a link in the place of a draft.
    #[cfg(unix)]
    #[test]
    fn a_draft_follows_no_link() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a"), folder.path().join("other"));
        fs::write(&other, "of somebody else").unwrap();
        let draft = Draft::new(&path).unwrap();
        std::os::unix::fs::symlink(&other, draft.path()).unwrap();
        assert_eq!(draft.create().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&other).unwrap(), b"of somebody else");
    }
}
