//! Training that starts from a network.

use std::array;

use komadai_core::SplitMix64;
use komadai_nnue::{CompactWeights, Network, PieceTerm};

use super::compact_head::{CompactHead, OUTPUT_ONE};
use super::error::TrainingError;
use super::head::Head as _;
use super::lanes::{LANES, Lanes};
use super::options::TrainingOptions;
use super::training::Training;
use super::weights::Weights;

impl Training<CompactHead> {
    /// Takes the weights of a network in place of random ones.
    pub(super) fn start_from(&mut self, network: &Network) -> Result<(), TrainingError> {
        let weights = CompactWeights::of(network).filter(|weights| self.options.fit(weights));
        let weights = weights.ok_or_else(|| TrainingError::Option {
            option: "network to start from",
            found: network.architecture().to_string(),
            expected: "a compact one with the width, classes, base and scale of the options",
        })?;
        self.state.weights.set(&weights);
        self.start = hash(&weights);
        Ok(())
    }
}

impl TrainingOptions {
    /// Returns whether these weights have the shape of the options.
    fn fit(&self, weights: &CompactWeights) -> bool {
        weights.biases.len() == self.width
            && weights.output_biases.len() == self.classes
            && weights.base == self.base.into()
            && weights.scale == self.score_scale.round() as i32
    }
}

impl Weights<CompactHead> {
    /// Replaces all weights by those of a network of the same shape. What all zones have in common
    /// goes to the weights that they share.
    fn set(&mut self, network: &CompactWeights) {
        let tiles = self.rounded.tiles;
        let width = tiles * LANES;
        let row = |zone: usize, term: usize| {
            let first = (zone * PieceTerm::COUNT + term) * width;
            lanes(&network.weights[first..][..width], CompactHead::ONE)
        };
        for term in 0..PieceTerm::COUNT {
            let rows: [_; PieceTerm::ZONES] = array::from_fn(|zone| row(zone, term));
            for tile in 0..tiles {
                let mean = Lanes(array::from_fn(|lane| {
                    let sum: f32 = rows.iter().map(|row| row[tile].0[lane]).sum();
                    sum / PieceTerm::ZONES as f32
                }));
                for (zone, row) in rows.iter().enumerate() {
                    let at = (term * PieceTerm::ZONES + zone) * tiles + tile;
                    let own = array::from_fn(|lane| row[tile].0[lane] - mean.0[lane]);
                    self.zoned.weights[at] = Lanes(own);
                }
                self.shared.weights[term * tiles + tile] = mean;
            }
        }
        self.biases.weights = lanes(&network.biases, CompactHead::ONE);
        let outputs: Vec<i16> =
            network.output_weights.iter().map(|weight| i16::from(*weight)).collect();
        self.head.outputs.weights = lanes(&outputs, OUTPUT_ONE);
        let biases = &mut self.head.output_biases.weights[0].0;
        for (bias, whole) in biases.iter_mut().zip(&network.output_biases) {
            *bias = *whole as f32 / (CompactHead::ONE * OUTPUT_ONE);
        }
        self.round();
    }
}

/// Returns whole numbers in units as weights.
fn lanes(numbers: &[i16], one: f32) -> Vec<Lanes> {
    let (lanes, _) = numbers.as_chunks::<LANES>();
    lanes.iter().map(|lanes| Lanes(lanes.map(|number| f32::from(number) / one))).collect()
}

/// A number that changes with the weights.
fn hash(weights: &CompactWeights) -> u64 {
    let first = weights.biases.iter().chain(&weights.weights).map(|weight| *weight as u64);
    let outputs = weights.output_weights.iter().map(|weight| *weight as u64);
    let biases = weights.output_biases.iter().map(|bias| *bias as u64);
    let numbers = first.chain(outputs).chain(biases);
    numbers.fold(1, |hash, number| SplitMix64::mix(hash ^ number))
}
