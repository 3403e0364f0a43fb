//! The files of games that an index was made of.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::code::Bytes;
use super::error::IndexError;
use super::reader::GameIndex;

/// The size and the time of modification of a file, by which an update knows that it has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileStamp {
    /// The size in bytes.
    pub size: u64,
    /// The time of modification since the start of 1970; zero if the system does not know it.
    pub modified: Duration,
}

impl FileStamp {
    /// Returns the stamp of a file.
    ///
    /// # Errors
    ///
    /// If the system cannot tell it.
    pub fn of(path: impl AsRef<Path>) -> io::Result<Self> {
        let found = fs::metadata(path)?;
        let modified = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let modified = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Self { size: found.len(), modified })
    }
}

/// A file of games in an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedFile {
    /// The path.
    pub path: PathBuf,
    /// The stamp that the file had, or that of no file if its reading had faults: then it is read
    /// again by each update.
    pub stamp: FileStamp,
    /// The number of its first game in the index.
    pub first: u32,
    /// The number of its games.
    pub games: u32,
}

impl IndexedFile {
    pub(super) fn encode(&self, path: &str, bytes: &mut Vec<u8>) {
        super::code::put_text(path, bytes);
        bytes.extend(self.stamp.size.to_le_bytes());
        bytes.extend(self.stamp.modified.as_secs().to_le_bytes());
        bytes.extend(self.stamp.modified.subsec_nanos().to_le_bytes());
        bytes.extend(self.first.to_le_bytes());
        bytes.extend(self.games.to_le_bytes());
    }

    /// The bytes of a file besides its path.
    const NUMBERS: usize = 8 + 8 + 4 + 4 + 4;

    fn decode_numbers(path: PathBuf, bytes: [u8; Self::NUMBERS]) -> Option<Self> {
        let mut bytes = Bytes(&bytes);
        let (size, seconds, nanos) = (bytes.u64()?, bytes.u64()?, bytes.u32()?);
        let modified = (nanos < 1_000_000_000).then(|| Duration::new(seconds, nanos))?;
        let stamp = FileStamp { size, modified };
        Some(Self { path, stamp, first: bytes.u32()?, games: bytes.u32()? })
    }
}

/// The files of an index, in the order of their paths, of [`GameIndex::into_files`].
#[derive(Debug)]
pub struct IndexedFiles {
    index: GameIndex,
    at: u64,
    left: u64,
}

impl GameIndex {
    /// Returns the files of games, in the order of their paths.
    pub fn into_files(self) -> IndexedFiles {
        let (at, left) = (self.layout().files_at, self.layout().files);
        IndexedFiles { index: self, at, left }
    }
}

impl IndexedFiles {
    fn read(&mut self) -> Result<IndexedFile, IndexError> {
        let start = self.at;
        let mut length = [0; 4];
        self.index.read(start, &mut length)?;
        let length = u32::from_le_bytes(length);
        let damaged = |index: &GameIndex, reason: &str| index.damaged(start, reason);
        // Checked before the memory is allocated.
        if u64::from(length) > self.index.layout().checksums_at - start {
            return Err(damaged(&self.index, "the path of a file ends after the pages"));
        }
        let mut path = vec![0; length as usize];
        self.index.read(start + 4, &mut path)?;
        let path = String::from_utf8(path)
            .map_err(|_| damaged(&self.index, "the path of a file is no text"))?;
        let mut numbers = [0; IndexedFile::NUMBERS];
        let numbers_at = start + 4 + u64::from(length);
        self.index.read(numbers_at, &mut numbers)?;
        self.at = numbers_at + IndexedFile::NUMBERS as u64;
        IndexedFile::decode_numbers(path.into(), numbers)
            .ok_or_else(|| damaged(&self.index, "the time of a file is no time"))
    }
}

impl Iterator for IndexedFiles {
    type Item = Result<IndexedFile, IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let read = self.read();
        if read.is_err() {
            self.left = 0;
        }
        Some(read)
    }
}
