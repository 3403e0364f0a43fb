//! Reading of regular files.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use crate::files::input_error::InputError;

/// Opens a regular file. A pipe is refused because opening it waits for a writer, a device because some
/// devices have no end.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a regular file"));
    }
    File::open(path)
}

/// The first bytes of a regular file, at most `limit` of them.
pub(crate) fn first_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    let read = open_regular(path).and_then(|file| file.take(limit).read_to_end(&mut bytes));
    read.map_err(|error| InputError::Io { path: path.to_owned(), error })?;
    Ok(bytes)
}

/// Returns whether there is a regular file that starts with these bytes.
pub(crate) fn starts_with(path: &Path, bytes: &[u8]) -> bool {
    first_bytes(path, bytes.len() as u64).is_ok_and(|first| first == bytes)
}
