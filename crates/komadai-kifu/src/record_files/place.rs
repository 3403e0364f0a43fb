//! The places of records in files.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use super::error::RecordFileError;
use crate::error::KifuError;
use crate::kifu_format::KifuFormat;
use crate::record::Record;

/// A record with the place where it was found, or the reason why it cannot be read.
#[derive(Debug)]
pub struct FileRecord {
    /// The place.
    pub place: FilePlace,
    /// The record.
    pub record: Result<Record, RecordFileError>,
}

/// A fault that a lenient reading skipped, with its file.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {fault}")]
#[non_exhaustive]
pub struct FileFault {
    /// The file or entry.
    pub place: FilePlace,
    /// The fault, with its line.
    pub fault: KifuError,
}

/// The place of a record: `games/2024.zip: 01/a.csa, game 3`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FilePlace {
    /// The file.
    pub path: PathBuf,
    /// The name of the entry, if the file is an archive.
    pub entry: Option<String>,
    /// The number of the game in the file or entry, from 1; 0 for the whole file.
    pub game: u64,
}

impl FilePlace {
    pub(super) fn of_file(path: &Path) -> Self {
        Self { path: path.to_owned(), entry: None, game: 0 }
    }
}

impl fmt::Display for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(entry) = &self.entry {
            write!(f, ": {entry}")?;
        }
        match self.game {
            0 => Ok(()),
            game => write!(f, ", game {game}"),
        }
    }
}

/// Returns true if the name of a file has this ending, in small or capital letters.
pub(super) fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

/// Returns true if the name of a file is one of records. `in_archive` excludes archives.
pub(super) fn is_record_name(path: &Path, in_archive: bool) -> bool {
    if is_resource_fork(path) {
        return false;
    }
    if has_ending(path, "gz") {
        return has_record_ending(Path::new(path.file_stem().unwrap_or(OsStr::new(""))));
    }
    let is_7z = cfg!(feature = "seven-zip") && has_ending(path, "7z");
    let is_archive = has_ending(path, "zip") || is_7z;
    has_record_ending(path) || (!in_archive && is_archive)
}

/// Returns true for the ending of a format, and for `.bod`: a board as KIF has it.
fn has_record_ending(path: &Path) -> bool {
    let mut endings = KifuFormat::EXTENSIONS.iter().map(|(ending, _)| *ending).chain(["bod"]);
    endings.any(|ending| has_ending(path, ending))
}

/// Returns true for the second part of a file that macOS writes into archives and onto foreign
/// disks: `__MACOSX/games/._a.csa` for `games/a.csa`.
fn is_resource_fork(path: &Path) -> bool {
    let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b"._");
    path.file_name().is_some_and(is_hidden)
        || path.components().any(|part| part.as_os_str() == "__MACOSX")
}
