//! The network of some weights.

use komadai_nnue::{CompactWeights, CompactWeightsError, Network, PieceTerm};

use super::options::TrainingOptions;
use super::weights::{ONE, OUTPUT_ONE, Rounded};

/// Returns the network that computes with these weights.
pub(super) fn network(
    weights: &Rounded,
    options: &TrainingOptions,
    description: String,
) -> Result<Network, CompactWeightsError> {
    let width = weights.biases.len();
    let row = |zone, term| &weights.rows[(term * PieceTerm::ZONES + zone) * width..][..width];
    let mut first_layer = Vec::with_capacity(weights.rows.len());
    for zone in 0..PieceTerm::ZONES {
        for term in 0..PieceTerm::COUNT {
            first_layer.extend(row(zone, term));
        }
    }
    let outputs = weights.outputs.iter().flat_map(|lanes| lanes.0);
    let output_biases = weights.output_biases.iter();
    Network::try_from(CompactWeights {
        description,
        base: options.base.into(),
        scale: options.score_scale.round() as i32,
        biases: weights.biases.clone(),
        weights: first_layer,
        thresholds: weights.progress.thresholds.clone(),
        output_weights: outputs.map(|weight| (weight * OUTPUT_ONE) as i8).collect(),
        output_biases: output_biases.map(|bias| (bias * ONE * OUTPUT_ONE).round() as i32).collect(),
    })
}
