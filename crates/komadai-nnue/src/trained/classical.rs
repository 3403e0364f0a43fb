//! The weights of a classical network, as a trainer makes them.

use crate::aligned::Aligned;
use crate::architecture::{Architecture, padded};
use crate::dense::Dense;
use crate::layers::Layers;
use crate::network::{Network, Parameters};

/// The quantised weights of a classical network; [`Network::try_from`] checks their numbers.
///
/// The output for the side to move, before the division by [`FV_SCALE`](crate::Nnue::FV_SCALE), is
///
/// ```text
/// sums     = biases + Σ weights of the features              for each view, 127 for 1.0, of 16 bits
/// inputs   = sums clipped to 0 … 127                         the view of the side to move first
/// hidden 1 = (biases + Σ weight · input) / 64                clipped to 0 … 127, rounded down
/// hidden 2 = (biases + Σ weight · hidden 1) / 64             the same
/// output   = bias + Σ weight · hidden 2
/// ```
///
/// Sums wrap around: a trainer keeps them in their range.
///
/// # Examples
///
/// A network that knows nothing but that the side to move is ahead by a pawn:
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::Evaluator;
/// use komadai_nnue::{Architecture, ClassicalWeights, DenseWeights, FeatureSet, Network, Nnue};
///
/// let architecture = Architecture::new(FeatureSet::HalfKp, 32, 8, 8).expect("usual widths");
/// let zero = |inputs: usize, outputs: usize| DenseWeights {
///     biases: vec![0; outputs],
///     weights: vec![0; inputs * outputs],
/// };
/// let weights = ClassicalWeights {
///     architecture,
///     origin: "by hand".to_owned(),
///     biases: vec![0; 32],
///     weights: vec![0; 32 * architecture.features().inputs()],
///     layers: [zero(64, 8), zero(8, 8), DenseWeights { biases: vec![90 * 16], weights: vec![0; 8] }],
/// };
/// let nnue = Nnue::new(Network::try_from(weights)?);
/// assert_eq!(nnue.evaluate_position(&Position::hirate()).raw(), 100);
/// # Ok::<(), komadai_nnue::ClassicalWeightsError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassicalWeights {
    /// The shape of the network, a classical one.
    pub architecture: Architecture,
    /// The origin of the weights: data, trainer, seed. It follows the description of the
    /// architecture in a file, where other programs ignore it.
    pub origin: String,
    /// `[output]`: biases of the first layer.
    pub biases: Vec<i16>,
    /// `[feature][output]`: weights of the first layer.
    pub weights: Vec<i16>,
    /// The dense layers, first to last.
    pub layers: [DenseWeights; 3],
}

/// The weights of a dense layer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DenseWeights {
    /// `[output]`, in units of the products of inputs and weights.
    pub biases: Vec<i32>,
    /// `[output][input]`.
    pub weights: Vec<i8>,
}

/// An error in the weights of a classical network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClassicalWeightsError {
    /// The architecture is that of another kind of networks.
    #[error("found the architecture {found}, expected a classical one")]
    Architecture {
        /// The architecture.
        found: Architecture,
    },
    /// A list of weights has another length than the architecture requires.
    #[error("found {found} {what}, expected {expected}")]
    Length {
        /// The list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that it should have.
        expected: usize,
    },
}

/// The biases and weights of a dense layer in messages.
const LAYERS: [[&str; 2]; 3] = [
    ["biases of the first hidden layer", "weights of the first hidden layer"],
    ["biases of the second hidden layer", "weights of the second hidden layer"],
    ["biases of the output layer", "weights of the output layer"],
];

impl TryFrom<ClassicalWeights> for Network {
    type Error = ClassicalWeightsError;

    fn try_from(weights: ClassicalWeights) -> Result<Self, ClassicalWeightsError> {
        let architecture = weights.architecture;
        if !architecture.is_classical() {
            return Err(ClassicalWeightsError::Architecture { found: architecture });
        }
        let check = |what, found, expected| match found == expected {
            true => Ok(()),
            false => Err(ClassicalWeightsError::Length { what, found, expected }),
        };
        let width = architecture.width();
        let inputs = architecture.features().inputs();
        check("biases of the first layer", weights.biases.len(), width)?;
        check("weights of the first layer", weights.weights.len(), inputs * width)?;
        let shapes = architecture.layers();
        for ((layer, (inputs, outputs)), [biases, rows]) in
            weights.layers.iter().zip(shapes).zip(LAYERS)
        {
            check(biases, layer.biases.len(), outputs)?;
            check(rows, layer.weights.len(), inputs * outputs)?;
        }
        let [first, second, last] = &weights.layers;
        let layers = [
            dense(first, architecture.layers()[0].0),
            dense(second, architecture.layers()[1].0),
            dense(last, architecture.layers()[2].0),
        ];
        let parameters = Parameters {
            biases: Aligned::from_slice(&weights.biases),
            weights: Aligned::from_slice(&weights.weights).into(),
            layers: Layers::Classical(Box::new(layers)),
        };
        let mut description = architecture.description();
        if !weights.origin.is_empty() {
            description = format!("{description},Origin={}", weights.origin);
        }
        Ok(Self::from_parameters(architecture, description, parameters))
    }
}

/// Arranges the weights of a layer, whose rows are padded in files.
fn dense(layer: &DenseWeights, inputs: usize) -> Dense {
    let mut rows = vec![0; layer.biases.len() * padded(inputs)];
    let padded_rows = rows.chunks_exact_mut(padded(inputs));
    for (to, from) in padded_rows.zip(layer.weights.chunks_exact(inputs)) {
        to[..inputs].copy_from_slice(from);
    }
    Dense::from_rows(inputs, &layer.biases, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature_set::FeatureSet;

    fn weights() -> ClassicalWeights {
        let architecture = Architecture::new(FeatureSet::KP, 32, 16, 8).unwrap();
        let layer = |(inputs, outputs): (usize, usize)| DenseWeights {
            biases: (0..outputs as i32).map(|at| 100 * at - 300).collect(),
            weights: (0..inputs * outputs).map(|at| (at * 37 % 251) as u8 as i8).collect(),
        };
        ClassicalWeights {
            architecture,
            origin: "a test".to_owned(),
            biases: (0..32).collect(),
            weights: (0..32 * FeatureSet::KP.inputs()).map(|at| (at % 61) as i16).collect(),
            layers: architecture.layers().map(layer),
        }
    }

    #[test]
    fn files_hold_the_weights() {
        let weights = weights();
        let network = Network::try_from(weights.clone()).unwrap();
        let mut file = Vec::new();
        network.write(&mut file).unwrap();
        let network = Network::from_bytes(&file).unwrap();
        assert_eq!(network.architecture(), weights.architecture);
        assert!(network.description().ends_with(",Origin=a test"));
        assert_eq!(network.biases(), weights.biases);
        assert_eq!(network.weights(), weights.weights);
        let Layers::Classical(layers) = network.layers() else { panic!("a classical network") };
        for (layer, expected) in layers.iter().zip(&weights.layers) {
            let (biases, rows) = layer.to_rows();
            assert_eq!(biases, expected.biases);
            let inputs = expected.weights.len() / biases.len();
            let rows = rows.chunks_exact(padded(inputs)).flat_map(|row| &row[..inputs]);
            assert!(rows.eq(&expected.weights));
        }
    }

    #[test]
    fn other_numbers_of_weights_are_refused() {
        let refused = |change: fn(&mut ClassicalWeights)| {
            let mut weights = weights();
            change(&mut weights);
            Network::try_from(weights).unwrap_err().to_string()
        };
        assert_eq!(
            refused(|weights| weights.layers[1].weights.truncate(5)),
            "found 5 weights of the second hidden layer, expected 128"
        );
        assert!(refused(|weights| weights.biases.clear()).contains("0 biases of the first layer"));
        let compact = |weights: &mut ClassicalWeights| {
            weights.architecture = Architecture::compact(32, 1).unwrap();
        };
        assert!(refused(compact).contains("compact_32x2_1"));
    }
}
