//! Bytes that wait for what stands before them in a file.

use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::Path;

use tempfile::{SpooledTempFile, spooled_tempfile_in};

/// What stays in memory before it goes to a file.
const MEMORY_BYTES: usize = 1 << 20;

/// Bytes in memory while they are few, and in a file without a name otherwise, which is gone when
/// this is dropped or the process ends.
#[derive(Debug)]
pub(crate) struct Spool(BufWriter<SpooledTempFile>);

impl Spool {
    /// Nothing yet; a file would be in `folder`.
    pub(crate) fn new(folder: impl AsRef<Path>) -> Self {
        Self(BufWriter::new(spooled_tempfile_in(MEMORY_BYTES, folder)))
    }

    /// Everything from the beginning.
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
