//! Networks of the classical container.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use crate::aligned::Aligned;
use crate::architecture::{Architecture, padded};
use crate::dense::{Dense, clip_sums};
use crate::error::NetworkError;
use crate::kernels::{Chosen, Kernels};
use crate::source::Source;

/// The number that every file of the classical container starts with.
const VERSION: u32 = 0x7AF3_2F16;

/// The longest description that is read.
const MAX_DESCRIPTION: u32 = 4_096;

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
/// assert_eq!(file.len() as u64, architecture.file_len());
/// assert_eq!(Network::from_bytes(&file).expect("a file just written").architecture(), architecture);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Network {
    architecture: Architecture,
    description: String,
    biases: Aligned<i16>,
    /// `[input][output]`.
    weights: Aligned<i16>,
    layers: [Dense; 3],
    kernels: Chosen,
}

/// The parameters of a network in the order of a file.
pub(crate) struct Parameters {
    pub(crate) biases: Aligned<i16>,
    pub(crate) weights: Aligned<i16>,
    pub(crate) layers: [Dense; 3],
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
        Self::read(file, len)
    }

    /// Reads a network from memory.
    ///
    /// # Errors
    ///
    /// Returns the first fault.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::read(bytes, bytes.len() as u64)
    }

    /// Reads a network of `len` bytes.
    fn read(reader: impl Read, len: u64) -> Result<Self, NetworkError> {
        let mut source = Source::new(BufReader::new(reader), len);
        let version = source.number()?;
        if version != VERSION {
            return Err(NetworkError::Version { found: version });
        }
        // Some trainers write a hash of their own here, and programs only warn.
        source.number()?;
        let found = source.number()?;
        if found > MAX_DESCRIPTION {
            return Err(NetworkError::DescriptionTooLong { found, limit: MAX_DESCRIPTION });
        }
        source.begin("the description");
        let description = source.bytes(found as usize)?;
        let description = String::from_utf8_lossy(&description).into_owned();
        source.begin("the first layer");
        let hash = source.number()?;
        let architecture = Architecture::detect(&description, hash).ok_or_else(|| {
            let description = description.chars().take(200).collect();
            NetworkError::UnknownArchitecture { description, hash }
        })?;
        // The hash has been read.
        source.require(architecture.parameters_len() - 4)?;
        let Parameters { biases, weights, layers } = read_parameters(&mut source, architecture)?;
        source.require_end(architecture)?;
        let kernels = Chosen::new(Kernels::detect());
        Ok(Self { architecture, description, biases, weights, layers, kernels })
    }

    pub(crate) fn from_parameters(architecture: Architecture, parameters: Parameters) -> Self {
        let Parameters { biases, weights, layers } = parameters;
        let kernels = Chosen::new(Kernels::detect());
        let description = architecture.description();
        Self { architecture, description, biases, weights, layers, kernels }
    }

    /// Writes the network as a file, which [`open`](Self::open) reads.
    ///
    /// # Errors
    ///
    /// Returns the errors of `to`.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        let mut to = BufWriter::new(to);
        let numbers = [VERSION, self.architecture.hash(), self.description.len() as u32];
        for number in numbers {
            to.write_all(&number.to_le_bytes())?;
        }
        to.write_all(self.description.as_bytes())?;
        to.write_all(&self.architecture.features_hash().to_le_bytes())?;
        for weight in self.biases.iter().chain(self.weights.iter()) {
            to.write_all(&weight.to_le_bytes())?;
        }
        to.write_all(&self.architecture.layers_hash().to_le_bytes())?;
        for layer in &self.layers {
            let (biases, rows) = layer.to_rows();
            for bias in biases {
                to.write_all(&bias.to_le_bytes())?;
            }
            for weight in rows {
                to.write_all(&weight.to_le_bytes())?;
            }
        }
        to.flush()
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
        &self.biases
    }

    /// The weights of the first layer, `[input][output]`.
    #[inline]
    pub(crate) fn weights(&self) -> &[i16] {
        &self.weights
    }

    pub(crate) fn chosen(&self) -> Chosen {
        self.kernels
    }

    /// Computes the output from the sums of the first layer, those of the side to move first.
    pub(crate) fn output(&self, own: &[i16], other: &[i16]) -> i32 {
        const MAX_INPUTS: usize = 2 * Architecture::MAX_WIDTH;
        const MAX_OUTPUTS: usize = Architecture::MAX_HIDDEN;
        let [first, second, last] = &self.layers;
        let mut clipped = Scratch([0; MAX_INPUTS]);
        let (mut sums, mut hidden) = (Scratch([0; MAX_OUTPUTS]), Scratch([0; MAX_OUTPUTS]));
        let width = own.len();
        let clipped = &mut clipped.0[..2 * width];
        self.kernels.clip(own, &mut clipped[..width]);
        self.kernels.clip(other, &mut clipped[width..]);
        let sums = &mut sums.0[..];
        first.forward(self.kernels, clipped, &mut sums[..first.stored_outputs()]);
        let hidden = &mut hidden.0[..];
        clip_sums(&sums[..second.stored_inputs()], hidden);
        second.forward(
            self.kernels,
            &hidden[..second.stored_inputs()],
            &mut sums[..second.stored_outputs()],
        );
        clip_sums(&sums[..last.stored_inputs()], hidden);
        last.forward(self.kernels, &hidden[..last.stored_inputs()], &mut sums[..8]);
        sums[0]
    }
}

/// Memory of one layer's results.
#[repr(align(64))]
struct Scratch<T>(T);

/// Reads all parameters after the hash of the first layer.
fn read_parameters<R: Read>(
    source: &mut Source<R>,
    architecture: Architecture,
) -> Result<Parameters, NetworkError> {
    let width = architecture.width();
    let biases = source.numbers16(width)?;
    let weights = source.numbers16(width * architecture.features().inputs())?;
    source.begin("the hidden layers");
    source.hash(architecture.layers_hash())?;
    let [first, second, last] = architecture.layers();
    let mut read = |section, (inputs, outputs): (usize, usize)| {
        source.begin(section);
        let biases = source.numbers32(outputs)?;
        let rows = source.numbers8(outputs * padded(inputs))?;
        Ok(Dense::from_rows(inputs, &biases, &rows))
    };
    let layers = [
        read("the first hidden layer", first)?,
        read("the second hidden layer", second)?,
        read("the output layer", last)?,
    ];
    Ok(Parameters { biases, weights, layers })
}
