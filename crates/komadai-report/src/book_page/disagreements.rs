//! Disagreements between engines about the values of moves.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use komadai_book::refresh::{ScaleShift, ValuePair, fit_scale};
use komadai_book::store::LogEntry;
use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_core::{AnalystId, Bound, Color, Move, Position, Score};

use super::for_black::for_black;

/// Two engines that have valued the same moves.
#[derive(Debug, Clone, PartialEq)]
pub struct EnginePair {
    /// The engine that came to the book first.
    pub one: AnalystId,
    /// The other.
    pub other: AnalystId,
    /// The number of moves to which both gave an exact value in centipawns.
    pub moves: u64,
    /// The values of a random sample of these moves, for the side that moves: `old` is that of
    /// `one`, `new` that of `other`.
    pub sample: Vec<ValuePair>,
    /// The linear relation of both scales, fitted to the sample.
    pub shift: Option<ScaleShift>,
    /// The moves with the largest differences of both values, largest first.
    pub furthest: Vec<Disagreement>,
}

/// A move on which two engines disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The position.
    pub position: Position,
    /// The move.
    pub m: Move,
    /// The last value of the first engine, for Black.
    pub one: Score,
    /// The last value of the second engine, for Black.
    pub other: Score,
}

/// The size of the sample of two engines: enough for a stable fit, and small enough to be kept in
/// memory.
const MOST_PAIRS: usize = 20_000;

/// A comparison of analysts with each other. Analyses are added in the order of positions.
pub(super) struct Comparison {
    analysts: Vec<AnalystId>,
    /// The pairs of analysts, the lower index first.
    pairs: Vec<Pair>,
    most: usize,
    position: Option<PositionKey>,
    side: Color,
    ply: u32,
    /// The last exact values of each move of the position, by analyst.
    values: BTreeMap<u16, (Move, Vec<Option<i32>>)>,
}

struct Pair {
    places: [usize; 2],
    moves: u64,
    sample: Vec<ValuePair>,
    /// The largest differences so far, the smallest of them on top.
    furthest: BinaryHeap<Reverse<Apart>>,
    random: u64,
}

/// A move with two different values, ordered by their distance, earlier positions before later
/// ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Apart {
    distance: u32,
    number: Reverse<u64>,
    key: PositionKey,
    is_white: bool,
    ply: u32,
    m: u16,
    values: [i32; 2],
}

impl Comparison {
    /// Creates a comparison of each two of these analysts that keeps `most` moves of each pair.
    pub(super) fn new(analysts: Vec<AnalystId>, most: usize) -> Self {
        let mut pairs = Vec::new();
        for other in 0..analysts.len() {
            pairs.extend((0..other).map(|one| Pair::new([one, other])));
        }
        let values = BTreeMap::new();
        Self { analysts, pairs, most, position: None, side: Color::Black, ply: 1, values }
    }

    /// Adds the next analysis. Those of one position must follow each other.
    pub(super) fn add(&mut self, entry: &LogEntry) {
        let logged = &entry.analysis;
        let Some(place) = self.analysts.iter().position(|known| *known == logged.analyst) else {
            return;
        };
        let Ok(key) = PositionKey::try_of(&logged.position) else { return };
        let side = logged.position.side();
        if self.position != Some(key) {
            self.finish_position();
            self.position = Some(key);
            (self.side, self.ply) = (side, logged.position.ply());
        }
        for line in logged.analysis.lines.iter().filter(|line| line.bound == Bound::Exact) {
            if let (Some(&m), Some(value)) = (line.pv.first(), line.score.to_cp()) {
                let m = turn(m, side);
                let no_values = || (m, vec![None; self.analysts.len()]);
                self.values.entry(m.to_bits()).or_insert_with(no_values).1[place] = Some(value);
            }
        }
    }

    /// The first `most` pairs that have moves in common, those with most such moves first.
    pub(super) fn finish(mut self, most: usize) -> Vec<EnginePair> {
        self.finish_position();
        self.pairs.retain(|pair| pair.moves > 0);
        self.pairs.sort_by_key(|pair| Reverse(pair.moves));
        let pairs = self.pairs.into_iter().take(most);
        pairs.map(|pair| pair.finish(&self.analysts)).collect()
    }

    fn finish_position(&mut self) {
        let Some(key) = self.position else { return };
        for (m, values) in core::mem::take(&mut self.values).into_values() {
            for pair in &mut self.pairs {
                let [Some(one), Some(other)] = pair.places.map(|place| values[place]) else {
                    continue;
                };
                pair.count(one, other);
                pair.keep(
                    self.most,
                    Apart {
                        distance: one.abs_diff(other),
                        number: Reverse(pair.moves),
                        key,
                        is_white: self.side == Color::White,
                        ply: self.ply,
                        m: m.to_bits(),
                        values: [one, other],
                    },
                );
            }
        }
    }
}

impl Pair {
    fn new(places: [usize; 2]) -> Self {
        let (sample, furthest) = (Vec::new(), BinaryHeap::new());
        Self { places, moves: 0, sample, furthest, random: 0 }
    }

    /// Counts a pair of values, and updates the sample. Each move has the same probability to be in
    /// it (reservoir sampling, J. S. Vitter, *Random sampling with a reservoir*, 1985, algorithm
    /// R).
    fn count(&mut self, one: i32, other: i32) {
        self.moves += 1;
        let pair = ValuePair { old: one.into(), new: other.into() };
        if self.sample.len() < MOST_PAIRS {
            self.sample.push(pair);
            return;
        }
        // The constants of Knuth's MMIX generator. A fixed seed makes reports reproducible.
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let drawn = (self.random >> 16) % self.moves;
        if let Some(place) = usize::try_from(drawn).ok().and_then(|at| self.sample.get_mut(at)) {
            *place = pair;
        }
    }

    fn keep(&mut self, most: usize, apart: Apart) {
        if apart.distance == 0 {
            return;
        }
        self.furthest.push(Reverse(apart));
        if self.furthest.len() > most {
            self.furthest.pop();
        }
    }

    fn finish(self, analysts: &[AnalystId]) -> EnginePair {
        let [one, other] = self.places.map(|place| analysts[place].clone());
        // Ascending order of the reverse is descending order.
        let furthest = self.furthest.into_sorted_vec();
        EnginePair {
            one,
            other,
            moves: self.moves,
            shift: fit_scale(&self.sample),
            sample: self.sample,
            furthest: furthest
                .into_iter()
                .filter_map(|Reverse(apart)| apart.disagreement())
                .collect(),
        }
    }
}

impl Apart {
    fn disagreement(self) -> Option<Disagreement> {
        let side = if self.is_white { Color::White } else { Color::Black };
        let position = self.key.position(side, self.ply).expect("the key is that of a position");
        let [one, other] = self.values.map(|value| for_black(Score::cp(value), side));
        Some(Disagreement { position, m: turn(Move::from_bits(self.m)?, side), one, other })
    }
}
