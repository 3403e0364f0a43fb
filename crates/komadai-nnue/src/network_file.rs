//! Files of networks.

mod compact;
mod format;
mod read;
mod write;

use std::io::{self, BufReader, Write};
use std::path::Path;

use komadai_base::file::open_regular;

use crate::error::NetworkError;
#[cfg(feature = "mmap")]
use crate::mapped;
use crate::network::Network;
#[cfg(feature = "mmap")]
use crate::weights::Weights;

impl Network {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// Returns the first fault; the length of the file is checked before memory is taken.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, NetworkError> {
        let io = |error| NetworkError::Io { at: 0, error };
        let file = open_regular(path).map_err(io)?;
        let len = file.metadata().map_err(io)?.len();
        read::read(BufReader::new(file), len, &|_| None)
    }

    /// Opens a file whose weights of the first layer stay in the file, so that processes that map
    /// it share one copy.
    ///
    /// That needs a classical network with its weights at an even offset; other weights are read,
    /// as [`open`](Self::open) does. Do not change the file while the network is in use:
    /// evaluations would change, and if the file becomes shorter, the system ends the process.
    ///
    /// # Errors
    ///
    /// Returns the first fault.
    #[cfg(feature = "mmap")]
    #[cfg_attr(docsrs, doc(cfg(feature = "mmap")))]
    pub fn map(path: impl AsRef<Path>) -> Result<Self, NetworkError> {
        let io = |error| NetworkError::Io { at: 0, error };
        let file = mapped::map(&open_regular(path).map_err(io)?).map_err(io)?;
        let place = |bytes| mapped::Mapped::new(&file, bytes).map(Weights::Mapped);
        read::read(&file[..], file.len() as u64, &place)
    }

    /// Reads a network from memory.
    ///
    /// # Errors
    ///
    /// Returns the first fault.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        read::read(bytes, bytes.len() as u64, &|_| None)
    }

    /// Writes the network as a file, which [`open`](Self::open) reads.
    ///
    /// # Errors
    ///
    /// Returns the errors of `to`.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        write::write(self, to)
    }
}
