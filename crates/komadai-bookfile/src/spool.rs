//! Temporary storage of bytes that are written after others of a file.

use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::Path;

use tempfile::{SpooledTempFile, spooled_tempfile_in};

/// The number of bytes kept in memory; more are written to a temporary file.
const MEMORY_BYTES: usize = 1 << 20;

/// Bytes in memory, or in a temporary file if they are many. The file has no name; the system
/// deletes it when this is dropped or the process ends.
#[derive(Debug)]
pub(crate) struct Spool(BufWriter<SpooledTempFile>);

impl Spool {
    /// Creates an empty spool, whose file would be in `folder`.
    pub(crate) fn new(folder: impl AsRef<Path>) -> Self {
        Self(BufWriter::new(spooled_tempfile_in(MEMORY_BYTES, folder)))
    }

    /// A reader of all bytes, from the first.
    pub(crate) fn into_reader(self) -> io::Result<BufReader<SpooledTempFile>> {
        let mut file = self.0.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(BufReader::new(file))
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
