//! The weights of a compact network, as a trainer makes them.

use crate::aligned::Aligned;
use crate::architecture::Architecture;
use crate::compact::{Compact, CompactBase, is_first_layer_bounded};
use crate::layers::Layers;
use crate::network::{Network, Parameters};

/// The quantised weights of a compact network; [`Network::try_from`] checks them.
///
/// The value of a position in centipawns for the side to move is
///
/// ```text
/// base + (Σ weight · activation² / 255 + bias) · scale / (255 · 64)
/// ```
///
/// with the activations of both views, each a sum of the first layer clipped to 0 … 255. Divisions
/// round toward zero. Weights and bias are those of the position's class: the number of thresholds
/// that its progress reaches. The progress is the sum of the last outputs of both views.
///
/// # Examples
///
/// A network without knowledge beyond the material:
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::{Evaluator, Material};
/// use komadai_nnue::{CompactBase, CompactWeights, FeatureSet, Network, Nnue};
///
/// let weights = CompactWeights {
///     description: "nothing but material".to_owned(),
///     base: CompactBase::Material,
///     scale: 600,
///     biases: vec![0; 32],
///     weights: vec![0; 32 * FeatureSet::ZoneKp.inputs()],
///     thresholds: Vec::new(),
///     output_weights: vec![0; 64],
///     output_biases: vec![0],
/// };
/// let nnue = Nnue::new(Network::try_from(weights)?);
/// let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b R 1").expect("a legal position");
/// assert_eq!(nnue.evaluate_position(&position), Material.evaluate_position(&position));
/// # Ok::<(), komadai_nnue::CompactWeightsError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompactWeights {
    /// The origin of the weights: data, trainer, seed.
    pub description: String,
    /// The evaluation to which the network adds.
    pub base: CompactBase,
    /// The centipawns of an output of 1.0.
    pub scale: i32,
    /// `[output]`: biases of the first layer, 255 for 1.0.
    pub biases: Vec<i16>,
    /// `[feature of [ZoneKp](crate::FeatureSet::ZoneKp)][output]`: weights of the first layer, 255
    /// for 1.0.
    pub weights: Vec<i16>,
    /// The least progress of each class but the first, in ascending order.
    pub thresholds: Vec<i32>,
    /// `[class][view][output]`: output weights, 64 for 1.0, the view of the side to move first.
    pub output_weights: Vec<i8>,
    /// `[class]`: output biases, 255 · 64 for 1.0.
    pub output_biases: Vec<i32>,
}

/// An error in the weights of a compact network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompactWeightsError {
    /// There is no network with so many outputs of the first layer and classes.
    #[error("found {outputs} outputs and {classes} classes, expected multiples of 32 and 1 to 16")]
    Shape {
        /// The outputs of the first layer.
        outputs: usize,
        /// The number of classes.
        classes: usize,
    },
    /// A list of weights has another length than the others require.
    #[error("found {found} {what}, expected {expected}")]
    Length {
        /// The list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that it should have.
        expected: usize,
    },
    /// Sums of weights could exceed their range.
    #[error("the weights of {layer} could overflow a sum, expected smaller ones")]
    Overflow {
        /// The layer.
        layer: &'static str,
    },
}

impl CompactWeights {
    /// Returns the weights of a network; `None` if it is not a compact one.
    pub fn of(network: &Network) -> Option<Self> {
        let Layers::Compact(compact) = network.layers() else { return None };
        Some(Self {
            description: network.description().to_owned(),
            base: compact.base,
            scale: compact.scale,
            biases: network.biases().to_vec(),
            weights: network.weights().to_vec(),
            thresholds: compact.thresholds.clone(),
            output_weights: compact.weights.iter().map(|weight| *weight as i8).collect(),
            output_biases: compact.biases.clone(),
        })
    }
}

impl TryFrom<CompactWeights> for Network {
    type Error = CompactWeightsError;

    fn try_from(weights: CompactWeights) -> Result<Self, CompactWeightsError> {
        let outputs = weights.biases.len();
        let classes = weights.output_biases.len();
        let architecture = Architecture::compact(outputs, classes)
            .ok_or(CompactWeightsError::Shape { outputs, classes })?;
        let inputs = architecture.features().inputs();
        let lengths = [
            ("weights of the first layer", weights.weights.len(), inputs * outputs),
            ("thresholds", weights.thresholds.len(), classes - 1),
            ("output weights", weights.output_weights.len(), 2 * outputs * classes),
        ];
        for (what, found, expected) in lengths {
            if found != expected {
                return Err(CompactWeightsError::Length { what, found, expected });
            }
        }
        if !is_first_layer_bounded(&weights.biases, &weights.weights) {
            return Err(CompactWeightsError::Overflow { layer: "the first layer" });
        }
        let rows: Vec<i16> = weights.output_weights.iter().map(|weight| (*weight).into()).collect();
        let compact = Compact {
            base: weights.base,
            thresholds: weights.thresholds,
            weights: Aligned::from_slice(&rows),
            biases: weights.output_biases,
            scale: weights.scale,
        };
        if !compact.is_bounded(outputs) {
            return Err(CompactWeightsError::Overflow { layer: "the output layers" });
        }
        let parameters = Parameters {
            biases: Aligned::from_slice(&weights.biases),
            weights: Aligned::from_slice(&weights.weights).into(),
            layers: Layers::Compact(compact),
        };
        Ok(Self::from_parameters(architecture, weights.description, parameters))
    }
}
