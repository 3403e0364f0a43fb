//! A part of a batch: its positions, the network's outputs, and the gradients of the first layer.

use komadai_core::SplitMix64;
use komadai_nnue::PieceTerm;

use super::head::{FirstLayerGradients, Head};
use super::lanes::{LANES, Lanes};
use super::sample::Sample;
use super::target::{Target, excess, sigmoid};
use super::weights::{Rounded, Sums};

/// A position of a batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) sample: u32,
    pub(super) is_mirrored: bool,
}

/// The positions of one thread, and everything that is computed for them.
#[derive(Debug)]
pub(super) struct Part<H: Head> {
    /// `[position][view][piece]`: rows of the first layer.
    rows: Vec<[[u32; PieceTerm::PIECES]; 2]>,
    /// `[view][output]`: the sums of the first layer of one position, in its units.
    whole_sums: Vec<i16>,
    /// `[tile][position][view]`: the gradients of the sums of the first layer.
    gradients: Vec<Lanes>,
    /// The results of the other layers for one position.
    memory: H::Memory,
    /// `[row]`: the first view in `views` that has the row, with one more at the end.
    starts: Vec<u32>,
    /// Views that have a row, by row, then by position: twice the position, and one more for the
    /// other side.
    views: Vec<u32>,
    pub(super) blocks: Vec<Sums<H>>,
    /// The loss of each block that was only measured.
    pub(super) losses: Vec<f64>,
}

impl<H: Head> Default for Part<H> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            whole_sums: Vec::new(),
            gradients: Vec::new(),
            memory: H::Memory::default(),
            starts: Vec::new(),
            views: Vec::new(),
            blocks: Vec::new(),
            losses: Vec::new(),
        }
    }
}

impl<H: Head> Part<H> {
    /// Computes the loss of positions.
    pub(super) fn measure(
        &mut self,
        samples: &[Sample],
        entries: &[Entry],
        target: Target,
        network: &Rounded<H>,
    ) {
        self.begin(entries.len(), network.tiles);
        for (block, entries) in entries.chunks(H::BLOCK).enumerate() {
            let mut excess_sum = 0.0;
            for (index, entry) in entries.iter().enumerate() {
                let (sample, index) = (&samples[entry.sample as usize], block * H::BLOCK + index);
                let logit = self.output(index, sample, *entry, target, network);
                excess_sum += excess(logit, target.of(sample));
            }
            self.losses.push(excess_sum);
        }
    }

    /// Computes the loss of positions and its gradients, the latter for a mean over `batch`
    /// positions.
    pub(super) fn compute(
        &mut self,
        samples: &[Sample],
        entries: &[Entry],
        target: Target,
        network: &Rounded<H>,
        batch: usize,
    ) {
        self.begin(entries.len(), network.tiles);
        self.gradients.resize(2 * network.tiles * entries.len(), Lanes::ZERO);
        for (block, entries) in entries.chunks(H::BLOCK).enumerate() {
            let mut sums = network.no_sums();
            for (index, entry) in entries.iter().enumerate() {
                let (sample, index) = (&samples[entry.sample as usize], block * H::BLOCK + index);
                let logit = self.output(index, sample, *entry, target, network);
                let aim = target.of(sample);
                sums.excess += excess(logit, aim);
                let error = (sigmoid(logit) - aim) / batch as f32;
                let first = FirstLayerGradients {
                    all: &mut self.gradients,
                    biases: &mut sums.biases,
                    views: 2 * self.rows.len(),
                    position: index,
                };
                let Self { whole_sums, memory, .. } = self;
                H::differentiate(&network.head, whole_sums, error, memory, first, &mut sums.head);
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
        network: &Rounded<H>,
    ) -> f32 {
        self.begin(1, network.tiles);
        self.output(0, &samples[entry.sample as usize], entry, target, network)
    }

    fn begin(&mut self, positions: usize, tiles: usize) {
        self.rows.clear();
        self.rows.resize(positions, [[0; PieceTerm::PIECES]; 2]);
        self.whole_sums.resize(2 * tiles * LANES, 0);
        self.gradients.clear();
        self.blocks.clear();
        self.losses.clear();
    }

    /// Computes the sums of the first layer of a position. Returns the logit of its expected
    /// result.
    #[inline(always)]
    fn output(
        &mut self,
        index: usize,
        sample: &Sample,
        entry: Entry,
        target: Target,
        network: &Rounded<H>,
    ) -> f32 {
        let inputs = sample.inputs(entry.is_mirrored);
        let zones = sample.kings(entry.is_mirrored).both().map(H::zone);
        let width = network.biases.len();
        for (view, whole) in self.whole_sums.chunks_exact_mut(width).enumerate() {
            let row = |term: u16| usize::from(term) * H::ZONES + zones[view];
            let rows = inputs.terms[view].map(|term| row(term) as u32);
            self.rows[index][view] = rows;
            whole.copy_from_slice(&network.biases);
            let row = |row: u32| &network.rows[row as usize * width..][..width];
            for [first, second] in rows.as_chunks().0 {
                add_rows(whole, row(*first), row(*second));
            }
        }
        let output = H::output(&network.head, &self.whole_sums, &mut self.memory);
        if H::ADDS_TO_BASE { target.logit(sample.base()) + output } else { output }
    }

    /// Lists the views that have each row.
    fn sort_views(&mut self) {
        self.starts.clear();
        let all = PieceTerm::COUNT * H::ZONES;
        self.starts.resize(all + 1, 0);
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
        starts.copy_within(..all, 1);
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
        &self.gradients[tile * views..][..views]
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
