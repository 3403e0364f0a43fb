//! Reading of regular files.

use std::io::Read as _;
use std::path::Path;

use komadai_base::file::open_regular;

use crate::files::input_error::InputError;

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
