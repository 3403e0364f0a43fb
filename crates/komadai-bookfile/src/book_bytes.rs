//! Bytes of a book that are read in parts.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;

use crate::error::BookError;

/// The bytes of a book; a search reads only a few parts of them.
///
/// Bytes in memory (`Vec<u8>`, `&[u8]`, `String`) are borrowed; those of a file, `FileBytes`, are
/// read on request.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::BookBytes;
///
/// let bytes = "#YANEURAOU-DB2016 1.00\n";
/// assert_eq!(bytes.size(), 23);
/// assert_eq!(*bytes.bytes_at(1, 4)?, *b"YANE");
/// assert_eq!(*bytes.bytes_at(20, 4)?, *b"00\n");
/// # Ok::<(), komadai_bookfile::BookError>(())
/// ```
pub trait BookBytes {
    /// The number of bytes. It never changes.
    fn size(&self) -> u64;

    /// The `len` bytes from `at` on; fewer only if the book ends before.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn bytes_at(&self, at: u64, len: usize) -> Result<Cow<'_, [u8]>, BookError>;

    /// Checks that the bytes are still those from which searches started.
    ///
    /// # Errors
    ///
    /// If another program has changed them ([`BookError::Changed`]).
    fn check_unchanged(&self) -> Result<(), BookError> {
        Ok(())
    }
}

impl<B: AsRef<[u8]> + ?Sized> BookBytes for B {
    fn size(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn bytes_at(&self, at: u64, len: usize) -> Result<Cow<'_, [u8]>, BookError> {
        let all = self.as_ref();
        let rest = usize::try_from(at).ok().and_then(|at| all.get(at..)).unwrap_or_default();
        Ok(Cow::Borrowed(&rest[..rest.len().min(len)]))
    }
}

/// The `len` bytes from `at` on, which are there unless the book has changed.
pub(crate) fn exactly(
    bytes: &impl BookBytes,
    at: u64,
    len: usize,
) -> Result<Cow<'_, [u8]>, BookError> {
    let found = bytes.bytes_at(at, len)?;
    if found.len() == len { Ok(found) } else { Err(BookError::Changed) }
}

/// A reader of some of the bytes.
#[derive(Debug)]
pub(crate) struct PartReader<'b, B> {
    bytes: &'b B,
    rest: Range<u64>,
}

impl<'b, B: BookBytes> PartReader<'b, B> {
    pub(crate) fn new(bytes: &'b B, range: Range<u64>) -> Self {
        Self { bytes, rest: range }
    }
}

impl<B: BookBytes> Read for PartReader<'_, B> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(self.rest.end - self.rest.start).unwrap_or(usize::MAX);
        let len = buffer.len().min(rest);
        let found = self.bytes.bytes_at(self.rest.start, len).map_err(io::Error::other)?;
        let len = found.len().min(len);
        buffer[..len].copy_from_slice(&found[..len]);
        self.rest.start += len as u64;
        Ok(len)
    }
}
