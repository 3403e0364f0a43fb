//! The shapes of networks, their names and hashes.

mod description;

use core::fmt;
use core::str::FromStr;

use crate::feature_set::FeatureSet;
use crate::stack_choice::StackChoice;
use description::Described;

/// The shape of a network: its features and the widths of its layers.
///
/// The first layer gives `width` numbers for each of the two views. Two hidden layers and one
/// output follow. In a *classical* network they see the numbers clipped. A *stacked* network (SFNN)
/// has several copies of them for classes of positions, which see products of pairs of numbers. A
/// *compact* network, the format of this project, has no hidden layers: the output is a sum of
/// squares, one for each class of progress, added to the material balance.
///
/// [`Display`](fmt::Display) and [`FromStr`] use the names of YaneuraOu's editions, such as
/// `halfkp_256x2-32-32` and `sfnn_halfkahm2_1536_15_32_k3k3`.
///
/// # Examples
///
/// ```
/// use komadai_nnue::{Architecture, FeatureSet};
///
/// let architecture = Architecture::new(FeatureSet::HalfKp, 256, 32, 32).expect("usual widths");
/// assert_eq!(architecture, Architecture::HALF_KP_256);
/// assert_eq!(architecture.to_string(), "halfkp_256x2-32-32");
/// let stacked: Architecture = "sfnn_halfkahm2_1536_15_32_k3k3".parse()?;
/// assert_eq!(stacked.stacks(), Some(9));
/// # Ok::<(), komadai_nnue::UnknownArchitecture>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Architecture {
    features: FeatureSet,
    width: usize,
    hidden: [usize; 2],
    body: Body,
}

/// The kinds of layers after the first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Body {
    Classical,
    /// With layer stacks for classes of positions.
    Stacked(StackChoice),
    /// With output layers for this number of classes of progress.
    Compact(usize),
}

/// An error in the name of an architecture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found architecture {found:?}, expected a name such as halfkp_256x2-32-32")]
pub struct UnknownArchitecture {
    /// The beginning of the text.
    pub found: String,
}

/// The hidden widths of usual classical networks.
const USUAL_HIDDEN: [[usize; 2]; 6] = [[32, 32], [16, 32], [8, 96], [16, 64], [8, 32], [8, 64]];

/// The usual stacked network.
const SFNN_1536: &str = "sfnn_halfkahm2_1536_15_32_k3k3";

/// The inputs of a row of weights are rounded up to a multiple of this, with zeros.
const ROW_STEP: usize = 32;

/// The length of a row of weights in a file.
pub(crate) const fn padded(inputs: usize) -> usize {
    inputs.next_multiple_of(ROW_STEP)
}

impl Architecture {
    /// The classical network of 2018, which most programs play with.
    pub const HALF_KP_256: Self =
        Self { features: FeatureSet::HalfKp, width: 256, hidden: [32, 32], body: Body::Classical };

    /// The largest width of the first layer, for one view.
    pub const MAX_WIDTH: usize = 2_048;

    /// The largest width of a hidden layer.
    pub const MAX_HIDDEN: usize = 128;

    /// The largest number of classes of progress of a compact network.
    pub const MAX_CLASSES: usize = 16;

    /// The hash of the first layer of every stacked network.
    const STACKED_FEATURES: u32 = 0x5F13_4AB8;

    /// The hash of each stack.
    const STACK: u32 = 0x6333_718A;

    /// The hash of the model of progress.
    pub(crate) const PROGRESS: u32 = 0x6F50_524F;

    /// Returns a classical architecture; `None` if a width is not supported.
    ///
    /// `width` is a multiple of 32 up to [`MAX_WIDTH`](Self::MAX_WIDTH); the hidden widths are
    /// multiples of 8 up to [`MAX_HIDDEN`](Self::MAX_HIDDEN).
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_nnue::{Architecture, FeatureSet};
    ///
    /// let most = Architecture::MAX_HIDDEN;
    /// assert!(Architecture::new(FeatureSet::HalfKp, 768, 16, most).is_some());
    /// assert!(Architecture::new(FeatureSet::HalfKp, 768, 16, most + 8).is_none());
    /// ```
    pub const fn new(
        features: FeatureSet,
        width: usize,
        hidden1: usize,
        hidden2: usize,
    ) -> Option<Self> {
        let hidden = [hidden1, hidden2];
        let architecture = Self { features, width, hidden, body: Body::Classical };
        if architecture.is_supported() { Some(architecture) } else { None }
    }

    /// Returns a compact architecture; `None` if a number is not supported.
    ///
    /// `width` is a multiple of 32 up to [`MAX_WIDTH`](Self::MAX_WIDTH), and `classes`, the number
    /// of classes of progress, at most [`MAX_CLASSES`](Self::MAX_CLASSES).
    pub const fn compact(width: usize, classes: usize) -> Option<Self> {
        let features = FeatureSet::ZoneKp;
        let hidden = [0, 0];
        let architecture = Self { features, width, hidden, body: Body::Compact(classes) };
        let is_width = width > 0 && width <= Self::MAX_WIDTH && width.is_multiple_of(32);
        let is_supported = is_width && classes > 0 && classes <= Self::MAX_CLASSES;
        if is_supported { Some(architecture) } else { None }
    }

    fn stacked(
        features: FeatureSet,
        width: usize,
        hidden: [usize; 2],
        stacks: StackChoice,
    ) -> Option<Self> {
        let architecture = Self { features, width, hidden, body: Body::Stacked(stacks) };
        let is_shape = architecture.is_supported() && width.is_multiple_of(64);
        (is_shape && features != FeatureSet::HalfKpE9).then_some(architecture)
    }

    const fn is_supported(self) -> bool {
        let [first, second] = self.hidden;
        // One output of the first hidden layer of a stack may go straight to the end.
        let first = first + self.shortcut();
        let is_width =
            self.width > 0 && self.width <= Self::MAX_WIDTH && self.width.is_multiple_of(32);
        is_width
            && (first > 0 && first <= Self::MAX_HIDDEN && first.is_multiple_of(8))
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

    /// The number of layer stacks of a stacked network.
    #[must_use]
    pub fn stacks(self) -> Option<usize> {
        self.stack_choice().map(StackChoice::count)
    }

    pub(crate) const fn stack_choice(self) -> Option<StackChoice> {
        match self.body {
            Body::Stacked(choice) => Some(choice),
            _ => None,
        }
    }

    /// Returns the number of output layers of a compact network, one for each class of progress.
    #[must_use]
    pub const fn classes(self) -> Option<usize> {
        match self.body {
            Body::Compact(classes) => Some(classes),
            _ => None,
        }
    }

    /// Returns whether the layers are those of a classical network.
    pub(crate) const fn is_classical(self) -> bool {
        matches!(self.body, Body::Classical)
    }

    /// The number of outputs of the first hidden layer that are added to the network's output: 0 or
    /// 1.
    pub(crate) const fn shortcut(self) -> usize {
        (matches!(self.body, Body::Stacked(_)) && self.hidden[0] % 8 == 7) as usize
    }

    /// Inputs and outputs of the dense layers, first to last.
    pub(crate) const fn layers(self) -> [(usize, usize); 3] {
        let [first, second] = self.hidden;
        match self.body {
            Body::Stacked(_) => {
                [(self.width, first + self.shortcut()), (2 * first, second), (second, 1)]
            }
            _ => [(2 * self.width, first), (first, second), (second, 1)],
        }
    }

    /// The hash of the first layer.
    pub(crate) const fn features_hash(self) -> u32 {
        match self.body {
            Body::Stacked(_) => Self::STACKED_FEATURES,
            _ => self.features.hash() ^ (2 * self.width) as u32,
        }
    }

    /// The hash of the dense layers.
    pub(crate) const fn layers_hash(self) -> u32 {
        const fn dense(before: u32, outputs: usize) -> u32 {
            0xCC03_DAE4_u32.wrapping_add(outputs as u32) ^ (before >> 1) ^ (before << 31)
        }
        const fn clipped(before: u32) -> u32 {
            before.wrapping_add(0x538D_24C7)
        }
        if matches!(self.body, Body::Stacked(_)) {
            return Self::STACK;
        }
        let input = 0xEC42_E90D ^ (2 * self.width) as u32;
        let first = clipped(dense(input, self.hidden[0]));
        dense(clipped(dense(first, self.hidden[1])), 1)
    }

    /// Returns the hash of a classical or stacked file with this architecture.
    #[must_use]
    pub const fn hash(self) -> u32 {
        let progress = match self.body {
            Body::Stacked(StackChoice { progress: 2.., .. }) => Self::PROGRESS,
            _ => 0,
        };
        self.features_hash() ^ self.layers_hash() ^ progress
    }

    /// Returns the text by which a file describes the architecture.
    #[must_use]
    pub fn description(self) -> String {
        let Self { features, width, hidden, .. } = self;
        match self.stacks() {
            None => description::describe_classical(features, width, hidden),
            Some(stacks) => {
                description::describe_stacked(features, width, &self.to_string(), stacks)
            }
        }
    }

    /// Returns the classical architectures with these hidden widths.
    fn with_hidden(first: usize, second: usize) -> impl Iterator<Item = Self> + Clone {
        FeatureSet::ALL.into_iter().flat_map(move |features| {
            let widths = (1..=Self::MAX_WIDTH / 32).map(|width| 32 * width);
            widths.filter_map(move |width| Self::new(features, width, first, second))
        })
    }

    /// The bytes of a classical file after the hash of the first layer.
    fn classical_len(self) -> u64 {
        let dense = |(inputs, outputs): (usize, usize)| outputs * (4 + padded(inputs));
        let layers: usize = self.layers().map(dense).iter().sum();
        (2 * self.width * (self.features.inputs() + 1) + 4 + layers) as u64
    }

    /// Finds the architecture of a file from its description and the hash of its first layer.
    ///
    /// The hash decides between what it distinguishes. The description tells the rest: the hidden
    /// widths, and sets of features with the same hash. Without a known description, the length of
    /// the file after that hash tells the hidden widths, if they are usual ones.
    pub(crate) fn detect(text: &str, features_hash: u32, left: u64) -> Option<Self> {
        let described = Described::parse(text);
        if let Some(name) = described.stacked {
            return name.parse().ok();
        }
        if features_hash == Self::STACKED_FEATURES {
            // The text is another program's. Lengths and hashes inside the file decide about the
            // guess.
            return SFNN_1536.parse().ok();
        }
        let Some([first, second]) = described.hidden else {
            return USUAL_HIDDEN
                .iter()
                .flat_map(|&[first, second]| Self::with_hidden(first, second))
                .find(|a| a.features_hash() == features_hash && a.classical_len() == left);
        };
        let candidates = Self::with_hidden(first, second);
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
        let Self { features, width, hidden: [first, second], body } = self;
        match body {
            Body::Classical => write!(f, "{features}_{width}x2-{first}-{second}"),
            Body::Stacked(stacks) => {
                write!(f, "sfnn_{features}_{width}_{first}_{second}{stacks}")
            }
            Body::Compact(classes) => write!(f, "compact_{width}x2_{classes}"),
        }
    }
}

impl FromStr for Architecture {
    type Err = UnknownArchitecture;

    fn from_str(name: &str) -> Result<Self, UnknownArchitecture> {
        let parsed = if let Some(rest) = name.strip_prefix("sfnn_") {
            parse_stacked(rest)
        } else if let Some(rest) = name.strip_prefix("compact_") {
            parse_compact(rest)
        } else {
            parse_classical(name)
        };
        parsed.ok_or_else(|| UnknownArchitecture { found: name.chars().take(64).collect() })
    }
}

/// Parses `FEATURES_WIDTHx2-FIRST-SECOND`.
fn parse_classical(name: &str) -> Option<Architecture> {
    let (features, widths) = name.split_once('_')?;
    let mut widths = widths.split('-');
    let width = widths.next()?.strip_suffix("x2")?.parse().ok()?;
    let first = widths.next()?.parse().ok()?;
    let second = widths.next()?.parse().ok()?;
    let is_end = widths.next().is_none();
    Architecture::new(FeatureSet::from_name(features)?, width, first, second).filter(|_| is_end)
}

/// Parses `FEATURES_WIDTH_FIRST_SECOND`, and classes.
fn parse_stacked(name: &str) -> Option<Architecture> {
    let mut parts = name.split('_');
    let features = FeatureSet::from_name(parts.next()?)?;
    let mut number = || parts.next()?.parse().ok();
    let width = number()?;
    let hidden = [number()?, number()?];
    Architecture::stacked(features, width, hidden, StackChoice::parse(parts)?)
}

/// Parses `WIDTHx2_CLASSES`.
fn parse_compact(name: &str) -> Option<Architecture> {
    let (width, classes) = name.split_once("x2_")?;
    Architecture::compact(width.parse().ok()?, classes.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classical_network_has_its_known_hashes() {
        let classical = Architecture::HALF_KP_256;
        assert_eq!(classical.hash(), 0x3E5A_A6EE);
        assert_eq!(classical.features_hash(), 0x5D69_D7B8);
        assert_eq!(classical.layers_hash(), 0x6333_7156);
        assert_eq!(classical.description().len(), 178);
    }

    #[test]
    fn names_descriptions_and_hashes_lead_back() {
        for features in FeatureSet::ALL {
            for (width, first, second) in [(256, 32, 32), (512, 8, 96), (1_024, 8, 64)] {
                let architecture = Architecture::new(features, width, first, second).unwrap();
                let (text, hash) = (architecture.description(), architecture.features_hash());
                assert_eq!(Architecture::detect(&text, hash, 0), Some(architecture), "{text}");
                assert_eq!(Architecture::detect(&text, 12_345, 0), Some(architecture), "{text}");
                assert_eq!(architecture.to_string().parse(), Ok(architecture));
            }
        }
        for name in ["sfnn_halfkahm2_1536_15_32_k3k3", "sfnn_ka2_128_16_32_hand4_progress8"] {
            let stacked: Architecture = name.parse().unwrap();
            assert_eq!(stacked.to_string(), name);
            assert_eq!(Architecture::detect(&stacked.description(), 0, 0), Some(stacked));
        }
        let compact = Architecture::compact(128, 8).unwrap();
        assert_eq!(compact.to_string().parse(), Ok(compact));
        let foreign = Architecture::detect("Features=HalfKA_hm[73305]", 0x5F13_4AB8, 0).unwrap();
        assert_eq!(foreign.to_string(), SFNN_1536);
        let sparse = "Features=K+P[1710->64x2],Network=AffineTransform[1<-8](ClippedReLU[8](\
                      AffineTransform[8<-16](ClippedReLU[16](AffineTransformSparseInput[16<-128](\
                      InputSlice[128(0:128)])))))";
        let small = Architecture::new(FeatureSet::KP, 64, 16, 8).unwrap();
        assert_eq!(Architecture::detect(sparse, small.features_hash(), 0), Some(small));
    }

    #[test]
    fn unknown_names_and_descriptions_are_refused() {
        for text in ["", "Features=", "Features=HalfKP(Friend)[125388->256x2],Network=Deep"] {
            let classical = Architecture::HALF_KP_256;
            let (hash, len) = (classical.features_hash(), classical.classical_len());
            assert_eq!(Architecture::detect(text, hash, 0), None);
            // The length of the file tells it.
            assert_eq!(len + 4 + 12 + 178, 64_217_066);
            assert_eq!(Architecture::detect(text, hash, len), Some(classical));
        }
        let long = "9".repeat(30);
        for name in [
            "",
            "halfkp",
            "halfkp_256x2-32",
            "halfkp_256x2-32-32-32",
            "halfkp_255x2-32-32",
            "halfkp_4096x2-32-32",
            &format!("halfkp_{long}x2-32-32"),
            "compact_128x2",
            "compact_128x2_0",
            "compact_100x2_8",
            "sfnn_halfkp_1024",
            "sfnn_halfkp_1024_9_32",
            "sfnn_halfkp_1024_15_32_k4k4",
        ] {
            assert!(name.parse::<Architecture>().is_err(), "{name}");
        }
    }
}
