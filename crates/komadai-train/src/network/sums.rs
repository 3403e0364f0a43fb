//! Sums over positions, of what each weight has only one of.

use super::head::Head;
use super::lanes::Lanes;

/// The loss and the gradients of the weights that no term has, summed over positions.
#[derive(Debug, Clone)]
pub(super) struct Sums<H: Head> {
    /// `[tile]`: those of the biases of the first layer.
    pub(super) biases: Vec<Lanes>,
    /// Those of the layers after the first one.
    pub(super) head: H::Sums,
    /// The cross-entropy less the entropy of the targets.
    pub(super) excess: f64,
}

impl<H: Head> Sums<H> {
    pub(super) fn add(&mut self, other: &Self) {
        self.biases.iter_mut().zip(&other.biases).for_each(|(sum, lanes)| sum.add(lanes));
        H::add_sums(&mut self.head, &other.head);
        self.excess += other.excess;
    }
}
