//! Facts about a network.

use core::fmt;

use crate::architecture::Architecture;
use crate::scale::ScaleSource;

/// Facts about a network: its shape, its scale, the header of its file, and what in the file
/// contradicts itself or is not stated.
///
/// # Examples
///
/// ```
/// use komadai_nnue::{Network, ScaleSource};
///
/// let network = Network::random("halfkp_32x2-8-8".parse()?, 1);
/// let mut file = Vec::new();
/// network.write(&mut file)?;
/// let network = Network::from_bytes(&file)?;
/// let facts = network.facts();
/// assert_eq!((facts.fv_scale, facts.scale_source), (16, ScaleSource::Default));
/// assert_eq!(facts.doubts, []);
/// assert_eq!(facts.file.expect("it was read from one").len, file.len() as u64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkFacts {
    /// The shape.
    pub architecture: Architecture,
    /// The text by which the file describes the network.
    pub text: String,
    /// The divisor of the output (`FV_SCALE`), as far as files state it. That of a compact network
    /// has no effect.
    pub fv_scale: i32,
    /// The place that the divisor comes from.
    pub scale_source: ScaleSource,
    /// Contradictions and gaps in the file.
    pub doubts: Vec<Doubt>,
    /// The header of the file; `None` for a network that was not read from one.
    pub file: Option<FileFacts>,
}

/// The numbers in the header of a network's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileFacts {
    /// The first four bytes.
    pub version: u32,
    /// The hash of the whole network; 0 in a compact file, which has a checksum instead.
    pub hash: u32,
    /// The hash of the first layer; 0 in a compact file.
    pub features_hash: u32,
    /// The hash of the hidden layers, or of the first stack of them; 0 in a compact file.
    pub layers_hash: u32,
    /// The length in bytes.
    pub len: u64,
}

/// A contradiction or a gap in the file of a network. [`Display`](fmt::Display) gives a sentence for
/// the user.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Doubt {
    /// The text describes another shape than the bytes have.
    Text {
        /// The shape that the text describes.
        says: String,
        /// The shape of the bytes, which is that of the network.
        bytes: String,
    },
    /// The hash of the first layer is of no such layer that is known.
    FirstHash {
        /// The hash in the file.
        found: u32,
        /// The usual hash.
        expected: u32,
    },
    /// The bytes are those of other shapes as well, and nothing else decides.
    Ambiguous {
        /// The other shapes.
        others: Vec<Architecture>,
    },
    /// The file does not say how a stack is chosen.
    Stacks {
        /// The number of stacks.
        stacks: usize,
        /// The name of the rule that is assumed.
        assumed: String,
    },
    /// A file states a scale that does not exist.
    Scale {
        /// The file or text.
        place: ScaleSource,
        /// The text in the place of the number.
        found: String,
    },
}

impl NetworkFacts {
    /// The facts of a network that was not read from a file.
    pub(crate) fn new(architecture: Architecture, text: String) -> Self {
        Self {
            architecture,
            text,
            fv_scale: architecture.usual_scale(),
            scale_source: ScaleSource::Default,
            doubts: Vec::new(),
            file: None,
        }
    }

    /// Takes a scale that a file states, or notes that it cannot be one.
    pub(crate) fn take_scale(&mut self, place: ScaleSource, stated: Option<Result<i32, String>>) {
        match stated {
            Some(Ok(scale)) => (self.fv_scale, self.scale_source) = (scale, place),
            Some(Err(found)) => self.doubts.push(Doubt::Scale { place, found }),
            None => {}
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { says, bytes } => {
                write!(f, "its text says {says}, its bytes {bytes}; the bytes count")
            }
            Self::FirstHash { found, expected } => write!(
                f,
                "the hash of its first layer is {found:#010X}, that of such a layer \
                 {expected:#010X}; the bytes count"
            ),
            Self::Ambiguous { others } => {
                f.write_str("its bytes may be those of")?;
                others.iter().try_for_each(|other| write!(f, " {other}"))?;
                f.write_str(" as well")
            }
            Self::Stacks { stacks, assumed } => write!(
                f,
                "it does not say how one of its {stacks} stacks is chosen; {assumed} is assumed"
            ),
            Self::Scale { place, found } => {
                write!(f, "{place} has the scale {found:?}, expected a number from 1 to 128")
            }
        }
    }
}
