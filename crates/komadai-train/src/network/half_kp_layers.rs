//! The numbers with which a network HalfKP computes.
//!
//! All numbers of the forward pass are whole and below 2²⁴, which single precision holds exactly.
//! So the order of additions does not matter, and the output is that of the exported network, bit
//! for bit.

use super::lanes::{LANES, Lanes};

/// The value 1.0 of an activation in its units; it is also the largest one.
pub(super) const ONE: f32 = 127.0;

/// The value 1.0 of a weight of a hidden layer in its units.
pub(super) const HIDDEN_ONE: f32 = 64.0;

/// The outputs of a hidden layer.
pub(super) const HIDDEN: usize = LANES;

/// The dense layers as they are played with: whole numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RoundedLayers {
    /// `[view][input]`, 32 outputs each.
    pub(super) first: Vec<Lanes>,
    /// `[output]`, `[view][tile]` each: the weights of the first hidden layer once more.
    pub(super) turned: Vec<Lanes>,
    pub(super) second: Vec<Lanes>,
    pub(super) last: Lanes,
    pub(super) biases: [Lanes; 3],
    /// The output for a logit of 1.0.
    pub(super) output_one: f32,
}

/// The gradients of the dense layers, summed over positions.
#[derive(Debug, Clone)]
pub(super) struct LayerSums {
    pub(super) first: Vec<Lanes>,
    pub(super) second: Vec<Lanes>,
    pub(super) last: Lanes,
    pub(super) biases: [Lanes; 3],
}

/// The results of one position.
#[derive(Debug)]
pub(super) struct Activations {
    /// The inputs of the first hidden layer that are not zero, with their number.
    pub(super) inputs: Vec<(u16, f32)>,
    /// The sums of the hidden layers.
    pub(super) sums: [Lanes; 2],
}

impl Default for Activations {
    fn default() -> Self {
        Self { inputs: Vec::new(), sums: [Lanes::ZERO; 2] }
    }
}

impl RoundedLayers {
    /// Returns layers of zeros.
    pub(super) fn zero(inputs: usize, output_one: f32) -> Self {
        Self {
            first: vec![Lanes::ZERO; inputs],
            turned: vec![Lanes::ZERO; inputs],
            second: vec![Lanes::ZERO; HIDDEN],
            last: Lanes::ZERO,
            biases: [Lanes::ZERO; 3],
            output_one,
        }
    }

    /// The value 1.0 of an output weight in its units.
    pub(super) fn output_weight_one(&self) -> f32 {
        self.output_one / ONE
    }

    /// All numbers, in the order of files.
    pub(super) fn all(&self) -> impl Iterator<Item = &Lanes> {
        let Self { first, turned, second, last, biases, .. } = self;
        first.iter().chain(turned).chain(second).chain([last]).chain(biases)
    }

    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut Lanes> {
        let Self { first, turned, second, last, biases, .. } = self;
        first.iter_mut().chain(turned).chain(second).chain([last]).chain(biases)
    }

    /// Computes the turned weights.
    pub(super) fn turn(&mut self) {
        let tiles = self.first.len() / LANES;
        for (tile, rows) in self.first.chunks_exact(LANES).enumerate() {
            for (lane, row) in rows.iter().enumerate() {
                for (output, weight) in row.0.iter().enumerate() {
                    self.turned[output * tiles + tile].0[lane] = *weight;
                }
            }
        }
    }
}

impl LayerSums {
    /// Returns the sums over no positions.
    pub(super) fn zero(inputs: usize) -> Self {
        Self {
            first: vec![Lanes::ZERO; inputs],
            second: vec![Lanes::ZERO; HIDDEN],
            last: Lanes::ZERO,
            biases: [Lanes::ZERO; 3],
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        let Self { first, second, last, biases } = self;
        let to = first.iter_mut().chain(second).chain([last]).chain(biases);
        let Self { first, second, last, biases } = other;
        let from = first.iter().chain(second).chain([last]).chain(biases);
        to.zip(from).for_each(|(sum, lanes)| sum.add(lanes));
    }
}

/// The activation of a sum of a hidden layer, in units.
#[inline(always)]
pub(super) fn clip(sum: f32) -> f32 {
    // A whole number rounded down, as the shift of an evaluator does.
    (sum.clamp(0.0, ONE * HIDDEN_ONE) * (1.0 / HIDDEN_ONE)) as i32 as f32
}

/// The slope of the activation, as if nothing were rounded.
#[inline(always)]
pub(super) fn slope_of(sum: f32) -> f32 {
    if 0.0 < sum && sum < ONE * HIDDEN_ONE { 1.0 } else { 0.0 }
}
