//! The weights of a network in training.

use komadai_core::SplitMix64;
use komadai_nnue::PieceTerm;

use super::lanes::{LANES, Lanes};
use super::progress::Progress;
use super::rows::{Rows, RowsMut, Step};
use super::sums::Sums;

/// The value 1.0 of the first layer in its units.
pub(super) const ONE: f32 = 255.0;

/// The value 1.0 of an output weight in its units.
pub(super) const OUTPUT_ONE: f32 = 64.0;

/// The largest weight or bias of the first layer, in its units: 38 weights and a bias fit 16 bits.
const LARGEST: f32 = 840.0;

/// The largest output weight, in its units.
const LARGEST_OUTPUT: f32 = 127.0;

/// The rows of the first layer: `[term][zone]`.
pub(super) const ROWS: usize = PieceTerm::COUNT * PieceTerm::ZONES;

/// The weights of a network, and the rounded ones with which it computes.
///
/// A weight of the first layer is the sum of one for the term with this zone and of one for the term in all
/// zones, which learns from all positions (a factorised input). Every computation uses the rounded sum, so
/// that the loss is that of the network as it will be played with; gradients pass through the rounding
/// (Y. Bengio, N. Léonard and A. Courville, "Estimating or propagating gradients through stochastic
/// neurons", 2013).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weights {
    /// `[term][zone]`, one row each.
    pub(super) zoned: Rows,
    /// `[term]`.
    pub(super) shared: Rows,
    /// One row.
    pub(super) biases: Rows,
    /// `[class][view]`.
    pub(super) outputs: Rows,
    /// One row, in which each class has a number.
    pub(super) output_biases: Rows,
    pub(super) rounded: Rounded,
}

/// The weights of a network as it is played with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rounded {
    pub(super) tiles: usize,
    /// `[term][zone][output]`, 255 for 1.0.
    pub(super) rows: Vec<i16>,
    /// `[output]`, 255 for 1.0.
    pub(super) biases: Vec<i16>,
    /// `[class][view][tile]`, multiples of 1/64.
    pub(super) outputs: Vec<Lanes>,
    /// `[class]`, multiples of 1 / (255 · 64).
    pub(super) output_biases: Vec<f32>,
    pub(super) progress: Progress,
}

impl Rounded {
    /// Returns sums over no positions.
    pub(super) fn no_sums(&self) -> Sums {
        Sums::zero(self.tiles, self.output_biases.len())
    }

    /// `[view][tile]`: the output weights of a class.
    #[inline(always)]
    pub(super) fn outputs(&self, class: usize) -> &[Lanes] {
        &self.outputs[2 * self.tiles * class..][..2 * self.tiles]
    }
}

impl Weights {
    /// Returns random weights.
    pub(super) fn random(width: usize, classes: usize, progress: Progress, seed: u64) -> Self {
        let tiles = width / LANES;
        let mut random = SplitMix64::new(SplitMix64::mix(seed));
        let mut lanes = |count: usize, size: f32| {
            let mut number = || (random.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0;
            let lanes = |_| Lanes(std::array::from_fn(|_| size * number()));
            (0..count * tiles).map(lanes).collect::<Vec<_>>()
        };
        // The sums of the first layer are within the range of the activation for most positions.
        let shared = lanes(PieceTerm::COUNT, 0.08);
        // All classes begin alike.
        let outputs = lanes(2, 0.1).repeat(classes);
        let mut weights = Self {
            zoned: Rows::new(vec![Lanes::ZERO; ROWS * tiles], tiles),
            shared: Rows::new(shared, tiles),
            biases: Rows::new(vec![Lanes([0.25; LANES]); tiles], tiles),
            outputs: Rows::new(outputs, tiles),
            output_biases: Rows::new(vec![Lanes::ZERO], 1),
            rounded: Rounded {
                tiles,
                rows: vec![0; ROWS * width],
                biases: vec![0; width],
                outputs: vec![Lanes::ZERO; 2 * tiles * classes],
                output_biases: vec![0.0; classes],
                progress,
            },
        };
        weights.round();
        weights
    }

    /// All weights, in the order of files.
    pub(super) fn groups(&self) -> [&Rows; 5] {
        [&self.zoned, &self.shared, &self.biases, &self.outputs, &self.output_biases]
    }

    pub(super) fn groups_mut(&mut self) -> [&mut Rows; 5] {
        let Self { zoned, shared, biases, outputs, output_biases, .. } = self;
        [zoned, shared, biases, outputs, output_biases]
    }

    /// Computes all rounded weights of others, which are in their range already and keep their last bits.
    pub(super) fn restore_rounded(&mut self) {
        let mut copy = self.clone();
        copy.round();
        self.rounded = copy.rounded;
    }

    /// Computes all rounded weights, and brings the others into their range.
    pub(super) fn round(&mut self) {
        let Self { zoned, shared, rounded, .. } = self;
        let (mut zoned, shared) = (zoned.all(), shared.all());
        let rows = rounded.rows.as_chunks_mut().0;
        for term in 0..PieceTerm::COUNT {
            for tile in 0..shared.tiles {
                round_term(&mut zoned, &shared, term, tile, rows);
            }
            if let Some(weight) = rounded.progress.weight(term) {
                set_progress(rows, term, shared.tiles, weight);
            }
        }
        self.round_outputs();
    }

    /// Computes the rounded weights that no term has.
    fn round_outputs(&mut self) {
        let Self { biases, outputs, output_biases, rounded, .. } = self;
        let whole_biases = rounded.biases.as_chunks_mut().0;
        for (weights, rounded) in biases.weights.iter_mut().zip(whole_biases) {
            *rounded = round_lanes(weights, ONE, LARGEST).map(|weight| weight as i16);
        }
        for (weights, rounded) in outputs.weights.iter_mut().zip(&mut rounded.outputs) {
            let whole = round_lanes(weights, OUTPUT_ONE, LARGEST_OUTPUT);
            *rounded = Lanes(whole.map(|weight| weight / OUTPUT_ONE));
        }
        let unit = ONE * OUTPUT_ONE;
        for (bias, rounded) in output_biases.weights[0].0.iter().zip(&mut rounded.output_biases) {
            *rounded = round(bias * unit) / unit;
        }
        if let (true, Some(bias)) = (rounded.progress.is_measured(), rounded.biases.last_mut()) {
            *bias = 0;
        }
    }

    /// Changes the weights that no term has by their gradients.
    pub(super) fn apply_outputs(&mut self, sums: &Sums, step: Step) {
        let mut output_biases = Lanes::ZERO;
        output_biases.0[..sums.output_biases.len()].copy_from_slice(&sums.output_biases);
        let groups = [
            (&mut self.biases, &sums.biases[..]),
            (&mut self.outputs, &sums.outputs),
            (&mut self.output_biases, &[output_biases]),
        ];
        for (rows, gradients) in groups {
            let tiles = rows.tiles;
            let mut rows = rows.all();
            for (row, gradients) in gradients.chunks(tiles).enumerate() {
                let step = rows.begin(row, Step { decay: 0.0, ..step });
                for (tile, gradient) in gradients.iter().enumerate() {
                    rows.apply(row, tile, gradient, step);
                }
            }
        }
        self.round_outputs();
    }
}

/// Computes a part of the rounded weights of a term for all zones, and brings the weights into their range.
#[inline(never)]
pub(super) fn round_term(
    zoned: &mut RowsMut<'_>,
    shared: &RowsMut<'_>,
    term: usize,
    tile: usize,
    rounded: &mut [[i16; LANES]],
) {
    let tiles = shared.tiles;
    let shared = &shared.weights[term * tiles + tile];
    for zone in 0..PieceTerm::ZONES {
        let at = (term * PieceTerm::ZONES + zone) * tiles + tile;
        let (zoned, rounded) = (&mut zoned.weights[at], &mut rounded[at]);
        let most = LARGEST / ONE;
        for (lane, rounded) in rounded.iter_mut().enumerate() {
            let sum = zoned.0[lane] + shared.0[lane];
            let clipped = sum.clamp(-most, most);
            zoned.0[lane] += clipped - sum;
            *rounded = round(clipped * ONE) as i16;
        }
    }
}

/// Writes a term's weight of the progress to the last output of the first layer.
#[inline(always)]
pub(super) fn set_progress(rounded: &mut [[i16; LANES]], term: usize, tiles: usize, weight: i16) {
    for zone in 0..PieceTerm::ZONES {
        rounded[(term * PieceTerm::ZONES + zone + 1) * tiles - 1][LANES - 1] = weight;
    }
}

/// Brings weights into their range, and returns them in units, rounded.
fn round_lanes(weights: &mut Lanes, one: f32, largest: f32) -> [f32; LANES] {
    weights.0.iter_mut().for_each(|weight| *weight = weight.clamp(-largest / one, largest / one));
    weights.0.map(|weight| round(weight * one))
}

/// The nearest whole number of a number below 2²², by additions, for a call of the system's function would
/// keep the compiler from using vectors.
#[inline(always)]
fn round(x: f32) -> f32 {
    const MAGIC: f32 = 12_582_912.0;
    (x + MAGIC) - MAGIC
}
