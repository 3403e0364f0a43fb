//! The texts by which files describe architectures.

use crate::feature_set::FeatureSet;

/// The start of the description of a stacked network.
const STACKED: &str = "ModelType=SFNNWithoutPsqt;";

/// Returns the start of the text that programs write: the first layer.
pub(super) fn describe_features(features: FeatureSet, width: usize) -> String {
    let name = features.description();
    let inputs = features.inputs();
    format!("Features={name}[{inputs}->{width}x2],Network=")
}

/// Returns the text of a classical network: the layers, the last one first.
pub(super) fn describe_classical(features: FeatureSet, width: usize, hidden: [usize; 2]) -> String {
    let ([first, second], inputs) = (hidden, 2 * width);
    format!(
        "{}AffineTransform[1<-{second}](ClippedReLU[{second}](AffineTransform[{second}<-{first}](\
         ClippedReLU[{first}](AffineTransform[{first}<-{inputs}](InputSlice[{inputs}(0:{inputs})])))))",
        describe_features(features, width),
    )
}

/// Returns the text of a stacked network.
pub(super) fn describe_stacked(
    features: FeatureSet,
    width: usize,
    name: &str,
    stacks: usize,
) -> String {
    let start = describe_features(features, width);
    format!("{STACKED}{start}{}{{LayerStack={stacks}}}", name.to_uppercase())
}

/// The parts of a description, as far as they are understood.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Described {
    pub(super) features: Option<FeatureSet>,
    pub(super) width: Option<usize>,
    pub(super) hidden: Option<[usize; 2]>,
    /// The name of a stacked architecture.
    pub(super) stacked: Option<String>,
}

impl Described {
    /// Parses `Features=NAME[INPUTS->WIDTHx2],Network=…AffineTransform[OUTPUTS<-INPUTS]…`, or
    /// `…Network=NAME{LayerStack=N}` for a stacked network.
    pub(super) fn parse(text: &str) -> Self {
        let mut described = Self::default();
        if let Some(text) = text.strip_prefix(STACKED) {
            let network = text.split_once("Network=").map_or("", |(_, network)| network);
            let name = network.split('{').next().unwrap_or_default().to_lowercase();
            // The one that has a short name.
            let is_short = name == "sfnn-1536";
            let name = if is_short { "sfnn_halfkahm2_1536_15_32_k3k3".to_owned() } else { name };
            return Self { stacked: Some(name), ..described };
        }
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
