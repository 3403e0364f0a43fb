//! Files as bytes in memory that the system reads when they are looked at.
#![expect(unsafe_code, reason = "mapping a file is unsafe; see the one block below")]

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// A file whose bytes are looked at without being read into memory first.
///
/// The file must stay as it is while it is mapped. A program that cuts it off makes the system end
/// this process (`SIGBUS`) when a missing part is looked at; one that writes into it changes what is
/// read. [`write_atomically`](crate::atomic_file::write_atomically) does neither: it puts another file in its
/// place, and this one stays readable.
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
        // SAFETY: the map is read-only and lives as long as the bytes lent out by `as_ref`. What
        // Rust cannot know is that nobody changes the file meanwhile: this process does not, as
        // books are replaced by renaming and never written in place, and for others the type's
        // documentation demands it. The readers check every offset and every number they find
        // against the length fixed here, so changed bytes can make answers wrong, nothing else.
        let map = unsafe { Mmap::map(&file) }?;
        Ok(Self(map))
    }
}

impl AsRef<[u8]> for MappedFile {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
