//! Runs: sorted entries in temporary files.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use komadai_base::temporary_file::temporary_file;

use super::entry::Entry;

/// Sorted entries in a file without a name, which the system deletes when this is dropped or the
/// process ends.
///
/// An entry is a length (`u32`, little-endian) and that number of bytes.
#[derive(Debug)]
pub(super) struct Run {
    file: File,
    shape: Shape,
}

/// The size of a run, against which the file is checked when it is read back.
#[derive(Debug, Clone, Copy, Default)]
struct Shape {
    entries: u64,
    /// The length of the longest entry.
    longest: u32,
}

/// Reads the entries of a run in order.
#[derive(Debug)]
pub(super) struct RunReader {
    file: BufReader<File>,
    /// The number of entries left, and the length of the longest of all.
    shape: Shape,
}

impl Run {
    /// Writes entries, which must come in order. One longer than 4 GiB is an error.
    pub(super) fn write(
        folder: &Path,
        buffer_bytes: usize,
        entries: impl Iterator<Item = io::Result<Entry>>,
    ) -> io::Result<Self> {
        let mut out = BufWriter::with_capacity(buffer_bytes, temporary_file(folder)?);
        let mut shape = Shape::default();
        for entry in entries {
            let entry = entry?;
            let length = u32::try_from(entry.as_bytes().len()).map_err(io::Error::other)?;
            shape.longest = shape.longest.max(length);
            shape.entries += 1;
            out.write_all(&length.to_le_bytes())?;
            out.write_all(entry.as_bytes())?;
        }
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Self { file, shape })
    }

    pub(super) fn read(mut self, buffer_bytes: usize) -> io::Result<RunReader> {
        self.file.rewind()?;
        let file = BufReader::with_capacity(buffer_bytes, self.file);
        Ok(RunReader { file, shape: self.shape })
    }
}

impl RunReader {
    pub(super) fn next_entry(&mut self) -> io::Result<Option<Entry>> {
        if self.shape.entries == 0 {
            return Ok(None);
        }
        self.shape.entries -= 1;
        let mut length = [0; size_of::<u32>()];
        self.file.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length);
        // Checked before the memory is allocated.
        if length > self.shape.longest {
            return Err(damaged());
        }
        let mut bytes = vec![0; length as usize];
        self.file.read_exact(&mut bytes)?;
        Entry::from_bytes(bytes).map(Some).ok_or_else(damaged)
    }
}

/// The error of a temporary file that another process has changed.
pub(super) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a temporary file of sorting is damaged")
}
