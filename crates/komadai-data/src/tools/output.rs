//! A file of records that a tool writes.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use komadai_base::atomic_file::{AtomicFile, Draft};
use komadai_base::file::{LockedFile, open_locked, with_ending};
use sha2::{Digest as _, Sha256};

use super::error::ToolError;
use super::origin::{InputOrigin, Origin};
use super::sources::Sources;
use crate::dataset::hex;

/// The treatment of an output that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Existing {
    /// It is an error.
    #[default]
    Refuse,
    /// It is replaced when the new file is complete.
    Replace,
}

impl Existing {
    /// Refuses an output that exists, unless it shall be replaced.
    pub(super) fn check(self, output: &Path) -> Result<(), ToolError> {
        if self == Self::Refuse && output.symlink_metadata().is_ok() {
            return Err(ToolError::Exists { path: output.to_owned() });
        }
        Ok(())
    }
}

/// Number of bytes that are written at once.
const BUFFER_BYTES: usize = 1 << 18;

/// A file of records that is being written under a temporary name, `NAME.unfinished`. It gets its
/// name when it is complete and on the disk, together with the note of its origin, and disappears
/// otherwise.
///
/// # Examples
///
/// ```
/// use komadai_data::tools::{Existing, Output, ToolError};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("train.psv");
/// std::fs::write(&path, "precious")?;
/// let error = Output::create(&path, Existing::Refuse).unwrap_err();
/// assert!(matches!(error, ToolError::Exists { .. }));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    // Dropped before the draft is removed, as some systems cannot remove open files.
    file: LockedFile,
    draft: Draft,
    buffer: Vec<u8>,
    hash: Sha256,
    records: u64,
}

impl Output {
    /// Creates the file under its temporary name.
    ///
    /// # Errors
    ///
    /// Returns [`ToolError::Exists`] if the file exists and shall not be replaced,
    /// [`ToolError::Busy`] if another process is writing it, and [`ToolError::Io`] if the system
    /// refuses.
    pub fn create(path: &Path, existing: Existing) -> Result<Self, ToolError> {
        existing.check(path)?;
        let unfinished = with_ending(path, ".unfinished");
        let file = locked(&unfinished)?;
        file.set_len(0).map_err(|error| ToolError::io(&unfinished, error))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            draft: Draft::with_name(path, unfinished),
            buffer: Vec::with_capacity(BUFFER_BYTES),
            hash: Sha256::new(),
            records: 0,
        })
    }

    /// Returns the final path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of records written.
    pub(super) fn records(&self) -> u64 {
        self.records
    }

    /// Appends a record.
    pub(super) fn write(&mut self, record: &[u8]) -> Result<(), ToolError> {
        self.write_part(record, 1)
    }

    /// Appends several records, as those of a game.
    pub(super) fn write_part(&mut self, bytes: &[u8], records: u64) -> Result<(), ToolError> {
        self.records += records;
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER_BYTES { self.flush() } else { Ok(()) }
    }

    /// Gives the file its name, and writes the note of its origin.
    pub(super) fn finish(self, origin: Origin, sources: &Sources) -> Result<Origin, ToolError> {
        self.finish_noted(origin.with_sources(sources))
    }

    /// Gives the file its name, and writes this note of its origin.
    pub(super) fn finish_noted(mut self, origin: Origin) -> Result<Origin, ToolError> {
        self.flush()?;
        self.file.sync_all().map_err(|error| ToolError::io(self.draft.path(), error))?;
        let sha256 = hex(&self.hash.finalize());
        let note = Origin { records: self.records, sha256, ..origin };
        complete(self.draft, &self.path, &note)?;
        Ok(note)
    }

    fn flush(&mut self) -> Result<(), ToolError> {
        let written = self.file.write_all(&self.buffer);
        written.map_err(|error| ToolError::io(self.draft.path(), error))?;
        self.hash.update(&self.buffer);
        self.buffer.clear();
        Ok(())
    }
}

impl Origin {
    /// Adds the inputs, with what is known about them.
    pub(super) fn with_sources(mut self, sources: &Sources) -> Self {
        // A tool that makes scores has stated its version.
        let has_own_scores = !self.data_versions.is_empty();
        for input in sources.inputs() {
            self.inputs.push(InputOrigin {
                path: input.path.to_string_lossy().into_owned(),
                records: input.records,
                sha256: input.sha256.clone(),
                origin: input.origin.clone().map(Box::new),
            });
            add_missing(&mut self.runs, &input.runs);
            if !has_own_scores {
                add_missing(&mut self.data_versions, &input.versions);
            }
        }
        self
    }
}

fn add_missing<T: Clone + PartialEq>(all: &mut Vec<T>, more: &[T]) {
    for item in more {
        if !all.contains(item) {
            all.push(item.clone());
        }
    }
}

/// Gives a complete file its name, and writes its note.
///
/// The note of a file that is replaced disappears first, so that no file has the note of another
/// one.
pub(super) fn complete(draft: Draft, path: &Path, note: &Origin) -> Result<(), ToolError> {
    let note_path = Origin::path_of(path);
    let write = || {
        let mut file = AtomicFile::create(&note_path)?;
        file.write_all(note.to_json().as_bytes())?;
        file.finish()
    };
    let note = write().map_err(|error| ToolError::io(&note_path, error))?;
    match fs::remove_file(&note_path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(ToolError::io(&note_path, error));
        }
        _ => {}
    }
    draft.commit().map_err(|error| ToolError::io(path, error))?;
    note.commit().map_err(|error| ToolError::io(&note_path, error))
}

/// Opens a file for reading and writing that no other process writes, or creates it.
pub(super) fn locked(path: &Path) -> Result<LockedFile, ToolError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    open_locked(&options, path, "run").map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => ToolError::Busy { path: path.to_owned() },
        _ => ToolError::io(path, error),
    })
}
