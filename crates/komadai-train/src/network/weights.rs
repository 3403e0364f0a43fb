//! The weights of a network in training.

use komadai_nnue::PieceTerm;

use crate::network::head::{FirstLayer, Head};
use crate::network::lanes::{LANES, Lanes, RandomLanes};
use crate::network::rows::{Rows, RowsMut, Step};

/// The largest weight or bias of the first layer, in its units: 38 weights and a bias fit 16 bits.
const LARGEST: f32 = 840.0;

/// The weights of a network, and the rounded ones with which it computes.
///
/// A weight of the first layer is the sum of one for the term with this zone and of one for the
/// term in all zones, which learns from all positions (a factorised input). Every computation uses
/// the rounded sum, so that the loss is that of the network as it will be played with; gradients
/// pass through the rounding (Y. Bengio, N. Léonard and A. Courville, "Estimating or propagating
/// gradients through stochastic neurons", 2013).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weights<H: Head> {
    /// `[term][zone]`, one row each.
    pub(super) zoned: Rows,
    /// `[term]`.
    pub(super) shared: Rows,
    /// One row.
    pub(super) biases: Rows,
    /// The layers after the first one.
    pub(super) head: H,
    pub(super) rounded: Rounded<H>,
}

/// The weights of a network as it is played with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rounded<H: Head> {
    pub(super) tiles: usize,
    /// `[term][zone][output]`, in units of the first layer.
    pub(super) rows: Vec<i16>,
    /// `[output]`, in units of the first layer.
    pub(super) biases: Vec<i16>,
    pub(super) head: H::Rounded,
}

impl<H: Head> Rounded<H> {
    /// Returns sums over no positions.
    pub(super) fn no_sums(&self) -> Sums<H> {
        let head = H::no_sums(&self.head, self.tiles);
        Sums { biases: vec![Lanes::ZERO; self.tiles], head, excess: 0.0 }
    }

    /// The first layer in the order of networks.
    pub(super) fn first_layer(&self) -> FirstLayer {
        let width = self.biases.len();
        let mut weights = Vec::with_capacity(self.rows.len());
        for zone in 0..H::ZONES {
            for term in 0..PieceTerm::COUNT {
                weights.extend(&self.rows[(term * H::ZONES + zone) * width..][..width]);
            }
        }
        FirstLayer { biases: self.biases.clone(), weights }
    }
}

impl<H: Head> Weights<H> {
    /// Returns random weights.
    pub(super) fn random(width: usize, shape: H::Shape, seed: u64) -> Self {
        let (tiles, rows) = (width / LANES, PieceTerm::COUNT * H::ZONES);
        let mut random = RandomLanes::new(seed);
        // The sums of the first layer are within the range of the activation for most positions.
        let shared = random.lanes(PieceTerm::COUNT * tiles, 0.08);
        let (head, rounded) = H::random(shape, tiles, &mut random);
        let mut weights = Self {
            zoned: Rows::new(vec![Lanes::ZERO; rows * tiles], tiles),
            shared: Rows::new(shared, tiles),
            biases: Rows::new(vec![Lanes([H::FIRST_BIAS; LANES]); tiles], tiles),
            head,
            rounded: Rounded {
                tiles,
                rows: vec![0; rows * width],
                biases: vec![0; width],
                head: rounded,
            },
        };
        weights.round();
        weights
    }

    /// All weights, in the order of files.
    pub(super) fn groups(&self) -> Vec<&Rows> {
        let mut groups = vec![&self.zoned, &self.shared, &self.biases];
        groups.extend(self.head.groups());
        groups
    }

    pub(super) fn groups_mut(&mut self) -> Vec<&mut Rows> {
        let mut groups = vec![&mut self.zoned, &mut self.shared, &mut self.biases];
        groups.extend(self.head.groups_mut());
        groups
    }

    /// Computes all rounded weights of others, which are in their range already and keep their last
    /// bits.
    pub(super) fn restore_rounded(&mut self) {
        let kept: Vec<_> = self.groups().iter().map(|rows| rows.weights.clone()).collect();
        self.round();
        for (rows, kept) in self.groups_mut().into_iter().zip(kept) {
            rows.weights = kept;
        }
    }

    /// Computes all rounded weights, and brings the others into their range.
    pub(super) fn round(&mut self) {
        let Self { zoned, shared, rounded, .. } = self;
        let (mut zoned, shared) = (zoned.all(), shared.all());
        let rows = rounded.rows.as_chunks_mut().0;
        for term in 0..PieceTerm::COUNT {
            for tile in 0..shared.tiles {
                round_term::<H>(&mut zoned, &shared, term, tile, rows);
            }
            if let Some(weight) = H::fixed_weight(&rounded.head, term) {
                set_fixed::<H>(rows, term, shared.tiles, weight);
            }
        }
        self.round_others();
    }

    /// Computes the rounded weights that no term has.
    fn round_others(&mut self) {
        let Self { biases, head, rounded, .. } = self;
        let whole_biases = rounded.biases.as_chunks_mut().0;
        for (weights, rounded) in biases.weights.iter_mut().zip(whole_biases) {
            *rounded = round_lanes(weights, H::ONE, LARGEST).map(|weight| weight as i16);
        }
        head.round(&mut rounded.head);
        let is_fixed = H::fixed_weight(&rounded.head, 0).is_some();
        if let (true, Some(bias)) = (is_fixed, rounded.biases.last_mut()) {
            *bias = 0;
        }
    }

    /// Changes the weights that no term has by their gradients.
    pub(super) fn apply_others(&mut self, sums: &Sums<H>, step: Step) {
        let step = Step { decay: 0.0, ..step };
        self.biases.apply(&sums.biases, step);
        self.head.apply(&sums.head, step);
        self.round_others();
    }
}

/// Computes a part of the rounded weights of a term for all zones, and brings the weights into
/// their range.
#[inline(never)]
pub(super) fn round_term<H: Head>(
    zoned: &mut RowsMut<'_>,
    shared: &RowsMut<'_>,
    term: usize,
    tile: usize,
    rounded: &mut [[i16; LANES]],
) {
    let tiles = shared.tiles;
    let shared = &shared.weights[term * tiles + tile];
    for zone in 0..H::ZONES {
        let at = (term * H::ZONES + zone) * tiles + tile;
        let (zoned, rounded) = (&mut zoned.weights[at], &mut rounded[at]);
        let most = LARGEST / H::ONE;
        for (lane, rounded) in rounded.iter_mut().enumerate() {
            let sum = zoned.0[lane] + shared.0[lane];
            let clipped = sum.clamp(-most, most);
            zoned.0[lane] += clipped - sum;
            *rounded = round(clipped * H::ONE) as i16;
        }
    }
}

/// Writes a term's weight that is not learnt to the last output of the first layer.
#[inline(always)]
pub(super) fn set_fixed<H: Head>(
    rounded: &mut [[i16; LANES]],
    term: usize,
    tiles: usize,
    weight: i16,
) {
    for zone in 0..H::ZONES {
        rounded[(term * H::ZONES + zone + 1) * tiles - 1][LANES - 1] = weight;
    }
}

/// Brings weights into their range, and returns them in units, rounded.
pub(super) fn round_lanes(weights: &mut Lanes, one: f32, largest: f32) -> [f32; LANES] {
    weights.0.iter_mut().for_each(|weight| *weight = weight.clamp(-largest / one, largest / one));
    weights.0.map(|weight| round(weight * one))
}

/// The nearest whole number of a number below 2²², by additions, for a call of the system's
/// function would keep the compiler from using vectors.
#[inline(always)]
pub(super) fn round(x: f32) -> f32 {
    const MAGIC: f32 = 12_582_912.0;
    (x + MAGIC) - MAGIC
}

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
