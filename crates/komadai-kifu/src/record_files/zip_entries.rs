//! The entries of a zip archive.

use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use encoding_rs::SHIFT_JIS;
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use komadai_base::file::open_regular;
use zip::{CompressionMethod, ZipArchive};

use super::error::RecordFileError;
use super::options::RecordFilesOptions;
use super::place::{has_ending, is_record_name};
use super::stream::{Checked, Stream};

/// The entries with names of records, in the order of the names.
#[derive(Debug)]
pub(super) struct ZipEntries {
    path: PathBuf,
    archive: ZipArchive<BufReader<File>>,
    /// Names and numbers of the entries still to be read, the next one last.
    pending: Vec<(String, usize)>,
    passed_over: u64,
    max_file_bytes: u64,
    max_archive_bytes: u64,
    /// The size of the entries read, as the archive states it.
    stated_bytes: u64,
}

impl ZipEntries {
    pub(super) fn open(path: &Path, options: &RecordFilesOptions) -> Result<Self, RecordFileError> {
        let file = BufReader::new(open_regular(path)?);
        let mut archive = ZipArchive::new(file).map_err(archive_error)?;
        let (mut pending, mut passed_over) = (Vec::new(), 0);
        for index in 0..archive.len() {
            let entry = archive.by_index_raw(index).map_err(archive_error)?;
            let name = name_of(entry.name_raw());
            if !entry.is_dir() && is_record_name(Path::new(&name), true) {
                pending.push((name, index));
            } else if !entry.is_dir() {
                passed_over += 1;
            }
        }
        pending.sort_by(|one, other| other.cmp(one));
        Ok(Self {
            path: path.to_owned(),
            archive,
            pending,
            passed_over,
            max_file_bytes: options.max_file_bytes,
            max_archive_bytes: options.max_archive_bytes,
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
        let (name, index) = self.pending.pop()?;
        let stream = self.stream(&name, index);
        Some((name, stream))
    }

    /// Opens an entry in a file handle of its own, so that it is read piece by piece.
    fn stream(&mut self, name: &str, index: usize) -> Result<Stream, RecordFileError> {
        let entry = self.archive.by_index_raw(index).map_err(archive_error)?;
        let (method, size) = (entry.compression(), entry.compressed_size());
        let (expected, stated) = (entry.crc32(), entry.size());
        if entry.encrypted() {
            return Err(RecordFileError::Compression { found: "encrypted".to_owned() });
        }
        let start = entry.data_start().ok_or_else(|| RecordFileError::Archive {
            message: "an entry has no data".to_owned(),
        })?;
        drop(entry);
        // An entry yields no more than the size stated, so that the sum bounds what is read.
        self.stated_bytes = self.stated_bytes.saturating_add(stated);
        if self.stated_bytes > self.max_archive_bytes {
            self.pending.clear();
            return Err(RecordFileError::ArchiveTooLarge { limit: self.max_archive_bytes });
        }
        let mut file = open_regular(&self.path)?;
        file.seek(SeekFrom::Start(start))?;
        let packed = BufReader::new(file.take(size));
        let (is_gzip, limit) = (has_ending(Path::new(name), "gz"), self.max_file_bytes);
        let crc = Crc::new();
        Ok(match method {
            CompressionMethod::Stored => {
                let checked = Checked { source: packed.take(stated), crc, expected };
                Stream::new(BufReader::new(checked), is_gzip, limit)
            }
            CompressionMethod::Deflated => {
                let source = DeflateDecoder::new(packed).take(stated);
                let checked = Checked { source, crc, expected };
                Stream::new(BufReader::new(checked), is_gzip, limit)
            }
            other => return Err(RecordFileError::Compression { found: other.to_string() }),
        })
    }
}

/// Returns the name of an entry. Programs for Windows write names in Shift_JIS.
fn name_of(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(name) => name.to_owned(),
        Err(_) => SHIFT_JIS.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

fn archive_error(error: zip::result::ZipError) -> RecordFileError {
    match error {
        zip::result::ZipError::Io(error) => RecordFileError::Io(error),
        other => RecordFileError::Archive { message: other.to_string() },
    }
}
