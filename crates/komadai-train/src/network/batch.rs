//! A part of a batch: its positions, the network's outputs, and the gradients of the first layer.

use komadai_core::SplitMix64;
use komadai_nnue::PieceTerm;

use super::lanes::{LANES, Lanes};
use super::sample::Sample;
use super::sums::Sums;
use super::target::{Target, excess, sigmoid};
use super::weights::{ONE, ROWS, Rounded};

/// The number of positions whose gradients are added before they are added to others. Threads get whole
/// blocks, so that the sums do not depend on the number of threads.
pub(super) const BLOCK: usize = 64;

/// A position of a batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) sample: u32,
    pub(super) is_mirrored: bool,
}

/// The positions of one thread, and everything that is computed for them.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// `[position][view][piece]`: rows of the first layer.
    rows: Vec<[[u32; PieceTerm::PIECES]; 2]>,
    /// `[view][output]`: the sums of the first layer of one position, 255 for 1.0.
    whole_sums: Vec<i16>,
    /// `[tile][position][view]`: sums of the first layer, then their gradients.
    sums: Vec<Lanes>,
    /// `[row]`: the first view in `views` that has the row, with one more at the end.
    starts: Vec<u32>,
    /// Views that have a row, by row, then by position: twice the position, and one more for the other side.
    views: Vec<u32>,
    pub(super) blocks: Vec<Sums>,
    /// The loss of each block that was only measured.
    pub(super) losses: Vec<f64>,
}

impl Part {
    /// Computes the loss of positions.
    pub(super) fn measure(
        &mut self,
        samples: &[Sample],
        entries: &[Entry],
        target: Target,
        network: &Rounded,
    ) {
        self.begin(entries.len(), network.tiles);
        for (block, entries) in entries.chunks(BLOCK).enumerate() {
            let mut excess_sum = 0.0;
            for (index, entry) in entries.iter().enumerate() {
                let (sample, index) = (&samples[entry.sample as usize], block * BLOCK + index);
                let (logit, _) = self.output(index, sample, *entry, target, network);
                excess_sum += excess(logit, target.of(sample));
            }
            self.losses.push(excess_sum);
        }
    }

    /// Computes the loss of positions and its gradients, the latter for a mean over `batch` positions.
    pub(super) fn compute(
        &mut self,
        samples: &[Sample],
        entries: &[Entry],
        target: Target,
        network: &Rounded,
        batch: usize,
    ) {
        self.begin(entries.len(), network.tiles);
        for (block, entries) in entries.chunks(BLOCK).enumerate() {
            let mut sums = network.no_sums();
            for (index, entry) in entries.iter().enumerate() {
                let (sample, index) = (&samples[entry.sample as usize], block * BLOCK + index);
                let (logit, class) = self.output(index, sample, *entry, target, network);
                let aim = target.of(sample);
                sums.excess += excess(logit, aim);
                let error = (sigmoid(logit) - aim) / batch as f32;
                self.differentiate(index, class, error, network, &mut sums);
            }
            self.blocks.push(sums);
        }
        self.sort_views();
    }

    /// Computes the logit of one position.
    #[cfg(test)]
    pub(super) fn logit(
        &mut self,
        samples: &[Sample],
        entry: Entry,
        target: Target,
        network: &Rounded,
    ) -> f32 {
        self.begin(1, network.tiles);
        self.output(0, &samples[entry.sample as usize], entry, target, network).0
    }

    fn begin(&mut self, positions: usize, tiles: usize) {
        self.rows.clear();
        self.rows.resize(positions, [[0; PieceTerm::PIECES]; 2]);
        self.whole_sums.resize(2 * tiles * LANES, 0);
        self.sums.clear();
        self.sums.resize(2 * tiles * positions, Lanes::ZERO);
        self.blocks.clear();
        self.losses.clear();
    }

    /// Computes the sums of the first layer of a position. Returns the logit of its expected result, and the
    /// class of its progress.
    #[inline(always)]
    fn output(
        &mut self,
        index: usize,
        sample: &Sample,
        entry: Entry,
        target: Target,
        network: &Rounded,
    ) -> (f32, usize) {
        let inputs = sample.inputs(entry.is_mirrored);
        let zones = sample.zones(entry.is_mirrored).both();
        let width = network.biases.len();
        for (view, whole) in self.whole_sums.chunks_exact_mut(width).enumerate() {
            let row = |term: u16| usize::from(term) * PieceTerm::ZONES + zones[view];
            let rows = inputs.terms[view].map(|term| row(term) as u32);
            self.rows[index][view] = rows;
            whole.copy_from_slice(&network.biases);
            let row = |row: u32| &network.rows[row as usize * width..][..width];
            for [first, second] in rows.as_chunks().0 {
                add_rows(whole, row(*first), row(*second));
            }
        }
        let last = |view: usize| i32::from(self.whole_sums[(view + 1) * width - 1]);
        let class = network.progress.class(last(0) + last(1));
        let output = self.products(index, network.outputs(class)) + network.output_biases[class];
        (target.logit(sample.base()) + output, class)
    }

    /// Keeps the sums of the first layer, and adds the products of their activations with the output weights.
    #[inline(always)]
    fn products(&mut self, index: usize, weights: &[Lanes]) -> f32 {
        let (views, tiles) = (2 * self.rows.len(), weights.len() / 2);
        let mut products = Lanes::ZERO;
        let whole = self.whole_sums.as_chunks::<LANES>().0;
        for (at, (weights, whole)) in weights.iter().zip(whole).enumerate() {
            let (view, tile) = (at / tiles, at % tiles);
            let sum = &mut self.sums[tile * views + 2 * index + view];
            for (lane, whole) in whole.iter().enumerate() {
                let value = f32::from(*whole) * (1.0 / ONE);
                let clipped = value.clamp(0.0, 1.0);
                products.0[lane] += weights.0[lane] * (clipped * clipped);
                sum.0[lane] = value;
            }
        }
        products.total()
    }

    /// Replaces the sums of a position by their gradients, and adds those of the layers after them.
    #[inline(always)]
    fn differentiate(
        &mut self,
        index: usize,
        class: usize,
        error: f32,
        network: &Rounded,
        to: &mut Sums,
    ) {
        let (views, tiles) = (2 * self.rows.len(), network.tiles);
        let outputs = &mut to.outputs[2 * tiles * class..][..2 * tiles];
        for (at, (weights, outputs)) in network.outputs(class).iter().zip(outputs).enumerate() {
            let (view, tile) = (at / tiles, at % tiles);
            let sum = &mut self.sums[tile * views + 2 * index + view];
            for (lane, bias) in to.biases[tile].0.iter_mut().enumerate() {
                let value = sum.0[lane].clamp(0.0, 1.0);
                outputs.0[lane] += error * (value * value);
                let slope = if sum.0[lane] < 1.0 { 2.0 * value } else { 0.0 };
                let gradient = error * weights.0[lane] * slope;
                *bias += gradient;
                sum.0[lane] = gradient;
            }
        }
        to.output_biases[class] += error;
    }

    /// Lists the views that have each row.
    fn sort_views(&mut self) {
        self.starts.clear();
        self.starts.resize(ROWS + 1, 0);
        let rows = || self.rows.iter().flatten().flatten();
        let starts = &mut self.starts;
        rows().for_each(|row| starts[*row as usize + 1] += 1);
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        self.views.clear();
        self.views.resize(sum as usize, 0);
        // Each start moves to that of the next row.
        for (view, rows) in self.rows.iter().flatten().enumerate() {
            for row in rows {
                let at = &mut starts[*row as usize];
                self.views[*at as usize] = view as u32;
                *at += 1;
            }
        }
        starts.copy_within(..ROWS, 1);
        starts[0] = 0;
    }

    /// The views that have a row.
    #[inline(always)]
    pub(super) fn views(&self, row: usize) -> &[u32] {
        &self.views[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// `[view]`: the gradients of a part of the sums.
    #[inline(always)]
    pub(super) fn gradients(&self, tile: usize) -> &[Lanes] {
        let views = 2 * self.rows.len();
        &self.sums[tile * views..][..views]
    }
}

/// Adds two rows of weights to sums. The weights are limited so that no sum overflows.
#[inline(always)]
fn add_rows(sums: &mut [i16], first: &[i16], second: &[i16]) {
    for ((sum, first), second) in sums.iter_mut().zip(first).zip(second) {
        *sum = sum.wrapping_add(first.wrapping_add(*second));
    }
}

/// Returns whether a position is mirrored in an epoch.
pub(super) fn is_mirrored(seed: u64, epoch: u32, sample: u32) -> bool {
    let number = u64::from(epoch) << 32 | u64::from(sample);
    SplitMix64::mix(seed ^ SplitMix64::mix(number)) & 1 == 1
}
