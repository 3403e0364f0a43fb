//! The kinds of networks.

use std::fmt;

use komadai_nnue::Network;

use crate::network::error::TrainingError;
use crate::network::lanes::{Lanes, RandomLanes};
use crate::network::options::TrainingOptions;
use crate::network::rows::{Rows, Step};
use crate::network::sample::Sample;

/// The layers of a kind of networks after the first one, and what the kinds do not share of the
/// first one.
///
/// All kinds have the same first layer: a row of weights for each piece and each zone of the own
/// king, whose sum is computed for both views. So they share what costs most of the time, the
/// gradients and the optimizer of these rows.
pub(super) trait Head: Clone + PartialEq + fmt::Debug + Send + Sync {
    /// The number of zones of the own king.
    const ZONES: usize;

    /// The value 1.0 of the first layer in its units.
    const ONE: f32;

    /// The biases of the first layer before training.
    const FIRST_BIAS: f32;

    /// True if the network adds to its base.
    const ADDS_TO_BASE: bool;

    /// The number of positions whose gradients are added before they are added to others. Threads
    /// get whole blocks, so that the sums do not depend on the number of threads.
    const BLOCK: usize;

    /// All that the network must know before training.
    type Shape;

    /// The weights as they are played with, and what does not change.
    type Rounded: Clone + PartialEq + fmt::Debug + Send + Sync;

    /// The gradients of the weights, summed over positions.
    type Sums: Clone + fmt::Debug + Send + Sync;

    /// The results of one position, which its gradients need.
    type Memory: Default + fmt::Debug + Send + Sync;

    /// Returns what a training with these options and positions needs.
    fn shape(options: &TrainingOptions, samples: &[Sample]) -> Self::Shape;

    /// Returns random weights for a first layer of some tiles. The rounded ones are not computed
    /// yet.
    fn random(shape: Self::Shape, tiles: usize, random: &mut RandomLanes) -> (Self, Self::Rounded);

    /// The zone of a square of the own king, as its owner sees it.
    fn zone(king: usize) -> usize;

    /// All weights, in the order of files.
    fn groups(&self) -> Vec<&Rows>;

    fn groups_mut(&mut self) -> Vec<&mut Rows>;

    /// Computes the rounded weights, and brings the others into their range.
    fn round(&mut self, rounded: &mut Self::Rounded);

    /// The rounded weights that change, in the order of files.
    fn numbers(rounded: &Self::Rounded) -> Vec<&[f32]>;

    fn numbers_mut(rounded: &mut Self::Rounded) -> Vec<&mut [f32]>;

    /// The weight of a term for the last output of the first layer, in its units, if that is not
    /// learnt.
    #[inline(always)]
    fn fixed_weight(_: &Self::Rounded, _term: usize) -> Option<i16> {
        None
    }

    /// Returns the sums over no positions.
    fn no_sums(rounded: &Self::Rounded, tiles: usize) -> Self::Sums;

    fn add_sums(sums: &mut Self::Sums, other: &Self::Sums);

    /// Changes the weights by their gradients.
    fn apply(&mut self, sums: &Self::Sums, step: Step);

    /// Computes the logit of a position from `[view][output]`, the sums of the first layer in its
    /// units.
    fn output(rounded: &Self::Rounded, whole: &[i16], memory: &mut Self::Memory) -> f32;

    /// Adds the gradients of a position whose output has been computed, for a slope of the loss by
    /// the logit.
    fn differentiate(
        rounded: &Self::Rounded,
        whole: &[i16],
        error: f32,
        memory: &mut Self::Memory,
        first: FirstLayerGradients<'_>,
        to: &mut Self::Sums,
    );

    /// Returns the network that computes with these weights.
    fn network(
        first: FirstLayer,
        rounded: &Self::Rounded,
        options: &TrainingOptions,
        description: String,
    ) -> Result<Network, TrainingError>;
}

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
