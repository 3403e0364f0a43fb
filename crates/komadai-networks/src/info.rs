//! The facts of a network, with statistics of its layers.

use komadai_eval::Evaluator as _;
use komadai_nnue::{Architecture, DenseWeights, FileFacts, Inspector, Network, Nnue};
use serde::Serialize;

/// The facts of a network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NetworkInfo {
    /// The name of the architecture, as YaneuraOu's editions are called.
    pub architecture: String,
    /// The set of input features.
    pub features: String,
    /// The number of inputs of one view.
    pub inputs: usize,
    /// The width of the first layer, for one view.
    pub width: usize,
    /// The widths of the hidden layers; 0 in a compact network.
    pub hidden: [usize; 2],
    /// The number of stacks or classes, each with layers of its own.
    pub stacks: usize,
    /// The number of weights and biases.
    pub parameters: u64,
    /// The text by which the file describes the network.
    pub text: String,
    /// The text of a file of this architecture.
    pub true_text: String,
    /// The divisor of the output; `None` if the network gives centipawns.
    pub fv_scale: Option<i32>,
    /// The place that the divisor comes from.
    pub scale_source: String,
    /// The size of the centipawn: the spread of the values on positions of real games, in terms of
    /// that of the bundled network ([`Evaluator::scale`](komadai_eval::Evaluator::scale)).
    pub centipawn: f64,
    /// Contradictions and gaps of the file, a sentence each.
    pub doubts: Vec<String>,
    /// The header of the file.
    pub file: Option<FileHeader>,
    /// Statistics of the layers, first to last.
    pub layers: Vec<LayerStatistics>,
}

/// The header of a file, hashes as eight hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileHeader {
    /// The length of the file in bytes.
    pub bytes: u64,
    /// The version.
    pub version: String,
    /// The hash of the whole network, and the usual one.
    pub hash: [String; 2],
}

/// Statistics of the parameters of a layer, of all stacks together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LayerStatistics {
    /// The name of the layer.
    pub layer: &'static str,
    /// Its biases.
    pub biases: Option<Distribution>,
    /// Its weights.
    pub weights: Distribution,
}

/// The distribution of numbers of a limited size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Distribution {
    /// The number of them.
    pub count: u64,
    /// The smallest.
    pub min: i32,
    /// The largest.
    pub max: i32,
    /// The mean size.
    pub mean_size: f64,
    /// The share of zeros.
    pub zeros: f64,
    /// The share of numbers at the ends of their type (±32,767 or ±127, and one below); 0 for those
    /// of 32 bits.
    pub at_limit: f64,
}

impl Distribution {
    fn of<T: Copy + Into<i32>>(numbers: impl Iterator<Item = T>, limit: i32) -> Option<Self> {
        let (mut count, mut zeros, mut at_limit, mut size) = (0_u64, 0_u64, 0_u64, 0_u64);
        let (mut min, mut max) = (i32::MAX, i32::MIN);
        for number in numbers {
            let number: i32 = number.into();
            count += 1;
            (min, max) = (min.min(number), max.max(number));
            size += u64::from(number.unsigned_abs());
            zeros += u64::from(number == 0);
            at_limit += u64::from(number.unsigned_abs() >= limit.unsigned_abs());
        }
        let share = |part: u64| part as f64 / count as f64;
        (count > 0).then(|| Self {
            count,
            min,
            max,
            mean_size: share(size),
            zeros: share(zeros),
            at_limit: share(at_limit),
        })
    }
}

/// Returns the facts of a network.
///
/// # Examples
///
/// ```
/// use komadai_networks::network_info;
/// use komadai_nnue::{Network, Nnue};
///
/// let info = network_info(&Nnue::new(Network::random("halfkp_32x2-8-8".parse()?, 1)));
/// assert_eq!((info.architecture.as_str(), info.inputs), ("halfkp_32x2-8-8", 125_388));
/// assert_eq!(info.layers[0].weights.count, 32 * 125_388);
/// assert!(info.doubts.is_empty());
/// # Ok::<(), komadai_nnue::UnknownArchitecture>(())
/// ```
pub fn network_info(nnue: &Nnue) -> NetworkInfo {
    let network = nnue.network();
    let (architecture, facts) = (network.architecture(), network.facts());
    let is_compact = architecture.classes().is_some();
    let layers = layers(network);
    let parameters = layers
        .iter()
        .map(|layer| layer.weights.count + layer.biases.as_ref().map_or(0, |biases| biases.count));
    NetworkInfo {
        architecture: architecture.to_string(),
        features: architecture.features().to_string(),
        inputs: architecture.features().inputs(),
        width: architecture.width(),
        hidden: architecture.hidden(),
        stacks: architecture.stacks().or(architecture.classes()).unwrap_or(1),
        parameters: parameters.sum(),
        text: facts.text.clone(),
        true_text: if is_compact { facts.text.clone() } else { architecture.description() },
        fv_scale: (!is_compact).then(|| nnue.fv_scale()),
        scale_source: if is_compact {
            "none is needed".into()
        } else {
            nnue.scale_source().to_string()
        },
        centipawn: nnue.scale(),
        doubts: facts.doubts.iter().map(ToString::to_string).collect(),
        file: facts.file.map(|file| FileHeader::of(&file, architecture)),
        layers,
    }
}

impl FileHeader {
    fn of(file: &FileFacts, architecture: Architecture) -> Self {
        let hex = |number: u32| format!("{number:08X}");
        let usual = if architecture.classes().is_some() { 0 } else { architecture.hash() };
        Self { bytes: file.len, version: hex(file.version), hash: [hex(file.hash), hex(usual)] }
    }
}

fn layers(network: &Network) -> Vec<LayerStatistics> {
    let inspector = Inspector::new(network);
    let mut layers = Vec::new();
    let mut add = |layer, biases, weights: Option<Distribution>| {
        layers.extend(weights.map(|weights| LayerStatistics { layer, biases, weights }));
    };
    let sixteen = i32::from(i16::MAX);
    let [biases, weights] = inspector.first_layer();
    let of = |numbers: &[i16]| Distribution::of(numbers.iter().copied(), sixteen);
    add("first layer", of(&biases), of(&weights));
    let stacks = inspector.dense_layers();
    let names = ["first hidden layer", "second hidden layer", "output"];
    for (layer, name) in names.into_iter().enumerate() {
        let parts = || stacks.iter().map(|stack: &[DenseWeights; 3]| &stack[layer]);
        let biases = parts().flat_map(|part| part.biases.iter().copied());
        let weights = parts().flat_map(|part| part.weights.iter().copied());
        add(
            name,
            Distribution::of(biases, i32::MAX),
            Distribution::of(weights, i32::from(i8::MAX)),
        );
    }
    if let Some(weights) = inspector.compact_weights() {
        add("output", None, Distribution::of(weights.iter().copied(), i32::from(i8::MAX)));
    }
    if let Some(values) = inspector.psqt() {
        add("values of pieces", None, Distribution::of(values.iter().copied(), i32::MAX));
    }
    layers
}
