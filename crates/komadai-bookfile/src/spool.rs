//! Temporary storage of bytes that are written after others of a file.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};

use komadai_base::temporary_file::temporary_file;

/// The largest number of bytes kept in memory.
const MEMORY_BYTES: usize = 1 << 20;

/// Bytes in memory, or in a temporary file if they are many. The file has no name; the system
/// deletes it when this is dropped or the process ends.
#[derive(Debug)]
pub(crate) struct Spool {
    memory: Vec<u8>,
    file: Option<BufWriter<File>>,
    folder: PathBuf,
}

impl Spool {
    /// Creates an empty spool, whose file would be in `folder`.
    pub(crate) fn new(folder: impl AsRef<Path>) -> Self {
        Self { memory: Vec::new(), file: None, folder: folder.as_ref().to_owned() }
    }

    /// A reader of all bytes, from the first.
    pub(crate) fn into_reader(self) -> io::Result<BufReader<Box<dyn ReadSeek>>> {
        let Some(file) = self.file else {
            return Ok(BufReader::new(Box::new(Cursor::new(self.memory))));
        };
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(BufReader::new(Box::new(file)))
    }
}

/// A source that can be read from any place.
pub(crate) trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(file) = &mut self.file {
            return file.write(bytes);
        }
        if self.memory.len() + bytes.len() <= MEMORY_BYTES {
            self.memory.extend_from_slice(bytes);
            return Ok(bytes.len());
        }
        let mut file = BufWriter::new(temporary_file(&self.folder)?);
        file.write_all(&std::mem::take(&mut self.memory))?;
        self.file.insert(file).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}
