//! Weights in a mapped file, which all processes share.
#![expect(unsafe_code, reason = "no file is promised to stay as it is while it is mapped")]

use core::fmt;
use core::ops::{Deref, Range};
use std::fs::File;
use std::io;
use std::sync::Arc;

use memmap2::Mmap;

/// A file in memory.
pub(crate) fn map(file: &File) -> io::Result<Arc<Mmap>> {
    // SAFETY: the bytes are only ever read as numbers, all of which are valid weights, and no
    // length or index depends on them: a file that changes meanwhile changes evaluations. A file
    // that is cut meanwhile ends the process, as `Network::map` says.
    unsafe { Mmap::map(file) }.map(Arc::new)
}

/// Numbers of 16 bits inside a mapped file.
#[derive(Clone)]
pub(crate) struct Mapped {
    file: Arc<Mmap>,
    bytes: Range<usize>,
}

impl Mapped {
    /// Returns the numbers in this range of bytes, if they can be read where they are: on machines
    /// with the byte order of the file, from an even offset.
    pub(crate) fn new(file: &Arc<Mmap>, bytes: Range<usize>) -> Option<Self> {
        let numbers = bytemuck::try_cast_slice::<u8, i16>(file.get(bytes.clone())?).ok()?;
        let mapped = Self { file: Arc::clone(file), bytes: bytes.clone() };
        (cfg!(target_endian = "little") && numbers.len() == bytes.len() / 2).then_some(mapped)
    }
}

impl Deref for Mapped {
    type Target = [i16];

    #[inline]
    fn deref(&self) -> &[i16] {
        bytemuck::cast_slice(&self.file[self.bytes.clone()])
    }
}

impl fmt::Debug for Mapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} values of a file]", self.len())
    }
}
