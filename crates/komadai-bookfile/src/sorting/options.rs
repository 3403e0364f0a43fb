//! What sorting may use.

use std::env;
use std::path::PathBuf;

/// How much memory sorting may use, and where it may put what does not fit.
///
/// All that sorts uses it: [`sort_records`](crate::sorting::sort_records), [`merge_records`](crate::sorting::merge_records), and the writers
/// of `.db`, `.ybb` and Apery books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortOptions {
    /// The memory for records, in bytes. One record, and buffers of 256 KiB together, are used in any
    /// case.
    pub memory_bytes: usize,
    /// Where temporary files are put; the system's place for them if absent. They have no names and
    /// are gone with the process. Their size is about that of the book.
    pub temp_dir: Option<PathBuf>,
}

impl Default for SortOptions {
    /// 64 MiB. A million positions went through that as fast as through memory that holds them all
    /// (2026-11, 2 cores, `book convert` to `.db`, `.ybb` and `.bin`).
    fn default() -> Self {
        Self { memory_bytes: 64 << 20, temp_dir: None }
    }
}

impl SortOptions {
    /// Where temporary files go.
    pub(crate) fn folder(&self) -> PathBuf {
        self.temp_dir.clone().unwrap_or_else(env::temp_dir)
    }
}
