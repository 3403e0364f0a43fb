//! Options of sorting.

use std::env;
use std::path::PathBuf;

/// The memory of sorting, and the folder of its temporary files.
///
/// [`sort_records`](crate::sorting::sort_records), [`merge_records`](crate::sorting::merge_records)
/// and the writers of `.db`, `.ybb` and Apery books have these options.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct SortOptions {
    /// The memory for records, in bytes. The minimum is one record and buffers of 256 KiB in all.
    pub memory_bytes: usize,
    /// The folder of temporary files; if absent, the system's folder for them. The files have no
    /// names and end with the process. Their size is about that of the book.
    pub temp_dir: Option<PathBuf>,
}

impl Default for SortOptions {
    /// 64 MiB of memory. With that, a million positions were sorted as fast as in memory that holds
    /// them all (2026-11, 2 cores, `book convert` to `.db`, `.ybb` and `.bin`).
    fn default() -> Self {
        Self { memory_bytes: 64 << 20, temp_dir: None }
    }
}

impl SortOptions {
    /// The folder of temporary files.
    pub(crate) fn folder(&self) -> PathBuf {
        self.temp_dir.clone().unwrap_or_else(env::temp_dir)
    }
}
