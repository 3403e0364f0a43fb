//! Opening of files that somebody else named.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a regular file for reading.
///
/// A pipe is refused because opening it waits for a writer, a device because some devices have no end. Programs
/// that accept standard input do so by a name of their own, such as `-`.
///
/// # Errors
///
/// If the file cannot be opened or, as [`io::ErrorKind::InvalidInput`], is no regular file.
pub fn open_regular(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    // The test comes before the opening, because opening a pipe may wait for ever.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a regular file"));
    }
    File::open(path)
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
///
/// If the file cannot be read or, as [`io::ErrorKind::InvalidInput`], is no regular file or is longer.
pub fn read_bounded(path: impl AsRef<Path>, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // Files of some file systems, such as those below `/proc`, state a wrong length; therefore it is the bytes that
    // are counted.
    open_regular(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let message = format!("expected a file of at most {limit} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_the_stated_length_are_read() {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let bytes = fs::read(manifest).unwrap();
        assert_eq!(read_bounded(manifest, bytes.len() as u64).unwrap(), bytes);
        for (path, limit, message) in [
            (manifest, bytes.len() as u64 - 1, "expected a file of at most"),
            (manifest, 0, "expected a file of at most 0 bytes"),
            (env!("CARGO_MANIFEST_DIR"), u64::MAX, "expected a regular file"),
        ] {
            let error = read_bounded(path, limit).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{path}");
            assert!(error.to_string().starts_with(message), "{error}");
        }
        let missing = concat!(env!("CARGO_MANIFEST_DIR"), "/missing");
        assert_eq!(open_regular(missing).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_refused() {
        for device in ["/dev/zero", "/dev/null"] {
            assert_eq!(open_regular(device).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        }
    }
}
