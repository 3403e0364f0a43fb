//! Reading of a file section by section, with the place of each fault.

use core::ops::Range;
use std::io::{self, BufRead, ErrorKind, Seek, SeekFrom};

use crc32fast::Hasher;

use crate::aligned::Aligned;
use crate::architecture::padded;
use crate::error::NetworkError;

/// The bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// A network file of a known length.
pub(crate) struct Source<R> {
    reader: R,
    /// The offset of the next byte.
    at: u64,
    len: u64,
    /// The part of the file that is being read, for errors.
    section: &'static str,
    /// The checksum of what has been read since [`start_checksum`](Self::start_checksum).
    checksum: Option<Hasher>,
}

impl<R: BufRead> Source<R> {
    /// Starts at the first byte, where `reader` must be.
    pub(crate) fn new(reader: R, len: u64) -> Self {
        Self { reader, at: 0, len, section: "the header", checksum: None }
    }

    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// The number of bytes that have not been read.
    pub(crate) fn left(&self) -> u64 {
        self.len.saturating_sub(self.at)
    }

    /// Returns the number that stands `ahead` of the next byte, which stays the next one; `None`
    /// beyond the end of the file.
    pub(crate) fn peek(&mut self, ahead: u64) -> Result<Option<u32>, NetworkError>
    where
        R: Seek,
    {
        let mut bytes = [0; 4];
        let is_inside = self.peek_bytes(ahead, &mut bytes)?;
        Ok(is_inside.then(|| u32::from_le_bytes(bytes)))
    }

    /// Reads bytes that stand `ahead` of the next one, which stays the next one. Returns false, and
    /// reads nothing, if the file ends before.
    pub(crate) fn peek_bytes(&mut self, ahead: u64, bytes: &mut [u8]) -> Result<bool, NetworkError>
    where
        R: Seek,
    {
        let at = self.at.saturating_add(ahead);
        if at.saturating_add(bytes.len() as u64) > self.len {
            return Ok(false);
        }
        let mut read = || -> io::Result<()> {
            self.reader.seek(SeekFrom::Start(at))?;
            self.reader.read_exact(bytes)?;
            self.reader.seek(SeekFrom::Start(self.at)).map(|_| ())
        };
        read().map(|()| true).map_err(|error| NetworkError::Io { at, error })
    }

    /// Names the part that is read next.
    pub(crate) fn begin(&mut self, section: &'static str) {
        self.section = section;
    }

    /// Checks that the file holds `bytes` more, before memory is taken for them.
    pub(crate) fn require(&self, bytes: u64) -> Result<(), NetworkError> {
        let left = self.len.saturating_sub(self.at);
        if bytes <= left {
            return Ok(());
        }
        Err(NetworkError::Truncated { at: self.len, section: self.section, expected: bytes - left })
    }

    /// Checks that the file ends here.
    pub(crate) fn require_end(&self, architecture: impl ToString) -> Result<(), NetworkError> {
        if self.at == self.len {
            return Ok(());
        }
        Err(NetworkError::TooLong { at: self.at, architecture: architecture.to_string() })
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NetworkError> {
        self.require(bytes.len() as u64)?;
        self.reader.read_exact(bytes).map_err(|error| match error.kind() {
            // The file has become shorter than it was.
            ErrorKind::UnexpectedEof => NetworkError::Truncated {
                at: self.at,
                section: self.section,
                expected: bytes.len() as u64,
            },
            _ => NetworkError::Io { at: self.at, error },
        })?;
        self.at += bytes.len() as u64;
        if let Some(checksum) = &mut self.checksum {
            checksum.update(bytes);
        }
        Ok(())
    }

    /// Starts a checksum with bytes that have been read before.
    pub(crate) fn start_checksum(&mut self, before: &[u8]) {
        let mut checksum = Hasher::new();
        checksum.update(before);
        self.checksum = Some(checksum);
    }

    /// Reads a checksum, which must be that of what has been read.
    pub(crate) fn end_checksum(&mut self) -> Result<(), NetworkError> {
        let computed = self.checksum.take().map_or(0, Hasher::finalize);
        let at = self.at;
        let found = self.number()?;
        if found == computed {
            return Ok(());
        }
        Err(NetworkError::Checksum { at, found, computed })
    }

    /// Reads bytes.
    pub(crate) fn bytes(&mut self, len: usize) -> Result<Vec<u8>, NetworkError> {
        self.require(len as u64)?;
        let mut bytes = vec![0; len];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads a little-endian number.
    pub(crate) fn number(&mut self) -> Result<u32, NetworkError> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Reads a hash, which must be the expected one.
    pub(crate) fn hash(&mut self, expected: u32) -> Result<(), NetworkError> {
        let at = self.at;
        let found = self.number()?;
        if found == expected {
            return Ok(());
        }
        Err(NetworkError::Hash { at, section: self.section, found, expected })
    }

    /// Returns the range of the next bytes.
    pub(crate) fn next(&self, bytes: u64) -> Result<Range<usize>, NetworkError> {
        self.require(bytes)?;
        let at = usize::try_from(self.at).unwrap_or(usize::MAX);
        Ok(at..at.saturating_add(usize::try_from(bytes).unwrap_or(usize::MAX)))
    }

    /// Skips bytes.
    pub(crate) fn skip(&mut self, bytes: usize) -> Result<(), NetworkError> {
        self.require(bytes as u64)?;
        let mut left = bytes;
        while left > 0 {
            let io = |error| NetworkError::Io { at: self.at, error };
            // The reader of a file in memory has all of it at once, and no byte is touched.
            let step = self.reader.fill_buf().map_err(io)?.len().min(left);
            if step == 0 {
                let expected = left as u64;
                return Err(NetworkError::Truncated {
                    at: self.at,
                    section: self.section,
                    expected,
                });
            }
            self.reader.consume(step);
            self.at += step as u64;
            left -= step;
        }
        Ok(())
    }

    /// Reads little-endian numbers of 16 bits.
    pub(crate) fn numbers16(&mut self, count: usize) -> Result<Aligned<i16>, NetworkError> {
        self.require(2 * count as u64)?;
        let mut numbers = Aligned::zeroed(count);
        let mut bytes = [0; CHUNK];
        for part in numbers.chunks_mut(CHUNK / 2) {
            let bytes = &mut bytes[..2 * part.len()];
            self.fill(bytes)?;
            for (number, bytes) in part.iter_mut().zip(bytes.as_chunks::<2>().0) {
                *number = i16::from_le_bytes(*bytes);
            }
        }
        Ok(numbers)
    }

    /// Reads little-endian numbers of 32 bits.
    pub(crate) fn numbers32(&mut self, count: usize) -> Result<Vec<i32>, NetworkError> {
        let bytes = self.bytes(4 * count)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect())
    }

    /// Reads signed bytes.
    pub(crate) fn numbers8(&mut self, count: usize) -> Result<Vec<i8>, NetworkError> {
        Ok(self.bytes(count)?.into_iter().map(|byte| byte as i8).collect())
    }

    /// Reads biases and rows of weights of a dense layer.
    pub(crate) fn dense(
        &mut self,
        section: &'static str,
        (inputs, outputs): (usize, usize),
    ) -> Result<(Vec<i32>, Vec<i8>), NetworkError> {
        self.begin(section);
        Ok((self.numbers32(outputs)?, self.numbers8(outputs * padded(inputs))?))
    }
}
