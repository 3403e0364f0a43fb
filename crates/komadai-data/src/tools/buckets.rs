//! Temporary files among which records are distributed, so that each part fits into memory.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use komadai_base::temporary_file::temporary_file;

use super::error::ToolError;

/// The largest number of files. Systems allow a process a thousand open ones or so.
const MOST: u64 = 500;
/// Number of bytes that are written into a file at once.
const BUFFER_BYTES: usize = 1 << 16;
/// Number of bytes of a MiB.
const MIB: u64 = 1 << 20;

/// Temporary files of entries of `N` bytes. They have no names, so that the system removes them
/// when the process ends, however it ends.
pub(super) struct Buckets<const N: usize> {
    folder: PathBuf,
    buckets: Vec<Bucket>,
}

struct Bucket {
    file: File,
    buffer: Vec<u8>,
}

impl<const N: usize> Buckets<N> {
    /// Creates as many files beside `output` as are needed that `entry_bytes` for each of the
    /// entries of a file take at most this memory. With few entries one file suffices, and it stays
    /// in memory.
    pub(super) fn create(
        output: &Path,
        entries: u64,
        entry_bytes: u64,
        memory_mib: u64,
    ) -> Result<Self, ToolError> {
        // The numbers of entries vary at random: the square root for one standard deviation.
        let needed = entries * entry_bytes + 8 * entries.isqrt() * entry_bytes;
        let count = needed.div_ceil(memory_mib.max(1) * MIB).max(1);
        if count > MOST {
            let least_mib = needed.div_ceil(MOST * MIB);
            return Err(ToolError::Memory { memory_mib, records: entries, least_mib });
        }
        let folder = match output.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let create = |_| {
            let file = temporary_file(&folder);
            let file = file.map_err(|error| ToolError::io(&folder, error))?;
            Ok(Bucket { file, buffer: Vec::with_capacity(BUFFER_BYTES) })
        };
        let buckets = (0..count).map(create).collect::<Result<_, ToolError>>()?;
        Ok(Self { folder, buckets })
    }

    /// Appends an entry to the file of a key. Smaller keys are in earlier files.
    pub(super) fn add(&mut self, key: u64, entry: [u8; N]) -> Result<(), ToolError> {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        let bucket = &mut self.buckets[index as usize];
        bucket.buffer.extend_from_slice(&entry);
        if bucket.buffer.len() + N > BUFFER_BYTES {
            let written = bucket.file.write_all(&bucket.buffer);
            written.map_err(|error| ToolError::io(&self.folder, error))?;
            bucket.buffer.clear();
        }
        Ok(())
    }

    /// Returns the entries of each file, in the order in which they were added.
    pub(super) fn into_parts(self) -> impl Iterator<Item = Result<Vec<[u8; N]>, ToolError>> {
        let Self { folder, buckets } = self;
        buckets
            .into_iter()
            .map(move |bucket| bucket.read().map_err(|error| ToolError::io(&folder, error)))
    }
}

impl Bucket {
    fn read<const N: usize>(mut self) -> std::io::Result<Vec<[u8; N]>> {
        let written = self.file.seek(SeekFrom::End(0))?;
        let count = (written as usize + self.buffer.len()) / N;
        let mut entries = vec![[0; N]; count];
        let (on_disk, in_memory) = entries.as_flattened_mut().split_at_mut(written as usize);
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_exact(on_disk)?;
        in_memory.copy_from_slice(&self.buffer);
        Ok(entries)
    }
}
