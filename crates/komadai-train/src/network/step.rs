//! A step of a training: a batch on all threads.

use komadai_nnue::PieceTerm;

use super::batch::{Entry, Part};
use super::head::Head;
use super::lanes::{LANES, Lanes};
use super::rows::{RowsMut, Step};
use super::sample::Sample;
use super::target::Target;
use super::weights::{Rounded, Sums, Weights, round_term, set_fixed};

/// The threads of a training with their memory.
#[derive(Debug)]
pub(super) struct Workers<H: Head> {
    parts: Vec<Part<H>>,
    /// The positions of a batch, by the zones of their kings.
    entries: Vec<Entry>,
}

/// The terms of one thread, with their weights.
struct Share<'a, H: Head> {
    first_term: usize,
    zoned: RowsMut<'a>,
    shared: RowsMut<'a>,
    /// `[term][zone][tile]`.
    rounded: &'a mut [[i16; LANES]],
    head: &'a H::Rounded,
}

impl<H: Head> Workers<H> {
    pub(super) fn new(threads: usize) -> Self {
        Self { parts: (0..threads).map(|_| Part::default()).collect(), entries: Vec::new() }
    }

    /// Changes the weights by the gradient of a batch. Returns the mean loss before.
    pub(super) fn learn(
        &mut self,
        weights: &mut Weights<H>,
        samples: &[Sample],
        batch: impl Iterator<Item = Entry>,
        target: Target,
        step: Step,
    ) -> f64 {
        self.sort_by_zones(samples, batch);
        let count = self.entries.len();
        let network = &weights.rounded;
        self.on_threads(|part, entries| part.compute(samples, entries, target, network, count));
        let sums = self.block_sums(network);
        self.update(weights, step);
        weights.apply_others(&sums, step);
        sums.excess / count as f64
    }

    /// Returns the mean loss over all positions.
    pub(super) fn measure(
        &mut self,
        weights: &Weights<H>,
        samples: &[Sample],
        target: Target,
    ) -> f64 {
        const AT_ONCE: usize = 16_384;
        let mut excess = 0.0;
        for first in (0..samples.len()).step_by(AT_ONCE) {
            let chunk = first..samples.len().min(first + AT_ONCE);
            self.entries.clear();
            let entry = |sample| Entry { sample: sample as u32, is_mirrored: false };
            self.entries.extend(chunk.map(entry));
            let network = &weights.rounded;
            self.on_threads(|part, entries| part.measure(samples, entries, target, network));
            excess += self.parts.iter().flat_map(|part| &part.losses).sum::<f64>();
        }
        excess / samples.len().max(1) as f64
    }

    /// Sorts a batch by the zones of the kings, so that neighbours need the same weights.
    fn sort_by_zones(&mut self, samples: &[Sample], batch: impl Iterator<Item = Entry>) {
        self.entries.clear();
        self.entries.extend(batch);
        self.entries.sort_by_cached_key(|entry| {
            let sample = &samples[entry.sample as usize];
            let [own, other] = sample.kings(entry.is_mirrored).both().map(H::zone);
            (own * H::ZONES + other) as u16
        });
    }

    /// Calls a function on each thread with its share of the entries.
    fn on_threads(&mut self, work: impl Fn(&mut Part<H>, &[Entry]) + Sync) {
        let blocks = self.entries.len().div_ceil(H::BLOCK).div_ceil(self.parts.len());
        let mut shares = self.entries.chunks(blocks.max(1) * H::BLOCK);
        let (first, others) = self.parts.split_at_mut(1);
        let first_share = shares.next().unwrap_or_default();
        std::thread::scope(|scope| {
            for part in others {
                let (share, work) = (shares.next().unwrap_or_default(), &work);
                scope.spawn(move || work(part, share));
            }
            first.iter_mut().for_each(|part| work(part, first_share));
        });
    }

    /// Adds the sums of all blocks in their order.
    fn block_sums(&self, network: &Rounded<H>) -> Sums<H> {
        let mut sums = network.no_sums();
        self.parts.iter().flat_map(|part| &part.blocks).for_each(|block| sums.add(block));
        sums
    }

    /// Changes the rows of the first layer, each on one thread.
    fn update(&self, weights: &mut Weights<H>, step: Step) {
        let shares = self.shares(weights);
        let parts = &self.parts;
        std::thread::scope(|scope| {
            let mut shares = shares.into_iter();
            let first = shares.next();
            for share in shares {
                scope.spawn(move || share.update(parts, step));
            }
            first.into_iter().for_each(|share| share.update(parts, step));
        });
    }

    /// Divides the terms among the threads, with about as many views for each.
    fn shares<'a>(&self, weights: &'a mut Weights<H>) -> Vec<Share<'a, H>> {
        let threads = self.parts.len();
        let tiles = weights.rounded.tiles;
        let views = |term: usize| -> usize {
            let rows = term * H::ZONES..(term + 1) * H::ZONES;
            rows.map(|row| self.parts.iter().map(|part| part.views(row).len()).sum::<usize>()).sum()
        };
        let counts: Vec<usize> = (0..PieceTerm::COUNT).map(views).collect();
        let all: usize = counts.iter().sum();
        let mut rest = Share {
            first_term: 0,
            zoned: weights.zoned.all(),
            shared: weights.shared.all(),
            rounded: weights.rounded.rows.as_chunks_mut().0,
            head: &weights.rounded.head,
        };
        let (mut shares, mut seen, mut first) = (Vec::with_capacity(threads), 0, 0);
        for (term, count) in counts.into_iter().enumerate() {
            if seen >= all * (shares.len() + 1) / threads && shares.len() + 1 < threads {
                let (share, others) = rest.split_at(term - first, tiles);
                shares.push(share);
                (rest, first) = (others, term);
            }
            seen += count;
        }
        shares.push(rest);
        shares
    }
}

impl<H: Head> Share<'_, H> {
    fn split_at(self, terms: usize, tiles: usize) -> (Self, Self) {
        let (zoned, other_zoned) = self.zoned.split_at(terms * H::ZONES);
        let (shared, other_shared) = self.shared.split_at(terms);
        let (rounded, other_rounded) = self.rounded.split_at_mut(terms * H::ZONES * tiles);
        let first_term = self.first_term;
        let other = Self {
            first_term: first_term + terms,
            zoned: other_zoned,
            shared: other_shared,
            rounded: other_rounded,
            head: self.head,
        };
        (Self { first_term, zoned, shared, rounded, head: self.head }, other)
    }

    /// Changes the rows of the terms, one tile after another, so that the gradients of all views
    /// are in the processor's cache.
    fn update(mut self, parts: &[Part<H>], step: Step) {
        let tiles = self.shared.tiles;
        let terms = self.shared.weights.len() / tiles;
        let first_row = self.first_term * H::ZONES;
        let has_gradient =
            |row: &usize| parts.iter().any(|part| !part.views(first_row + row).is_empty());
        let mut zone_steps = vec![Vec::new(); H::ZONES];
        let mut term_steps = Vec::new();
        for term in 0..terms {
            let rows = (term * H::ZONES..).take(H::ZONES).filter(has_gradient);
            let mut is_seen = false;
            for row in rows {
                is_seen = true;
                zone_steps[row % H::ZONES].push((row, self.zoned.begin(row, step)));
            }
            if is_seen {
                let step = Step { decay: step.shared_decay, ..step };
                term_steps.push((term, self.shared.begin(term, step)));
            }
        }
        let mut sums = vec![Lanes::ZERO; terms];
        let mut gradient = Lanes::ZERO;
        for tile in 0..tiles {
            sums.fill(Lanes::ZERO);
            for (row, row_step) in zone_steps.iter().flatten() {
                gather(&mut gradient, parts, first_row + row, tile);
                self.zoned.apply(*row, tile, &gradient, *row_step);
                sums[row / H::ZONES].add(&gradient);
            }
            for (term, row_step) in &term_steps {
                self.shared.apply(*term, tile, &sums[*term], *row_step);
                round_term::<H>(&mut self.zoned, &self.shared, *term, tile, self.rounded);
                if let Some(weight) = H::fixed_weight(self.head, self.first_term + term)
                    && tile + 1 == tiles
                {
                    set_fixed::<H>(self.rounded, *term, tiles, weight);
                }
            }
        }
    }
}

/// Adds the gradients of a row, four at a time.
///
/// The groups of four do not depend on the parts, for they decide about the last bits of the sum.
pub(super) fn gather<H: Head>(sum: &mut Lanes, parts: &[Part<H>], row: usize, tile: usize) {
    *sum = Lanes::ZERO;
    let (mut four, mut waiting) = ([&Lanes::ZERO; 4], 0);
    for part in parts {
        let gradients = part.gradients(tile);
        for view in part.views(row) {
            four[waiting] = &gradients[*view as usize];
            waiting += 1;
            if waiting == four.len() {
                sum.add_four(four);
                waiting = 0;
            }
        }
    }
    four[..waiting].iter().for_each(|gradient| sum.add(gradient));
}
