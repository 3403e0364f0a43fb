//! The bytes of a file, decompressed and limited.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::Crc;
use flate2::bufread::MultiGzDecoder;
use komadai_base::file::open_regular;

use super::error::RecordFileError;
use super::options::RecordFilesOptions;
use super::place::has_ending;

/// A source of text of any kind.
pub(super) struct Stream(Box<dyn BufRead + Send>);

impl Stream {
    /// Opens a file; one that ends in `.gz` is decompressed.
    pub(super) fn open(path: &Path, options: &RecordFilesOptions) -> Result<Self, RecordFileError> {
        let file = BufReader::new(open_regular(path)?);
        Ok(Self::new(file, has_ending(path, "gz"), options.max_file_bytes))
    }

    /// Limits a source to `limit` bytes after decompression.
    pub(super) fn new(source: impl BufRead + Send + 'static, is_gzip: bool, limit: u64) -> Self {
        let limited = |source: Box<dyn Read + Send>| Limited { source, left: limit, limit };
        let source: Box<dyn Read + Send> =
            if is_gzip { Box::new(MultiGzDecoder::new(source)) } else { Box::new(source) };
        Self(Box::new(BufReader::new(limited(source))))
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream")
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl BufRead for Stream {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }
}

const ZIP: &[u8] = b"PK\x03\x04";
const GZIP: &[u8] = b"\x1f\x8b";
const SEVEN_ZIP: &[u8] = b"7z\xbc\xaf\x27\x1c";

/// Checks whether a file with this start is a zip archive, a 7z archive or a gzip file, the kinds
/// that [`RecordFiles`](super::RecordFiles) reads.
pub fn is_archive(start: &[u8]) -> bool {
    [ZIP, SEVEN_ZIP, GZIP].iter().any(|archive| start.starts_with(archive))
}

/// The name of a 7z archive that is not read.
const UNREAD_SEVEN_ZIP: &str = if cfg!(feature = "seven-zip") {
    "a 7z archive without the ending .7z"
} else {
    "a 7z archive"
};

/// The first bytes of archives that are not read, with their names. Those of a tar archive stand
/// after the name of its first entry, those of LHA after two other bytes.
const ARCHIVES: [(usize, &[u8], &str); 9] = [
    (0, SEVEN_ZIP, UNREAD_SEVEN_ZIP),
    (0, b"\xfd7zXZ\0", "a file compressed by xz"),
    (0, b"BZh", "a file compressed by bzip2"),
    (0, b"\x28\xb5\x2f\xfd", "a file compressed by zstd"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (0, ZIP, "a zip archive without the ending .zip"),
    (0, GZIP, "a gzip file without the ending .gz"),
    (2, b"-lh", "an LHA archive"),
    (257, b"ustar", "a tar archive"),
];

/// Returns the name of an archive that is not read, by its first bytes.
pub(super) fn archive_name(start: &[u8]) -> Option<&'static str> {
    let is_at =
        |at: usize, bytes: &[u8]| start.get(at..).is_some_and(|text| text.starts_with(bytes));
    ARCHIVES.iter().find(|(at, bytes, _)| is_at(*at, bytes)).map(|(_, _, name)| *name)
}

/// A source that fails after a number of bytes: a small archive can hold very large files.
struct Limited {
    source: Box<dyn Read + Send>,
    left: u64,
    limit: u64,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            io::Error::other(format!(
                "the file has more than {} bytes after decompression",
                self.limit
            ))
        })?;
        Ok(read)
    }
}

/// A source whose checksum is compared at its end.
pub(super) struct Checked<R> {
    pub(super) source: R,
    pub(super) crc: Crc,
    pub(super) expected: u32,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.crc.update(&buffer[..read]);
        if read == 0 && !buffer.is_empty() && self.crc.sum() != self.expected {
            let message = "the checksum of the entry is wrong";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(read)
    }
}
