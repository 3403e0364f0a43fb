//! The shapes of networks, their names and hashes.

mod description;

use core::fmt;
use core::str::FromStr;

use crate::feature_set::FeatureSet;
use crate::layer_stacks::LayerStacks;
use crate::shards::Shards;
use crate::stack_choice::StackChoice;
use crate::stack_rule::StackRule;

pub(crate) use description::Described;

/// The shape of a network: its features and the widths of its layers.
///
/// The first layer gives `width` numbers for each of the two views. Two hidden layers and one
/// output follow. In a *classical* network they see the numbers clipped. A *stacked* network (SFNN)
/// has several copies of them for classes of positions, which see products of pairs of numbers; so
/// has a *LayerStack* network of rshogi and tatara, whose file has another form. A
/// *compact* network, the format of this project, has no hidden layers: the output is a sum of
/// squares, one for each class of progress, added to the material balance.
///
/// [`Display`](fmt::Display) and [`FromStr`] use the names of YaneuraOu's editions, such as
/// `halfkp_256x2-32-32` and `sfnn_halfkahm2_1536_15_32_k3k3`; a LayerStack network is called
/// `layerstack_halfkahm2_1536_16_32_x9_progress8kpabs`.
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
    /// With layer stacks for classes of positions, as YaneuraOu writes them.
    Stacked {
        choice: StackChoice,
        shards: Option<Shards>,
    },
    /// With layer stacks as rshogi and tatara write them.
    LayerStack(LayerStacks),
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

/// The hidden widths of usual stacked networks.
const USUAL_STACKS: [[usize; 2]; 4] = [[15, 32], [7, 64], [7, 32], [15, 64]];

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

    /// The largest width of the first layer, for one view: that of stacked networks.
    pub const MAX_WIDTH: usize = 8_192;

    /// The largest width of the first layer of a classical network.
    pub const MAX_CLASSICAL_WIDTH: usize = 4_096;

    /// The largest width of the first layer of a compact network.
    pub const MAX_COMPACT_WIDTH: usize = 2_048;

    /// The smallest width of the first layer of a stacked network.
    const MIN_STACKED_WIDTH: usize = 16;

    /// The largest width of a hidden layer: that of classical networks.
    pub const MAX_HIDDEN: usize = 256;

    /// The largest width of a hidden layer of a stacked network.
    pub(crate) const MAX_STACKED_HIDDEN: usize = 128;

    /// The largest number of stacks of a LayerStack network.
    pub(crate) const MAX_LAYER_STACKS: usize = 64;

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
    /// `width` is a multiple of 32 up to [`MAX_CLASSICAL_WIDTH`](Self::MAX_CLASSICAL_WIDTH); the
    /// hidden widths are multiples of 8 up to [`MAX_HIDDEN`](Self::MAX_HIDDEN).
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_nnue::{Architecture, FeatureSet};
    ///
    /// let most = Architecture::MAX_HIDDEN;
    /// assert!(Architecture::new(FeatureSet::HalfKp, 768, 16, most).is_some());
    /// assert!(Architecture::new(FeatureSet::HalfKp, 768, 16, most + 8).is_none());
    /// let widest = Architecture::MAX_CLASSICAL_WIDTH;
    /// assert!(Architecture::new(FeatureSet::HalfKp, widest, 16, 64).is_some());
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
    /// `width` is a multiple of 32 up to [`MAX_COMPACT_WIDTH`](Self::MAX_COMPACT_WIDTH), and
    /// `classes`, the number of classes of progress, at most [`MAX_CLASSES`](Self::MAX_CLASSES).
    pub const fn compact(width: usize, classes: usize) -> Option<Self> {
        let features = FeatureSet::ZoneKp;
        let hidden = [0, 0];
        let architecture = Self { features, width, hidden, body: Body::Compact(classes) };
        let is_width = width > 0 && width <= Self::MAX_COMPACT_WIDTH && width.is_multiple_of(32);
        let is_supported = is_width && classes > 0 && classes <= Self::MAX_CLASSES;
        if is_supported { Some(architecture) } else { None }
    }

    /// Returns a stacked architecture; `None` if a number is not supported.
    ///
    /// `width` is an even number up to [`MAX_WIDTH`](Self::MAX_WIDTH). One more output of the first
    /// hidden layer is added to the network's output if its width is one less than a multiple of 8.
    pub(crate) fn stacked(
        features: FeatureSet,
        width: usize,
        hidden: [usize; 2],
        choice: StackChoice,
        shards: Option<Shards>,
    ) -> Option<Self> {
        let body = Body::Stacked { choice, shards };
        let architecture = Self { features, width, hidden, body };
        let [first, ..] = architecture.layers();
        let fits = shards.is_none_or(|shards| shards.fits(first));
        (architecture.is_supported() && fits).then_some(architecture)
    }

    /// Returns the architecture of a LayerStack file; `None` if a number is not supported.
    pub(crate) fn layer_stack(
        features: FeatureSet,
        width: usize,
        [outputs, second]: [usize; 2],
        stacks: LayerStacks,
    ) -> Option<Self> {
        let hidden = [outputs.checked_sub(1)?, second];
        let architecture = Self { features, width, hidden, body: Body::LayerStack(stacks) };
        let is_count = stacks.count > 0 && stacks.count <= Self::MAX_LAYER_STACKS;
        (architecture.is_supported() && architecture.shortcut() == 1 && is_count)
            .then_some(architecture)
    }

    /// Returns whether this is a width of the first layer of a stacked network.
    pub(crate) const fn is_stacked_width(width: usize) -> bool {
        width >= Self::MIN_STACKED_WIDTH && width <= Self::MAX_WIDTH && width.is_multiple_of(2)
    }

    const fn is_supported(self) -> bool {
        let [first, second] = self.hidden;
        // One output of the first hidden layer of a stack may go straight to the end.
        let first = first + self.shortcut();
        let (is_width, most) = match self.body {
            Body::Stacked { .. } | Body::LayerStack(_) => {
                let has_set = !matches!(self.features, FeatureSet::HalfKpE9);
                (Self::is_stacked_width(self.width) && has_set, Self::MAX_STACKED_HIDDEN)
            }
            _ => {
                let is_width = self.width > 0 && self.width <= Self::MAX_CLASSICAL_WIDTH;
                (is_width && self.width.is_multiple_of(32), Self::MAX_HIDDEN)
            }
        };
        is_width
            && (first > 0 && first <= most && first.is_multiple_of(8))
            && (second > 0 && second <= most && second.is_multiple_of(8))
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
        match self.body {
            Body::Stacked { choice, .. } => Some(choice.count()),
            Body::LayerStack(stacks) => Some(stacks.count),
            _ => None,
        }
    }

    /// The rule that chooses among the stacks of a LayerStack network.
    #[must_use]
    pub const fn stack_rule(self) -> Option<StackRule> {
        match self.body {
            Body::LayerStack(stacks) => Some(stacks.rule),
            _ => None,
        }
    }

    pub(crate) const fn stack_choice(self) -> Option<StackChoice> {
        match self.body {
            Body::Stacked { choice, .. } => Some(choice),
            _ => None,
        }
    }

    pub(crate) const fn layer_stacks(self) -> Option<LayerStacks> {
        match self.body {
            Body::LayerStack(stacks) => Some(stacks),
            _ => None,
        }
    }

    /// The part of the inputs that each output of the first hidden layer sees, if not all.
    pub(crate) const fn shards(self) -> Option<Shards> {
        match self.body {
            Body::Stacked { shards, .. } => shards,
            _ => None,
        }
    }

    /// Returns whether a piece that has been removed from the game is a feature.
    pub(crate) const fn has_missing_pieces(self) -> bool {
        !matches!(self.body, Body::LayerStack(_))
    }

    /// The width of the first layer in memory: both halves of a stacked network are rounded up to
    /// what vector instructions take.
    pub(crate) const fn stored_width(self) -> usize {
        if self.is_stacked() { 2 * (self.width / 2).next_multiple_of(32) } else { self.width }
    }

    /// Returns the number of output layers of a compact network, one for each class of progress.
    #[must_use]
    pub const fn classes(self) -> Option<usize> {
        match self.body {
            Body::Compact(classes) => Some(classes),
            _ => None,
        }
    }

    /// Returns whether the layers are stacks for classes of positions.
    pub(crate) const fn is_stacked(self) -> bool {
        matches!(self.body, Body::Stacked { .. } | Body::LayerStack(_))
    }

    /// Returns whether the layers are those of a classical network.
    pub(crate) const fn is_classical(self) -> bool {
        matches!(self.body, Body::Classical)
    }

    /// The number of outputs of the first hidden layer that are added to the network's output: 0 or
    /// 1.
    pub(crate) const fn shortcut(self) -> usize {
        (self.is_stacked() && self.hidden[0] % 8 == 7) as usize
    }

    /// Inputs and outputs of the dense layers, first to last.
    pub(crate) const fn layers(self) -> [(usize, usize); 3] {
        let [first, second] = self.hidden;
        if self.is_stacked() {
            [(self.width, first + self.shortcut()), (2 * first, second), (second, 1)]
        } else {
            [(2 * self.width, first), (first, second), (second, 1)]
        }
    }

    /// The outputs of both hidden layers, as a description names them.
    pub(crate) const fn layer_outputs(self) -> [usize; 2] {
        let [(_, first), (_, second), _] = self.layers();
        [first, second]
    }

    /// The hash of the first layer.
    pub(crate) const fn features_hash(self) -> u32 {
        match self.body {
            Body::Stacked { .. } => Self::STACKED_FEATURES,
            Body::LayerStack(_) => self.features.layer_stack_hash() ^ (2 * self.width) as u32,
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
        let input = 0xEC42_E90D ^ (2 * self.width) as u32;
        let first = match self.body {
            Body::Stacked { .. } => return Self::STACK,
            // The products of the first layer count as its outputs.
            Body::LayerStack(_) => clipped(dense(input, self.width)),
            _ => clipped(dense(input, self.hidden[0])),
        };
        dense(clipped(dense(first, self.hidden[1])), 1)
    }

    /// Returns the hash of a classical or stacked file with this architecture.
    #[must_use]
    pub const fn hash(self) -> u32 {
        let progress = match self.body {
            Body::Stacked { choice: StackChoice { progress: 2.., .. }, .. } => Self::PROGRESS,
            _ => 0,
        };
        self.features_hash() ^ self.layers_hash() ^ progress
    }

    /// Returns the text by which a file describes the architecture.
    #[must_use]
    pub fn description(self) -> String {
        let Self { features, width, hidden, .. } = self;
        match self.body {
            Body::Stacked { choice, .. } => {
                description::describe_stacked(features, width, &self.to_string(), choice.count())
            }
            Body::LayerStack(stacks) => {
                let psqt = stacks.has_psqt.then_some(stacks.count);
                description::describe_layer_stack(features, width, hidden, psqt)
            }
            _ => description::describe_classical(features, width, hidden),
        }
    }

    /// Returns the classical architectures with these inputs of the dense layers.
    pub(crate) fn with_first_layer(
        features: FeatureSet,
        width: usize,
    ) -> impl Iterator<Item = Self> {
        let hidden = || (1..=Self::MAX_HIDDEN / 8).map(|width| 8 * width);
        hidden().flat_map(move |first| {
            hidden().filter_map(move |second| Self::new(features, width, first, second))
        })
    }

    /// Returns the first layers of classical networks whose weights take at most this many bytes.
    pub(crate) fn first_layers(bytes: u64) -> impl Iterator<Item = (FeatureSet, usize)> {
        FeatureSet::ALL.into_iter().flat_map(move |features| {
            let widths = (1..=Self::MAX_CLASSICAL_WIDTH / 32).map(|width| 32 * width);
            let fits = move |width: &usize| Self::first_layer_len(features, *width) <= bytes;
            widths.take_while(fits).map(move |width| (features, width))
        })
    }

    /// The bytes of the weights of the first layer of a classical network.
    pub(crate) const fn first_layer_len(features: FeatureSet, width: usize) -> u64 {
        (2 * width * (features.inputs() + 1)) as u64
    }

    /// The bytes of the dense layers, with the hash before them.
    pub(crate) fn layers_len(self) -> u64 {
        let dense = |(inputs, outputs): (usize, usize)| outputs * (4 + padded(inputs));
        4 + self.layers().map(dense).iter().sum::<usize>() as u64
    }

    /// The usual divisor of the output.
    pub(crate) const fn usual_scale(self) -> i32 {
        match self.body {
            // That of tatara for the usual target of training, where nothing else is stated.
            Body::LayerStack(_) => 28,
            _ => 16,
        }
    }

    /// Returns whether the hidden widths are those of networks that people play with.
    pub(crate) fn has_usual_layers(self) -> bool {
        match self.body {
            Body::Classical => USUAL_HIDDEN.contains(&self.hidden),
            _ => USUAL_STACKS.contains(&self.hidden),
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { features, width, hidden: [first, second], body } = self;
        match body {
            Body::Classical => write!(f, "{features}_{width}x2-{first}-{second}"),
            Body::Stacked { choice, shards } => {
                write!(f, "sfnn_{features}_{width}_{first}_{second}")?;
                shards.iter().try_for_each(|shards| write!(f, "{shards}"))?;
                write!(f, "{choice}")
            }
            Body::LayerStack(stacks) => {
                write!(f, "layerstack_{features}_{width}_{}_{second}{stacks}", first + 1)
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
        } else if let Some(rest) = name.strip_prefix("layerstack_") {
            parse_layer_stack(rest)
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

/// Parses `FEATURES_WIDTH_FIRST_SECOND`, shards, and classes.
fn parse_stacked(name: &str) -> Option<Architecture> {
    let mut parts = name.split('_').peekable();
    let features = FeatureSet::from_name(parts.next()?)?;
    let mut number = || parts.next()?.parse().ok();
    let width = number()?;
    let hidden = [number()?, number()?];
    let is_common = |part: &&str| part.strip_prefix('c').is_some_and(|c| c.parse::<u32>().is_ok());
    let shards = match parts.next_if(is_common) {
        Some(common) => Some(Shards::parse(common, parts.next()?)?),
        None => None,
    };
    Architecture::stacked(features, width, hidden, StackChoice::parse(parts)?, shards)
}

/// Parses `FEATURES_WIDTH_OUTPUTS_SECOND`, and the stacks.
fn parse_layer_stack(name: &str) -> Option<Architecture> {
    let mut parts = name.split('_');
    let features = FeatureSet::from_name(parts.next()?)?;
    let mut number = || parts.next()?.parse().ok();
    let width = number()?;
    let hidden = [number()?, number()?];
    Architecture::layer_stack(features, width, hidden, LayerStacks::parse(parts)?)
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
    fn names_lead_back() {
        for features in FeatureSet::ALL {
            for (width, first, second) in [(256, 32, 32), (4_096, 8, 256)] {
                let architecture = Architecture::new(features, width, first, second).unwrap();
                assert_eq!(architecture.to_string().parse(), Ok(architecture));
            }
        }
        for name in [
            "sfnn_halfkahm2_1536_15_32_k3k3",
            "sfnn_ka2_128_16_32_hand4_progress8",
            "sfnn_halfkp_18_7_8",
            "sfnn_halfka2_3072_7_64_c1024_s256x8_k3k3",
            "sfnn_ka2_8192_7_64_c0_s1024x8_k3k3",
            "layerstack_halfkahm2_1536_16_32_x9_progress8kpabs",
            "layerstack_halfkp_64_8_8_x3_kingrank9_psqt",
        ] {
            let stacked: Architecture = name.parse().unwrap();
            assert_eq!(stacked.to_string(), name);
        }
        let compact = Architecture::compact(128, 8).unwrap();
        assert_eq!(compact.to_string().parse(), Ok(compact));
    }

    #[test]
    fn unknown_names_are_refused() {
        let long = "9".repeat(30);
        for name in [
            "",
            "halfkp",
            "halfkp_256x2-32",
            "halfkp_256x2-32-32-32",
            "halfkp_255x2-32-32",
            "halfkp_4128x2-32-32",
            "halfkp_256x2-264-32",
            &format!("halfkp_{long}x2-32-32"),
            "compact_128x2",
            "compact_128x2_0",
            "compact_100x2_8",
            "sfnn_halfkp_1024",
            "sfnn_halfkp_1024_9_32",
            "sfnn_halfkp_1024_15_32_k4k4",
            "sfnn_halfkp_1023_15_32_k3k3",
            "sfnn_halfkp_8194_15_32_k3k3",
            "sfnn_halfkpe9_1024_15_32_k3k3",
            "sfnn_halfkp_1024_15_32_c512_s64x4_k3k3",
            "sfnn_halfkp_1024_15_32_c512_s64",
            "sfnn_halfkp_1024_15_32_c32_s124x8",
            "sfnn_halfkp_1024_15_32_c1024_s0x8",
            "layerstack_halfkp_1024_15_32_x9_kingrank9",
            "layerstack_halfkp_1024_16_32_x65_kingrank9",
            "layerstack_halfkp_1024_16_32_x9_k3k3",
            "layerstack_halfkp_1024_16_32_x9",
        ] {
            assert!(name.parse::<Architecture>().is_err(), "{name}");
        }
    }
}
