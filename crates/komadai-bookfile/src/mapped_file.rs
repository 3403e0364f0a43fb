//! Files mapped into memory, which the system reads on access.
#![expect(unsafe_code, reason = "mapping a file is unsafe; see the one block below")]

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// A file mapped into memory: its bytes are read on access.
///
/// The file must not change while it is mapped. If a program truncates it, access to a missing part
/// ends this process (`SIGBUS`); if a program writes into it, the bytes read change.
/// [`write_atomically`](crate::atomic_file::write_atomically) does neither: it puts another file in
/// its place, and the mapped file stays readable.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::MappedFile;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.db");
/// std::fs::write(&path, "#YANEURAOU-DB2016 1.00\n")?;
/// assert!(MappedFile::open(&path)?.as_ref().starts_with(b"#YANE"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct MappedFile(Mmap);

impl MappedFile {
    /// Maps a file.
    ///
    /// # Errors
    ///
    /// If it cannot be opened or mapped.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let file = File::open(path)?;
        // SAFETY: the map is read-only and lives as long as the bytes borrowed by `as_ref`. Rust
        // cannot check that no one changes the file meanwhile. This process does not: books are
        // replaced by renaming and never written in place. For other processes the documentation of
        // the type requires it. The readers check every offset and every number in the file against
        // the length fixed here, so changed bytes can only make results wrong.
        let map = unsafe { Mmap::map(&file) }?;
        Ok(Self(map))
    }
}

impl AsRef<[u8]> for MappedFile {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
