//! Options of reading records from files.

use komadai_base::reading::Tolerance;

/// Options of [`RecordFiles`](crate::RecordFiles).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordFilesOptions {
    /// The treatment of faults within a file. Strict reading ends a file at its first fault, but
    /// not the reading of the others.
    pub tolerance: Tolerance,
    /// Largest number of bytes that are read of a file, after decompression; 1 GiB by default.
    pub max_file_bytes: u64,
    /// Largest number of bytes that are read of all entries of a zip archive together, after
    /// decompression; 64 GiB by default.
    pub max_archive_bytes: u64,
}

impl Default for RecordFilesOptions {
    fn default() -> Self {
        Self {
            tolerance: Tolerance::default(),
            max_file_bytes: 1 << 30,
            max_archive_bytes: 64 << 30,
        }
    }
}

/// The usual limits with this tolerance.
impl From<Tolerance> for RecordFilesOptions {
    fn from(tolerance: Tolerance) -> Self {
        Self { tolerance, ..Self::default() }
    }
}
