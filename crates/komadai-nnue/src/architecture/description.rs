//! The texts by which files describe architectures.

use core::fmt;

use crate::feature_set::FeatureSet;

/// The start of the description of a stacked network.
const STACKED: &str = "ModelType=SFNNWithoutPsqt;";

/// The names of the usual stacked network that are short.
const SHORT: [&str; 2] = ["sfnn-1536", "sfnn-1536-v2"];

/// The whole name of the usual stacked network.
const SFNN_1536: &str = "sfnn_halfkahm2_1536_15_32_k3k3";

/// The words of descriptions whose networks compute something else with the same bytes, or have
/// inputs of their own.
const OTHER_KINDS: [&str; 6] =
    ["Factorizer", "ThreatProfile=", "Threat=", "EffectBucket=", "-SCReLU", "-Pairwise"];

/// Returns the start of the text that programs write: the first layer.
fn describe_features(name: &str, inputs: usize, width: usize) -> String {
    format!("Features={name}[{inputs}->{width}x2],")
}

/// Returns the text of a classical network: the layers, the last one first.
pub(super) fn describe_classical(features: FeatureSet, width: usize, hidden: [usize; 2]) -> String {
    let ([first, second], inputs) = (hidden, 2 * width);
    format!(
        "{}Network=AffineTransform[1<-{second}](ClippedReLU[{second}](\
         AffineTransform[{second}<-{first}](ClippedReLU[{first}](\
         AffineTransform[{first}<-{inputs}](InputSlice[{inputs}(0:{inputs})])))))",
        describe_features(features.description(), features.inputs(), width),
    )
}

/// Returns the text of a stacked network.
pub(super) fn describe_stacked(
    features: FeatureSet,
    width: usize,
    name: &str,
    stacks: usize,
) -> String {
    let start = describe_features(features.description(), features.inputs(), width);
    format!("{STACKED}{start}Network={}{{LayerStack={stacks}}}", name.to_uppercase())
}

/// Returns the text of a LayerStack network, with the number of its stacks if they have values of
/// the pieces.
pub(super) fn describe_layer_stack(
    features: FeatureSet,
    width: usize,
    [first, second]: [usize; 2],
    psqt: Option<usize>,
) -> String {
    let (outputs, seen, inputs) = (first + 1, 2 * first, 2 * width);
    format!(
        "{}{}Network=AffineTransform[1<-{second}](ClippedReLU[{second}](\
         AffineTransform[{second}<-{seen}](SqrClippedReLU[{seen}](\
         AffineTransform[{outputs}<-{inputs}](InputSlice[{inputs}(0:{inputs})])))))",
        describe_features(features.layer_stack_description(), features.inputs(), width),
        psqt.map_or_else(String::new, |stacks| format!("PSQT={stacks},")),
    )
}

/// The parts of a description, as far as they are understood. They may be wrong: many files have a
/// description that a trainer copied from another network.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Described {
    pub(crate) features: Option<FeatureSet>,
    pub(crate) width: Option<usize>,
    /// The outputs of the hidden layers.
    pub(crate) hidden: Option<[usize; 2]>,
    /// The name of a stacked architecture.
    pub(crate) stacked: Option<String>,
    /// True if values of the pieces are mentioned.
    pub(crate) has_psqt: bool,
    /// A word for something that is not evaluated.
    pub(crate) other_kind: Option<&'static str>,
}

impl Described {
    /// Parses `Features=NAME[INPUTS->WIDTHx2],Network=…AffineTransform[OUTPUTS<-INPUTS]…`, or
    /// `…Network=NAME{LayerStack=N}` for a stacked network.
    pub(crate) fn parse(text: &str) -> Self {
        let mut described = Self::default();
        if let Some(text) = text.strip_prefix(STACKED) {
            let network = text.split_once("Network=").map_or("", |(_, network)| network);
            let name = network.split('{').next().unwrap_or_default().to_lowercase();
            let name = if SHORT.contains(&&*name) { SFNN_1536.to_owned() } else { name };
            return Self { stacked: Some(name), ..described };
        }
        described.other_kind = OTHER_KINDS.into_iter().find(|word| text.contains(word));
        described.has_psqt = text.contains("PSQT=");
        if let Some((name, rest)) =
            text.strip_prefix("Features=").and_then(|rest| rest.split_once('['))
        {
            described.features = FeatureSet::from_description(name);
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

/// The shape that the text describes, for messages: `halfkp 256x2-32-32`.
impl fmt::Display for Described {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.stacked {
            let name: String = name.chars().take(100).collect();
            return f.write_str(&name);
        }
        let mut separator = "";
        if let Some(features) = self.features {
            write!(f, "{features}")?;
            separator = " ";
        }
        if let Some(width) = self.width {
            write!(f, "{separator}{width}x2")?;
        }
        match self.hidden {
            Some([first, second]) => write!(f, "-{first}-{second}"),
            None => Ok(()),
        }
    }
}
