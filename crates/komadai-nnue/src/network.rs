//! Networks and their files.

mod compact_file;
mod read;
mod write;

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use komadai_core::Position;

use crate::aligned::Aligned;
use crate::architecture::Architecture;
use crate::error::NetworkError;
use crate::kernels::{Chosen, Kernels};
use crate::layers::Layers;
#[cfg(feature = "mmap")]
use crate::mapped;
use crate::weights::Weights;

/// The number that every file starts with.
const VERSION: u32 = 0x7AF3_2F16;

/// The weights of a network.
///
/// Sums wrap around as in the programs that train networks, so that no weights can overflow: every
/// file of the right length is a network. Threads share one copy through [`Arc`](std::sync::Arc).
///
/// # Examples
///
/// A network with weights made from a seed, written and read again:
///
/// ```
/// use komadai_nnue::{Architecture, FeatureSet, Network};
///
/// let architecture = Architecture::new(FeatureSet::KP, 32, 8, 8).expect("supported widths");
/// let network = Network::random(architecture, 1);
/// let mut file = Vec::new();
/// network.write(&mut file)?;
/// assert_eq!(Network::from_bytes(&file).expect("a file just written").architecture(), architecture);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Network {
    architecture: Architecture,
    description: String,
    parameters: Parameters,
    kernels: Chosen,
}

/// The parameters of a network in the order of a file.
#[derive(Debug, Clone)]
pub(crate) struct Parameters {
    pub(crate) biases: Aligned<i16>,
    /// `[input][output]`.
    pub(crate) weights: Weights,
    pub(crate) layers: Layers,
}

impl Network {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// Returns the first fault; the length of the file is checked before memory is taken.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, NetworkError> {
        let io = |error| NetworkError::Io { at: 0, error };
        let file = File::open(path).map_err(io)?;
        let len = file.metadata().map_err(io)?.len();
        read::read(BufReader::new(file), len, &|_| None)
    }

    /// Opens a file whose weights of the first layer stay in the file, so that processes that map it share
    /// one copy.
    ///
    /// That needs a classical network with its weights at an even offset; other weights are read, as
    /// [`open`](Self::open) does. Do not change the file while the network is in use: evaluations would
    /// change, and if the file becomes shorter, the system ends the process.
    ///
    /// # Errors
    ///
    /// Returns the first fault.
    #[cfg(feature = "mmap")]
    #[cfg_attr(docsrs, doc(cfg(feature = "mmap")))]
    pub fn map(path: impl AsRef<Path>) -> Result<Self, NetworkError> {
        let io = |error| NetworkError::Io { at: 0, error };
        let file = mapped::map(&File::open(path).map_err(io)?).map_err(io)?;
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

    pub(crate) fn from_parameters(
        architecture: Architecture,
        description: String,
        parameters: Parameters,
    ) -> Self {
        let kernels = Chosen::new(Kernels::detect());
        Self { architecture, description, parameters, kernels }
    }

    /// Writes the network as a file, which [`open`](Self::open) reads.
    ///
    /// # Errors
    ///
    /// Returns the errors of `to`.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        write::write(self, to)
    }

    /// Returns the network with other vector instructions; those that the processor lacks are ignored.
    ///
    /// For measurements: the result of an evaluation is the same.
    #[must_use]
    pub fn with_kernels(mut self, kernels: Kernels) -> Self {
        self.kernels = Chosen::new(kernels);
        self
    }

    /// The shape of the network.
    #[must_use]
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// The text by which the file describes the network.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The vector instructions of evaluations.
    #[must_use]
    pub fn kernels(&self) -> Kernels {
        self.kernels.kernels()
    }

    /// The biases of the first layer.
    pub(crate) fn biases(&self) -> &[i16] {
        &self.parameters.biases
    }

    /// The weights of the first layer, `[input][output]`.
    #[inline]
    pub(crate) fn weights(&self) -> &[i16] {
        &self.parameters.weights
    }

    pub(crate) fn chosen(&self) -> Chosen {
        self.kernels
    }

    /// Computes the output from the sums of the first layer, those of the side to move first.
    #[inline]
    pub(crate) fn output(&self, position: &Position, own: &[i16], other: &[i16]) -> i32 {
        self.parameters.layers.output(self.kernels, position, own, other)
    }
}
