//! Files of networks.

mod compact;
mod format;
mod read;
mod read_options;
mod stacked;
mod write;

use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, Write};
use std::path::Path;

use komadai_base::file::{open_regular, read_bounded};

use crate::error::NetworkError;
use crate::layers::{Layers, Selector};
#[cfg(feature = "mmap")]
use crate::mapped;
use crate::network::Network;
use crate::progress_file::ProgressFile;
use crate::scale::{ScaleSource, scale_of_options};
#[cfg(feature = "mmap")]
use crate::weights::Weights;
use read_options::progress_of;

pub use read_options::ReadOptions;

/// The file with the scale of the network in its folder.
const EVAL_OPTIONS: &str = "eval_options.txt";

/// The longest such file that is read.
const MAX_EVAL_OPTIONS: u64 = 1 << 16;

/// The file with the model of progress of the LayerStack network in its folder.
const PROGRESS: &str = "progress.bin";

impl Network {
    /// Opens a file.
    ///
    /// The folder may hold two files more: `eval_options.txt`, which states the scale, and
    /// `progress.bin` of a LayerStack network.
    ///
    /// # Errors
    ///
    /// Returns the first fault; the length of the file is checked before memory is taken.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, NetworkError> {
        Self::open_with(path, &ReadOptions::default())
    }

    /// Opens a file with what it does not state.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self, NetworkError> {
        let path = path.as_ref();
        let file = open_regular(path).map_err(cannot_open)?;
        let len = len_of(&file)?;
        let progress = || progress_beside(path, options);
        let network = read::read(BufReader::new(file), len, &|_| None, options, &progress)?;
        Ok(network.with_scale_beside(path))
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
        Self::map_with(path, &ReadOptions::default())
    }

    /// Opens a file as [`map`](Self::map) does, with what it does not state.
    ///
    /// # Errors
    ///
    /// As [`map`](Self::map).
    #[cfg(feature = "mmap")]
    #[cfg_attr(docsrs, doc(cfg(feature = "mmap")))]
    pub fn map_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self, NetworkError> {
        let path = path.as_ref();
        let opened = open_regular(path).map_err(cannot_open)?;
        let file = mapped::map(&opened).map_err(cannot_open)?;
        let place = |bytes| mapped::Mapped::new(&file, bytes).map(Weights::Mapped);
        let progress = || progress_beside(path, options);
        let bytes = Cursor::new(&file[..]);
        let network = read::read(bytes, file.len() as u64, &place, options, &progress)?;
        Ok(network.with_scale_beside(path))
    }

    /// Reads a network from memory.
    ///
    /// # Errors
    ///
    /// Returns the first fault.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::from_bytes_with(bytes, &ReadOptions::default())
    }

    /// Reads a network from memory, with what its file does not state.
    ///
    /// # Errors
    ///
    /// Returns the first fault.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, NetworkError> {
        let progress = || options.progress.as_deref().map(progress_of).transpose();
        read::read(Cursor::new(bytes), bytes.len() as u64, &|_| None, options, &progress)
    }

    /// Writes the network as a file, which [`open`](Self::open) reads.
    ///
    /// # Errors
    ///
    /// Returns the errors of `to`.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        write::write(self, to)
    }

    /// Returns the content of the file `progress.bin` that belongs beside the file of a LayerStack
    /// network whose stacks are chosen by progress; `None` for others.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_nnue::{Network, ReadOptions};
    ///
    /// let architecture = "layerstack_kp_64_16_32_x4_progress8kpabs".parse()?;
    /// let network = Network::random(architecture, 1);
    /// let mut file = Vec::new();
    /// network.write(&mut file)?;
    /// let progress = network.progress_file();
    /// let stack_rule = architecture.stack_rule();
    /// let options = ReadOptions { progress, stack_rule };
    /// assert_eq!(Network::from_bytes_with(&file, &options)?.architecture(), architecture);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn progress_file(&self) -> Option<Vec<u8>> {
        match self.layers() {
            Layers::Stacked(stacked) => match &stacked.selector {
                Selector::Progress(file) => Some(file.to_bytes()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Takes the scale from `eval_options.txt` in the folder of the network, if it is there. A file
    /// that cannot be read states nothing: the network is complete without it.
    fn with_scale_beside(mut self, path: &Path) -> Self {
        if let Ok(text) = read_bounded(path.with_file_name(EVAL_OPTIONS), MAX_EVAL_OPTIONS) {
            let stated = scale_of_options(&String::from_utf8_lossy(&text));
            self.facts_mut().take_scale(ScaleSource::EvalOptions, stated);
        }
        self
    }
}

fn cannot_open(error: io::Error) -> NetworkError {
    NetworkError::Io { at: 0, error }
}

fn len_of(file: &File) -> Result<u64, NetworkError> {
    file.metadata().map(|data| data.len()).map_err(cannot_open)
}

/// Returns the model of progress in the options or in the folder of a network; `None` if there is no
/// such file.
fn progress_beside(
    path: &Path,
    options: &ReadOptions,
) -> Result<Option<ProgressFile>, NetworkError> {
    if let Some(bytes) = &options.progress {
        return progress_of(bytes).map(Some);
    }
    // One byte more than such files have tells that a file is too long.
    match read_bounded(path.with_file_name(PROGRESS), ProgressFile::LEN as u64 + 1) {
        Ok(bytes) => progress_of(&bytes).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(NetworkError::ProgressFile { error }),
    }
}
