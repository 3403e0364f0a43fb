//! The entries of a 7z archive.
//!
//! Source: the format is described in `DOC/7zFormat.txt` of the LZMA SDK
//! (<https://www.7-zip.org/sdk.html>).

mod directory;
mod folder;

use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::Crc;
use komadai_base::file::open_regular;

use self::directory::{Directory, Entry};
use self::folder::{Folder, damaged, decoder};
use super::error::RecordFileError;
use super::options::RecordFilesOptions;
use super::place::{has_ending, is_record_name};
use super::stream::{Checked, Stream};

/// The entries with names of records, in the order of the archive: they are compressed together, so
/// that each needs those before it.
#[derive(Debug)]
pub(super) struct SevenZipEntries {
    path: PathBuf,
    folders: Vec<Folder>,
    /// The entries still to be read.
    pending: std::vec::IntoIter<Entry>,
    passed_over: u64,
    options: RecordFilesOptions,
    /// The folder that is being read, with its number.
    open: Option<(usize, Arc<Mutex<Unpacked>>)>,
    /// The size of the folders read, as the archive states it.
    stated_bytes: u64,
}

impl SevenZipEntries {
    pub(super) fn open(path: &Path, options: &RecordFilesOptions) -> Result<Self, RecordFileError> {
        let Directory { folders, entries } = directory::read(&mut open_regular(path)?)?;
        let all = entries.len();
        let is_record = |entry: &Entry| is_record_name(Path::new(&entry.name), true);
        let wanted: Vec<Entry> = entries.into_iter().filter(is_record).collect();
        let passed_over = (all - wanted.len()) as u64;
        Ok(Self {
            path: path.to_owned(),
            folders,
            pending: wanted.into_iter(),
            passed_over,
            options: *options,
            open: None,
            stated_bytes: 0,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn passed_over(&self) -> u64 {
        self.passed_over
    }

    /// Returns the next entry.
    pub(super) fn next(&mut self) -> Option<(String, Result<Stream, RecordFileError>)> {
        let entry = self.pending.next()?;
        let stream = self.stream(&entry);
        Some((entry.name, stream))
    }

    fn stream(&mut self, entry: &Entry) -> Result<Stream, RecordFileError> {
        let folder = match &self.open {
            Some((number, folder)) if *number == entry.folder => Arc::clone(folder),
            _ => {
                let folder = Arc::new(Mutex::new(self.unpack(entry.folder)?));
                self.open = Some((entry.folder, Arc::clone(&folder)));
                folder
            }
        };
        let end = entry.start.saturating_add(entry.size);
        let source = EntryReader { folder, at: entry.start, end };
        let (is_gzip, limit) =
            (has_ending(Path::new(&entry.name), "gz"), self.options.max_file_bytes);
        Ok(match entry.crc {
            None => Stream::new(BufReader::new(source), is_gzip, limit),
            Some(expected) => {
                let checked = Checked { source, crc: Crc::new(), expected };
                Stream::new(BufReader::new(checked), is_gzip, limit)
            }
        })
    }

    /// Begins to decompress a folder.
    fn unpack(&mut self, number: usize) -> Result<Unpacked, RecordFileError> {
        let folder = self.folders.get(number).ok_or_else(|| damaged("an entry has no data"))?;
        // A folder yields no more than the size stated, so that the sum bounds what is read.
        self.stated_bytes = self.stated_bytes.saturating_add(folder.size);
        if self.stated_bytes > self.options.max_archive_bytes {
            self.pending = Vec::new().into_iter();
            return Err(RecordFileError::ArchiveTooLarge { limit: self.options.max_archive_bytes });
        }
        let mut file = open_regular(&self.path)?;
        file.seek(SeekFrom::Start(folder.offset))?;
        Ok(Unpacked { source: decoder(file, folder)?.take(folder.size), at: 0, has_failed: false })
    }
}

/// The decompressed bytes of a folder, and the number of those that have been read.
struct Unpacked {
    source: io::Take<Box<dyn Read + Send>>,
    at: u64,
    has_failed: bool,
}

impl std::fmt::Debug for Unpacked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unpacked").field("at", &self.at).finish_non_exhaustive()
    }
}

/// The bytes of an entry within those of its folder.
struct EntryReader {
    folder: Arc<Mutex<Unpacked>>,
    at: u64,
    end: u64,
}

impl Read for EntryReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let folder = Arc::clone(&self.folder);
        let mut folder = folder.lock().unwrap_or_else(PoisonError::into_inner);
        // A decoder that has failed may never return if it is asked again.
        if folder.has_failed {
            return Err(io::Error::other("the archive cannot be read on"));
        }
        let read = self.read_on(&mut folder, buffer);
        folder.has_failed = read.is_err();
        read
    }
}

impl EntryReader {
    fn read_on(&mut self, folder: &mut Unpacked, buffer: &mut [u8]) -> io::Result<usize> {
        if folder.at > self.at {
            return Err(io::Error::other("the entries of the archive overlap"));
        }
        let between = self.at - folder.at;
        let skipped = io::copy(&mut folder.source.by_ref().take(between), &mut io::sink())?;
        folder.at += skipped;
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX).min(buffer.len());
        if left == 0 {
            return Ok(0);
        }
        let read = folder.source.read(&mut buffer[..left])?;
        if skipped < between || read == 0 {
            let message = "the archive ends within an entry";
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        (folder.at, self.at) = (folder.at + read as u64, self.at + read as u64);
        Ok(read)
    }
}
