//! Recognition of content that has been read before.

use std::io::Read as _;
use std::path::Path;

use komadai_base::file::open_regular;

use crate::files::input_error::InputError;

/// A 64-bit hash of some content, by FNV-1a.
///
/// It recognises files that have been read before. It is no protection against someone who
/// constructs two contents with the same hash.
///
/// Source: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, *The FNV Non-Cryptographic Hash Algorithm*
/// (RFC 9923).
///
/// # Examples
///
/// ```
/// use komadai_book::Fingerprint;
///
/// let mut fingerprint = Fingerprint::new();
/// fingerprint.add(b"foo");
/// fingerprint.add(b"bar");
/// assert_eq!(fingerprint.number(), 0x8594_4171_f739_67e8);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of no content.
    pub const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes to the content.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The fingerprint of the content of a file.
    ///
    /// # Errors
    ///
    /// If it is no regular file or cannot be read.
    pub fn of_file(path: impl AsRef<Path>) -> Result<Self, InputError> {
        let path = path.as_ref();
        let mut fingerprint = Self::new();
        let mut read = || {
            let mut file = open_regular(path)?;
            let mut buffer = vec![0; 1 << 16];
            loop {
                match file.read(&mut buffer)? {
                    0 => return Ok(()),
                    length => fingerprint.add(&buffer[..length]),
                }
            }
        };
        read().map_err(InputError::io(path))?;
        Ok(fingerprint)
    }

    /// The hash.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl Default for Fingerprint {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_of_a_file_is_that_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let content = vec![7; 100_000];
        std::fs::write(&path, &content).unwrap();
        let mut expected = Fingerprint::new();
        expected.add(&content);
        assert_eq!(Fingerprint::of_file(&path).unwrap(), expected);
    }
}
