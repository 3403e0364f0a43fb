//! The shapes of networks, their names and hashes.

use core::fmt;

use crate::feature_set::FeatureSet;

/// The shape of a network: its features and the widths of its layers.
///
/// The first layer gives `width` numbers for each of the two views. They are clipped and go through two
/// hidden layers to one output.
///
/// [`Display`](fmt::Display) gives the name that YaneuraOu uses, such as `halfkp_256x2-32-32`.
///
/// # Examples
///
/// ```
/// use komadai_nnue::{Architecture, FeatureSet};
///
/// let architecture = Architecture::new(FeatureSet::HalfKp, 256, 32, 32).expect("usual widths");
/// assert_eq!(architecture, Architecture::HALF_KP_256);
/// assert_eq!(architecture.to_string(), "halfkp_256x2-32-32");
/// assert_eq!(architecture.file_len(), 64_217_066);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Architecture {
    features: FeatureSet,
    width: usize,
    hidden: [usize; 2],
}

/// The inputs of a row of weights are rounded up to a multiple of this, with zeros.
pub(crate) const ROW_STEP: usize = 32;

/// The rows of weights of a layer, in a file.
pub(crate) const fn padded(inputs: usize) -> usize {
    inputs.next_multiple_of(ROW_STEP)
}

impl Architecture {
    /// The classical network of 2018, which most programs play with.
    pub const HALF_KP_256: Self =
        Self { features: FeatureSet::HalfKp, width: 256, hidden: [32, 32] };

    /// The largest width of the first layer, for one view.
    pub const MAX_WIDTH: usize = 2_048;

    /// The largest width of a hidden layer.
    pub const MAX_HIDDEN: usize = 128;

    /// Returns an architecture; `None` if a width is not supported.
    ///
    /// `width` is a multiple of 32 up to [`MAX_WIDTH`](Self::MAX_WIDTH); the hidden widths are multiples
    /// of 8 up to [`MAX_HIDDEN`](Self::MAX_HIDDEN).
    #[must_use]
    pub const fn new(
        features: FeatureSet,
        width: usize,
        hidden1: usize,
        hidden2: usize,
    ) -> Option<Self> {
        let hidden = [hidden1, hidden2];
        let architecture = Self { features, width, hidden };
        if architecture.is_supported() { Some(architecture) } else { None }
    }

    const fn is_supported(self) -> bool {
        let [first, second] = self.hidden;
        let is_width = self.width > 0 && self.width <= Self::MAX_WIDTH && self.width % 32 == 0;
        is_width
            && (first > 0 && first <= Self::MAX_HIDDEN && first % 8 == 0)
            && (second > 0 && second <= Self::MAX_HIDDEN && second % 8 == 0)
    }

    /// The input features.
    #[must_use]
    pub const fn features(self) -> FeatureSet {
        self.features
    }

    /// The width of the first layer, for one view.
    #[must_use]
    pub const fn width(self) -> usize {
        self.width
    }

    /// The widths of the hidden layers.
    #[must_use]
    pub const fn hidden(self) -> [usize; 2] {
        self.hidden
    }

    /// Inputs and outputs of the dense layers, first to last.
    pub(crate) const fn layers(self) -> [(usize, usize); 3] {
        let [first, second] = self.hidden;
        [(2 * self.width, first), (first, second), (second, 1)]
    }

    /// Returns the length of a file in bytes, with the [`description`](Self::description) that
    /// [`Network::write`](crate::Network::write) writes.
    #[must_use]
    pub fn file_len(self) -> u64 {
        12 + self.description().len() as u64 + self.parameters_len()
    }

    /// The bytes of a file after the description.
    pub(crate) fn parameters_len(self) -> u64 {
        let dense = |(inputs, outputs): (usize, usize)| outputs * (4 + padded(inputs));
        let layers: usize = self.layers().map(dense).iter().sum();
        (4 + self.width * 2 * (self.features.inputs() + 1) + 4 + layers) as u64
    }

    /// The hash of the first layer.
    pub(crate) const fn features_hash(self) -> u32 {
        self.features.hash() ^ (2 * self.width) as u32
    }

    /// The hash of the dense layers.
    pub(crate) const fn layers_hash(self) -> u32 {
        const fn dense(before: u32, outputs: usize) -> u32 {
            0xCC03_DAE4_u32.wrapping_add(outputs as u32) ^ (before >> 1) ^ (before << 31)
        }
        const fn clipped(before: u32) -> u32 {
            before.wrapping_add(0x538D_24C7)
        }
        let input = 0xEC42_E90D ^ (2 * self.width) as u32;
        let first = clipped(dense(input, self.hidden[0]));
        dense(clipped(dense(first, self.hidden[1])), 1)
    }

    /// Returns the hash of a file with this architecture.
    #[must_use]
    pub const fn hash(self) -> u32 {
        self.features_hash() ^ self.layers_hash()
    }

    /// Returns the text by which a file describes the architecture.
    #[must_use]
    pub fn description(self) -> String {
        let ([first, second], inputs) = (self.hidden, 2 * self.width);
        format!(
            "Features={}[{}->{}x2],Network=AffineTransform[1<-{second}](ClippedReLU[{second}](\
             AffineTransform[{second}<-{first}](ClippedReLU[{first}](\
             AffineTransform[{first}<-{inputs}](InputSlice[{inputs}(0:{inputs})])))))",
            self.features.description(),
            self.features.inputs(),
            self.width,
        )
    }

    /// Finds the architecture of a file from its description and the hash of its first layer.
    ///
    /// The hash decides between what it distinguishes. The description tells the rest: the hidden widths,
    /// and sets of features with the same hash.
    pub(crate) fn detect(description: &str, features_hash: u32) -> Option<Self> {
        let described = Described::parse(description);
        let hidden = described.hidden?;
        let candidates = FeatureSet::ALL.into_iter().flat_map(|features| {
            (1..=Self::MAX_WIDTH / 32)
                .filter_map(move |width| Self::new(features, 32 * width, hidden[0], hidden[1]))
        });
        let is_described = |architecture: &Self| {
            described.features == Some(architecture.features)
                && described.width == Some(architecture.width)
        };
        let with_hash: Vec<Self> =
            candidates.clone().filter(|a| a.features_hash() == features_hash).collect();
        match with_hash[..] {
            [only] => Some(only),
            // A file with a hash of its own is taken at its word.
            [] => candidates.into_iter().find(is_described),
            _ => with_hash.into_iter().find(is_described),
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { features, width, hidden: [first, second] } = self;
        write!(f, "{features}_{width}x2-{first}-{second}")
    }
}

/// The parts of a description, as far as they are understood.
#[derive(Debug, Default, PartialEq, Eq)]
struct Described {
    features: Option<FeatureSet>,
    width: Option<usize>,
    hidden: Option<[usize; 2]>,
}

impl Described {
    /// Parses `Features=NAME[INPUTS->WIDTHx2],Network=…AffineTransform[OUTPUTS<-INPUTS]…`.
    fn parse(text: &str) -> Self {
        let mut described = Self::default();
        if let Some((name, rest)) =
            text.strip_prefix("Features=").and_then(|rest| rest.split_once('['))
        {
            described.features = FeatureSet::ALL.into_iter().find(|set| set.description() == name);
            described.width = rest
                .split_once("->")
                .and_then(|(_, rest)| rest.split_once("x2]"))
                .and_then(|(width, _)| width.parse().ok());
        }
        let outputs: Vec<usize> = text
            .split("AffineTransform")
            .skip(1)
            // Some programs name their own way to compute the first layer.
            .map(|layer| layer.strip_prefix("SparseInput").unwrap_or(layer))
            .filter_map(|layer| layer.strip_prefix('[')?.split_once("<-")?.0.parse().ok())
            .collect();
        // The description nests the layers, so that the last one stands first.
        if let [1, second, first] = outputs[..] {
            described.hidden = Some([first, second]);
        }
        described
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classical_network_has_its_known_hashes_and_size() {
        let classical = Architecture::HALF_KP_256;
        assert_eq!(classical.hash(), 0x3E5A_A6EE);
        assert_eq!(classical.features_hash(), 0x5D69_D7B8);
        assert_eq!(classical.layers_hash(), 0x6333_7156);
        assert_eq!(classical.description().len(), 178);
        assert_eq!(classical.file_len(), 64_217_066);
    }

    #[test]
    fn descriptions_and_hashes_lead_back() {
        for features in FeatureSet::ALL {
            for (width, first, second) in [(256, 32, 32), (512, 8, 96), (1_024, 8, 64)] {
                let architecture = Architecture::new(features, width, first, second).unwrap();
                let (text, hash) = (architecture.description(), architecture.features_hash());
                assert_eq!(Architecture::detect(&text, hash), Some(architecture), "{text}");
                assert_eq!(Architecture::detect(&text, 12_345), Some(architecture), "{text}");
            }
        }
        let sparse = "Features=K+P[1710->64x2],Network=AffineTransform[1<-8](ClippedReLU[8](\
                      AffineTransform[8<-16](ClippedReLU[16](AffineTransformSparseInput[16<-128](\
                      InputSlice[128(0:128)])))))";
        let small = Architecture::new(FeatureSet::KP, 64, 16, 8).unwrap();
        assert_eq!(Architecture::detect(sparse, small.features_hash()), Some(small));
        for text in ["", "Features=", "Features=HalfKP(Friend)[125388->256x2],Network=Deep"] {
            assert_eq!(Architecture::detect(text, Architecture::HALF_KP_256.features_hash()), None);
        }
    }
}
