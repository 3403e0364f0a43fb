//! Sums over positions, of what each weight has only one of.

use super::lanes::Lanes;

/// The loss and the gradients of the weights that no term has, summed over positions.
#[derive(Debug, Clone)]
pub(super) struct Sums {
    /// `[tile]`: of the biases of the first layer.
    pub(super) biases: Vec<Lanes>,
    /// `[class][view][tile]`: of the output weights.
    pub(super) outputs: Vec<Lanes>,
    /// `[class]`: of the output biases.
    pub(super) output_biases: Vec<f32>,
    /// The cross-entropy less the entropy of the targets.
    pub(super) excess: f64,
}

impl Sums {
    /// Returns the sums over no positions.
    pub(super) fn zero(tiles: usize, classes: usize) -> Self {
        Self {
            biases: vec![Lanes::ZERO; tiles],
            outputs: vec![Lanes::ZERO; 2 * tiles * classes],
            output_biases: vec![0.0; classes],
            excess: 0.0,
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.biases.iter_mut().zip(&other.biases).for_each(|(sum, lanes)| sum.add(lanes));
        self.outputs.iter_mut().zip(&other.outputs).for_each(|(sum, lanes)| sum.add(lanes));
        let biases = self.output_biases.iter_mut().zip(&other.output_biases);
        biases.for_each(|(sum, bias)| *sum += bias);
        self.excess += other.excess;
    }
}
