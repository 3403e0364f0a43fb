//! Bytes of an open file, read on request.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use komadai_base::file::open_regular;

use crate::book_bytes::BookBytes;
use crate::error::BookError;
use crate::fault_place::FaultPlace;

/// A book in a file; a search reads only a few parts of it.
///
/// A search in a file that another program has changed since it was opened, in length or time of
/// modification, returns [`BookError::Changed`]. A file that has been replaced by renaming
/// ([`write_atomically`](komadai_base::atomic_file::write_atomically)) has not changed in this
/// sense: searches continue in the old content.
///
/// The file is not mapped into memory, because the system ends a process that accesses a part of a
/// mapped file that another program has cut off.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookBytes, BookError, FileBytes};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.db");
/// std::fs::write(&path, "#YANEURAOU-DB2016 1.00\n")?;
/// let book = FileBytes::open(&path)?;
/// assert_eq!(*book.bytes_at(1, 4)?, *b"YANE");
/// std::fs::write(&path, "")?;
/// assert!(matches!(book.bytes_at(1, 4), Err(BookError::Changed)));
/// assert!(matches!(book.check_unchanged(), Err(BookError::Changed)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FileBytes {
    file: File,
    opened: Stamp,
}

/// Properties of a file that change when it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    size: u64,
    /// The time of modification, where the system keeps one.
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Ok(Self { size: metadata.len(), modified: metadata.modified().ok() })
    }
}

impl FileBytes {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or is not a regular file.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let file = open_regular(path)?;
        let opened = Stamp::of(&file)?;
        Ok(Self { file, opened })
    }
}

impl BookBytes for FileBytes {
    fn size(&self) -> u64 {
        self.opened.size
    }

    fn bytes_at(&self, at: u64, len: usize) -> Result<Cow<'_, [u8]>, BookError> {
        let rest = usize::try_from(self.size().saturating_sub(at)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; len.min(rest)];
        match read_exact_at(&self.file, &mut bytes, at) {
            Ok(()) => Ok(Cow::Owned(bytes)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(BookError::Changed),
            Err(error) => Err(BookError::Io { place: FaultPlace::Byte { at }, error }),
        }
    }

    fn check_unchanged(&self) -> Result<(), BookError> {
        let now = Stamp::of(&self.file)
            .map_err(|error| BookError::Io { place: FaultPlace::Byte { at: 0 }, error })?;
        if now == self.opened { Ok(()) } else { Err(BookError::Changed) }
    }
}

fn read_exact_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match read_at(file, buffer, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(len) => {
                buffer = &mut buffer[len..];
                at += len as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}
