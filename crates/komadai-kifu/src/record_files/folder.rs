//! The contents of a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::place::is_record_name;

/// A path: a file, or a folder with its contents.
#[derive(Debug)]
pub(super) enum Listing {
    File,
    /// Subfolders and files of records, sorted by name.
    Folder {
        files: Vec<PathBuf>,
        /// The number of files of other kinds, and of links to folders.
        passed_over: u64,
    },
}

pub(super) fn list(path: &Path) -> io::Result<Listing> {
    if !fs::metadata(path)?.is_dir() {
        return Ok(Listing::File);
    }
    let (mut files, mut passed_over) = (Vec::new(), 0);
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let path = entry.path();
        // A link to a folder may lead to a folder above it, and so round in a ring.
        let is_folder_link = kind.is_symlink() && path.is_dir();
        if kind.is_dir() || (!is_folder_link && is_record_name(&path, false)) {
            files.push(path);
        } else {
            passed_over += 1;
        }
    }
    files.sort();
    Ok(Listing::Folder { files, passed_over })
}
