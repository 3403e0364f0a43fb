//! Hashes that identify files.

use std::io::{self, BufReader, Read};
use std::path::Path;

use komadai_base::file::open_regular;
use sha2::digest::Output;
use sha2::{Digest as _, Sha256};

/// Returns the SHA-256 of a file in hexadecimal digits.
///
/// # Errors
///
/// Returns the error of the system if the file cannot be read.
pub fn file_sha256(path: &Path) -> io::Result<String> {
    reader_sha256(open_regular(path)?)
}

/// Returns the SHA-256 of a source in hexadecimal digits.
pub(crate) fn reader_sha256(source: impl Read) -> io::Result<String> {
    let mut reader = BufReader::new(source);
    let (mut hash, mut buffer) = (Sha256::new(), [0; 1 << 16]);
    loop {
        match reader.read(&mut buffer)? {
            0 => return Ok(hex(&hash.finalize())),
            length => hash.update(&buffer[..length]),
        }
    }
}

/// Returns hexadecimal digits.
pub(crate) fn hex(digest: &Output<Sha256>) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
