//! The sums of the first layer, computed when they are needed.
//!
//! Each move changes a few features, so that the sums of a position follow from those of the
//! position before. They are only computed for positions that are evaluated: moves note what they
//! change, and an evaluation goes back to the last sums and forward again. A move of a king changes
//! all features of its side. Then the sums follow from those of the last position with the king on
//! this square, which a [cache](crate::king_cache) keeps with its pieces.

use komadai_core::{Color, Move, Position, Square};

use crate::aligned::Aligned;
use crate::architecture::Architecture;
use crate::changes::Changes;
use crate::compact::BaseState;
use crate::feature_set::FeatureSet;
use crate::features::{Features, king_square};
use crate::kernels::Accumulate;
use crate::king_cache::KingCache;
use crate::network::Network;
use crate::row_lists::{MoveRows, RowLists};
use crate::scratch::Scratch;

/// The number of plies whose sums have memory at first: more than most searches reach.
const FEW_PLIES: usize = 32;

/// The sums of the first layer for the positions of one line.
#[derive(Debug, Clone)]
pub struct Accumulator {
    width: usize,
    set: FeatureSet,
    /// The moves since the position was set up, after an entry for that position.
    plies: Vec<Ply>,
    /// `[ply][view][output]`.
    sums: Aligned<i16>,
    /// `[view]`: the features for the last square of the king.
    features: [Features; 2],
    cache: KingCache,
    rows: RowLists,
    scratch: Scratch,
    /// True if only one position is evaluated, for which a cache would be in vain.
    is_single: bool,
    /// The data of the evaluation to which the network adds.
    pub(crate) base: BaseState,
}

#[derive(Debug, Clone, Copy)]
struct Ply {
    /// The move that led here; `None` for the first position.
    changes: Option<Changes>,
    /// The side all of whose features have changed by a move of its king.
    moved_king: Option<Color>,
    /// `[view]`: true if the sums are those of the position.
    is_computed: [bool; 2],
}

impl Ply {
    const START: Self = Self { changes: None, moved_king: None, is_computed: [false; 2] };
}

impl Accumulator {
    /// Starts at a position.
    pub(crate) fn new(architecture: Architecture, base: BaseState) -> Self {
        let width = architecture.stored_width();
        let sums = Aligned::zeroed(2 * width * FEW_PLIES);
        Self { sums, is_single: false, ..Self::single(architecture, base) }
    }

    /// Starts at the only position that is evaluated.
    pub(crate) fn single(architecture: Architecture, base: BaseState) -> Self {
        let (width, set) = (architecture.stored_width(), architecture.features());
        Self {
            width,
            set,
            plies: vec![Ply::START],
            sums: Aligned::zeroed(2 * width),
            features: Color::ALL.map(|color| Features::new(set, color, Square::S55)),
            cache: KingCache::default(),
            rows: RowLists::default(),
            scratch: Scratch::new(width),
            is_single: true,
            base,
        }
    }

    /// Notes the changes of a move that has not been done yet.
    #[inline]
    pub(crate) fn push(&mut self, position: &Position, m: Move) {
        let changes = Changes::of(position, m);
        let us = position.side();
        let class = |king| self.set.king_class(us, king);
        let changes_all = |[from, to]: [_; 2]| class(from) != class(to);
        let moved_king = changes.king().is_some_and(changes_all).then_some(us);
        self.plies.push(Ply { changes: Some(changes), moved_king, is_computed: [false; 2] });
    }

    /// Forgets the last move. The position before the first one is a new start.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.plies.pop();
        if self.plies.is_empty() {
            self.plies.push(Ply::START);
        }
    }

    /// Returns the output of the network for the side to move.
    #[inline]
    pub(crate) fn output(&mut self, network: &Network, position: &Position) -> i32 {
        self.compute(network, position, Color::Black);
        self.compute(network, position, Color::White);
        let last = &self.sums[(self.plies.len() - 1) * 2 * self.width..][..2 * self.width];
        let (black, white) = last.split_at(self.width);
        let sums = match position.side() {
            Color::Black => [black, white],
            Color::White => [white, black],
        };
        network.output(position, sums, &mut self.scratch)
    }

    /// Computes the sums of one view at the last ply.
    fn compute(&mut self, network: &Network, position: &Position, color: Color) {
        let last = self.plies.len() - 1;
        let mut known = last;
        while !self.plies[known].is_computed[color] {
            if self.needs_refresh(known, color) {
                self.refresh(network, position, color);
                return;
            }
            known -= 1;
        }
        if known == last {
            return;
        }
        let king = king_square(position, color);
        if self.features[color].king() != king {
            self.features[color] = Features::new(self.set, color, king);
        }
        self.reserve(last);
        for ply in known + 1..=last {
            self.update(network, ply, color);
        }
    }

    /// Returns whether the sums at a ply do not follow from those before.
    fn needs_refresh(&self, ply: usize, color: Color) -> bool {
        let Ply { changes, moved_king, .. } = self.plies[ply];
        changes.is_none() || moved_king == Some(color) || self.set.depends_on_attacks()
    }

    /// Computes the sums of one view from those of the ply before.
    #[inline(always)]
    fn update(&mut self, network: &Network, ply: usize, color: Color) {
        let (width, features) = (self.width, &self.features[color]);
        let Some(changes) = &self.plies[ply].changes else { return };
        let mut rows = MoveRows::default();
        rows.fill(changes, features, width);
        let (before, after) = self.sums.split_at_mut(2 * width * ply);
        let from = &before[2 * width * (ply - 1) + width * color.index()..][..width];
        let to = &mut after[width * color.index()..][..width];
        let (weights, rows) = (network.weights(), rows.rows());
        network.chosen().run(Accumulate { to, from, weights, rows });
        self.plies[ply].is_computed[color] = true;
    }

    /// Computes the sums of one view at the last ply from the cache.
    fn refresh(&mut self, network: &Network, position: &Position, color: Color) {
        let width = self.width;
        let last = self.plies.len() - 1;
        self.reserve(last);
        let to = &mut self.sums[2 * width * last + width * color.index()..][..width];
        if self.is_single {
            KingCache::compute(network, position, color, to, &mut self.rows);
        } else {
            self.cache.refresh(network, position, color, to, &mut self.rows);
        }
        self.plies[last].is_computed[color] = true;
    }

    /// Takes memory for the sums at a ply.
    #[inline]
    fn reserve(&mut self, ply: usize) {
        let needed = 2 * self.width * (ply + 1);
        if needed > self.sums.len() {
            self.grow(4 * needed);
        }
    }

    #[cold]
    fn grow(&mut self, len: usize) {
        let mut larger = Aligned::zeroed(len);
        larger[..self.sums.len()].copy_from_slice(&self.sums);
        self.sums = larger;
    }
}
