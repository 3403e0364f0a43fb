//! The first layer, as the layers after it see it.

use super::lanes::Lanes;

/// The weights of the first layer as they are played with, in its units.
#[derive(Debug)]
pub(super) struct FirstLayer {
    /// `[output]`.
    pub(super) biases: Vec<i16>,
    /// `[zone][term][output]`.
    pub(super) weights: Vec<i16>,
}

/// The gradients of the first layer's sums for one position.
#[derive(Debug)]
pub(super) struct FirstLayerGradients<'a> {
    /// `[tile][position][view]`: of all positions.
    pub(super) all: &'a mut [Lanes],
    /// `[tile]`: their sum.
    pub(super) biases: &'a mut [Lanes],
    /// The number of views of all positions.
    pub(super) views: usize,
    pub(super) position: usize,
}

impl FirstLayerGradients<'_> {
    pub(super) fn tiles(&self) -> usize {
        self.biases.len()
    }

    /// Returns the places for the gradients of a part of the sums, and for their sum over
    /// positions.
    #[inline(always)]
    pub(super) fn tile(&mut self, view: usize, tile: usize) -> (&mut Lanes, &mut Lanes) {
        let at = tile * self.views + 2 * self.position + view;
        (&mut self.all[at], &mut self.biases[tile])
    }
}
