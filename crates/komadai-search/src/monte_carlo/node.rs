//! The nodes of the tree and their moves.

use core::ops::Range;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use komadai_core::Move;

/// The parts of one in the fixed-point sums of a node.
const ONE: f64 = (1u64 << 24) as f64;

/// The index of a node or edge that does not exist.
pub(super) const NONE: u32 = u32::MAX;

/// A position of the tree. All rates are expected results (win 1, draw ½, loss 0) of its side to
/// move.
///
/// Threads read and write the words of a node without a lock. Relaxed order suffices: a word that
/// is seen a moment late shifts a rate by one result; what must be complete is published by
/// [`set_edges`](Self::set_edges).
#[derive(Debug)]
pub(super) struct Node {
    pub(super) key: AtomicU64,
    /// Sum of the results that have passed through.
    sum: AtomicU64,
    /// Sum of their squares.
    squares: AtomicU64,
    /// Number of results.
    visits: AtomicU32,
    /// The backed-up rate: bits of an `f32`.
    rate: AtomicU32,
    /// The backed-up best rate of implicit minimax: bits of an `f32`.
    minimax: AtomicU32,
    first_edge: AtomicU32,
    /// The state of expansion in the upper bits, below it the number of edges.
    expansion: AtomicU32,
    /// 0 or a [`Proof`].
    proof: AtomicU32,
}

/// A proven result of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Proof {
    /// True if the side to move wins.
    pub(super) wins: bool,
    /// True if the game ends by a declaration in some line, and not by mate.
    pub(super) declares: bool,
    /// The number of plies to the end of the game.
    pub(super) plies: u32,
}

impl Proof {
    /// The side to move has no legal move.
    pub(super) const MATED: Self = Self { wins: false, declares: false, plies: 0 };

    /// The side to move can declare a win.
    pub(super) const DECLARES: Self = Self { wins: true, declares: true, plies: 0 };

    /// Returns the proof of a mate by the side to move in this number of plies.
    pub(super) const fn mate_in(plies: u32) -> Self {
        Self { wins: true, declares: false, plies }
    }

    /// Returns the proof of the position before, if this is the one of the best move.
    pub(super) const fn before(self) -> Self {
        Self { wins: !self.wins, declares: self.declares, plies: self.plies + 1 }
    }

    /// Returns the expected result of the side to move.
    pub(super) fn rate(self) -> f32 {
        if self.wins { 1.0 } else { 0.0 }
    }

    const fn to_bits(self) -> u32 {
        self.plies << 3 | (self.declares as u32) << 2 | (self.wins as u32) << 1 | 1
    }

    const fn from_bits(bits: u32) -> Option<Self> {
        if bits == 0 {
            return None;
        }
        Some(Self { wins: bits & 2 != 0, declares: bits & 4 != 0, plies: bits >> 3 })
    }
}

/// States of expansion; the lower bits count the edges.
const LEAF: u32 = 0;
const BEING_EXPANDED: u32 = 1 << 30;
const EXPANDED: u32 = 2 << 30;

impl Default for Node {
    fn default() -> Self {
        Self {
            key: AtomicU64::new(0),
            sum: AtomicU64::new(0),
            squares: AtomicU64::new(0),
            visits: AtomicU32::new(0),
            rate: AtomicU32::new(0.5f32.to_bits()),
            minimax: AtomicU32::new(0.5f32.to_bits()),
            first_edge: AtomicU32::new(NONE),
            expansion: AtomicU32::new(LEAF),
            proof: AtomicU32::new(0),
        }
    }
}

fn fixed(x: f32) -> u64 {
    (f64::from(x) * ONE) as u64
}

impl Node {
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// Returns the mean of all results, ½ without any.
    #[inline]
    pub(super) fn mean(&self) -> f32 {
        self.mean_of(&self.sum).unwrap_or(0.5)
    }

    /// Returns the variance of the results.
    #[inline]
    pub(super) fn variance(&self) -> f32 {
        let mean = self.mean();
        self.mean_of(&self.squares).map_or(0.25, |squares| (squares - mean * mean).max(0.0))
    }

    fn mean_of(&self, sum: &AtomicU64) -> Option<f32> {
        let visits = self.visits();
        (visits > 0).then(|| (sum.load(Ordering::Relaxed) as f64 / ONE / f64::from(visits)) as f32)
    }

    /// Adds a result and returns the new mean.
    pub(super) fn add(&self, result: f32) -> f32 {
        self.sum.fetch_add(fixed(result), Ordering::Relaxed);
        self.squares.fetch_add(fixed(result * result), Ordering::Relaxed);
        self.visits.fetch_add(1, Ordering::Relaxed);
        self.mean()
    }

    #[inline]
    pub(super) fn rate(&self) -> f32 {
        f32::from_bits(self.rate.load(Ordering::Relaxed))
    }

    pub(super) fn set_rate(&self, rate: f32) {
        self.rate.store(rate.to_bits(), Ordering::Relaxed);
    }

    pub(super) fn minimax(&self) -> f32 {
        f32::from_bits(self.minimax.load(Ordering::Relaxed))
    }

    pub(super) fn set_minimax(&self, rate: f32) {
        self.minimax.store(rate.to_bits(), Ordering::Relaxed);
    }

    /// Returns the proof, if there is one.
    #[inline]
    pub(super) fn proof(&self) -> Option<Proof> {
        Proof::from_bits(self.proof.load(Ordering::Relaxed))
    }

    /// Sets the proof. One that is already there stays, unless it is a longer win: another thread
    /// may know a shorter one.
    pub(super) fn set_proof(&self, proof: Proof) {
        let next = |bits: u32| {
            let is_better = Proof::from_bits(bits)
                .is_none_or(|old| old.wins && proof.wins && proof.plies < old.plies);
            is_better.then(|| proof.to_bits())
        };
        // An error says that the old proof is as good.
        let _ = self.proof.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        self.set_rate(proof.rate());
        self.set_minimax(proof.rate());
    }

    /// Returns whether the caller is the one to expand the node.
    pub(super) fn start_expansion(&self) -> bool {
        let acquire = Ordering::Acquire;
        let relaxed = Ordering::Relaxed;
        self.expansion.compare_exchange(LEAF, BEING_EXPANDED, acquire, relaxed).is_ok()
    }

    /// Gives up an expansion.
    pub(super) fn cancel_expansion(&self) {
        self.expansion.store(LEAF, Ordering::Release);
    }

    /// Publishes the edges, which are complete.
    pub(super) fn set_edges(&self, edges: Range<u32>) {
        self.first_edge.store(edges.start, Ordering::Relaxed);
        // Release: who sees the state sees the edges.
        self.expansion.store(EXPANDED | edges.len() as u32, Ordering::Release);
    }

    /// Returns the indices of the edges; `None` before the expansion.
    #[inline]
    pub(super) fn edges(&self) -> Option<Range<u32>> {
        let count = self.expansion.load(Ordering::Acquire).checked_sub(EXPANDED)?;
        let first = self.first_edge.load(Ordering::Relaxed);
        Some(first..first + count)
    }

    /// Copies the results of `other`, without its edges.
    pub(super) fn copy_results(&self, other: &Self) {
        let words64 =
            [(&self.key, &other.key), (&self.sum, &other.sum), (&self.squares, &other.squares)];
        for (own, word) in words64 {
            own.store(word.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        let words32 = [
            (&self.visits, &other.visits),
            (&self.rate, &other.rate),
            (&self.minimax, &other.minimax),
            (&self.proof, &other.proof),
        ];
        for (own, word) in words32 {
            own.store(word.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }
}

/// A move of a node: 16 bytes.
#[derive(Debug)]
pub(super) struct Edge {
    /// The move, and the prior in the upper half.
    head: AtomicU32,
    /// The node after the move, [`NONE`] before the first visit.
    child: AtomicU32,
    /// Number of visits, those under way included.
    visits: AtomicU32,
    /// The expected result of the mover: bits of an `f32`; negative for a proven loss.
    rate: AtomicU32,
}

impl Default for Edge {
    fn default() -> Self {
        Self {
            head: AtomicU32::new(0),
            child: AtomicU32::new(NONE),
            visits: AtomicU32::new(0),
            rate: AtomicU32::new(0.5f32.to_bits()),
        }
    }
}

/// The rate of a move that loses for certain, below all others.
const LOST: f32 = -1.0;

impl Edge {
    /// Sets move and prior; the latter is in [0, 1].
    pub(super) fn set(&self, m: Move, prior: f32) {
        let prior = (prior.clamp(0.0, 1.0) * 65_535.0 + 0.5) as u32;
        self.head.store(prior << 16 | u32::from(m.to_bits()), Ordering::Relaxed);
    }

    /// Returns the move.
    #[inline]
    pub(super) fn m(&self) -> Move {
        // Only `set` writes the word, with the bits of a move.
        Move::from_bits(self.head.load(Ordering::Relaxed) as u16)
            .expect("the edges of a node are set before they are published")
    }

    #[inline]
    pub(super) fn prior(&self) -> f32 {
        (self.head.load(Ordering::Relaxed) >> 16) as f32 * (1.0 / 65_535.0)
    }

    #[inline]
    pub(super) fn child(&self) -> Option<u32> {
        let child = self.child.load(Ordering::Relaxed);
        (child != NONE).then_some(child)
    }

    pub(super) fn set_child(&self, child: u32) {
        self.child.store(child, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    #[inline]
    pub(super) fn rate(&self) -> f32 {
        f32::from_bits(self.rate.load(Ordering::Relaxed))
    }

    #[inline]
    pub(super) fn is_lost(&self) -> bool {
        self.rate() < 0.0
    }

    /// Sets the rate. A lost move stays lost.
    pub(super) fn set_rate(&self, rate: f32) {
        if !self.is_lost() {
            // A mean of wins may be a little more than 1, so that its opposite would be that of a
            // lost move.
            self.rate.store(rate.max(0.0).to_bits(), Ordering::Relaxed);
        }
    }

    /// Marks the move as lost by force.
    pub(super) fn set_lost(&self) {
        self.rate.store(LOST.to_bits(), Ordering::Relaxed);
    }

    /// Counts a visit, and lowers the rate as if it were lost until the result is known (virtual
    /// loss), so that other threads try other moves.
    pub(super) fn enter(&self) {
        let visits = self.visits.fetch_add(1, Ordering::Relaxed) as f32;
        self.set_rate(self.rate().max(0.0) * visits / (visits + 1.0));
    }

    /// Takes a visit without result back; `rate` is the rate before.
    pub(super) fn leave(&self, rate: f32) {
        self.visits.fetch_sub(1, Ordering::Relaxed);
        self.set_rate(rate);
    }

    /// Copies everything but the child.
    pub(super) fn copy_results(&self, other: &Self) {
        let words =
            [(&self.head, &other.head), (&self.visits, &other.visits), (&self.rate, &other.rate)];
        for (own, word) in words {
            own.store(word.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }
}

const _: () = assert!(size_of::<Node>() == 48 && size_of::<Edge>() == 16);

/// The results of the lines in which a move was made at its node or later, in 8 bytes.
#[derive(Debug, Default)]
pub(super) struct LaterResults {
    visits: AtomicU32,
    /// The mean: bits of an `f32`.
    rate: AtomicU32,
}

impl LaterResults {
    /// Adds a result. Two threads at the same time may lose one, which does not matter.
    pub(super) fn add(&self, result: f32) {
        let visits = self.visits.load(Ordering::Relaxed).saturating_add(1);
        let rate = f32::from_bits(self.rate.load(Ordering::Relaxed));
        self.visits.store(visits, Ordering::Relaxed);
        self.rate.store((rate + (result - rate) / visits as f32).to_bits(), Ordering::Relaxed);
    }

    pub(super) fn copy_results(&self, other: &Self) {
        self.visits.store(other.visits.load(Ordering::Relaxed), Ordering::Relaxed);
        self.rate.store(other.rate.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Returns the mean, if there is a result.
    #[inline]
    pub(super) fn rate(&self) -> Option<f32> {
        let visits = self.visits.load(Ordering::Relaxed);
        (visits > 0).then(|| f32::from_bits(self.rate.load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_counts_mean_and_variance() {
        let node = Node::default();
        assert_eq!((node.mean(), node.visits()), (0.5, 0));
        for result in [1.0, 0.0, 1.0, 1.0] {
            node.add(result);
        }
        assert_eq!((node.mean(), node.variance(), node.visits()), (0.75, 0.1875, 4));
    }

    #[test]
    fn a_proof_sets_the_rates() {
        let node = Node::default();
        assert_eq!(node.proof(), None);
        for proof in [Proof::mate_in(7), Proof::MATED, Proof::DECLARES, Proof::DECLARES.before()] {
            let node = Node::default();
            node.set_proof(proof);
            assert_eq!(node.proof(), Some(proof));
            assert_eq!(node.rate(), proof.rate());
        }
    }

    #[test]
    fn a_proof_stays_unless_a_win_is_shorter() {
        let node = Node::default();
        for (plies, kept) in [(7, 7), (9, 7), (3, 3), (5, 3)] {
            node.set_proof(Proof::mate_in(plies));
            assert_eq!(node.proof(), Some(Proof::mate_in(kept)));
        }
    }

    #[test]
    fn an_edge_under_way_counts_as_lost_until_the_result_is_known() {
        let edge = Edge::default();
        edge.set("7g7f".parse().unwrap(), 0.25);
        assert_eq!(edge.m().to_string(), "7g7f");
        assert!((edge.prior() - 0.25).abs() < 1e-4);
        edge.enter();
        edge.set_rate(0.8);
        edge.enter();
        assert_eq!((edge.visits(), edge.rate()), (2, 0.4));
        edge.leave(0.8);
        assert_eq!((edge.visits(), edge.rate()), (1, 0.8));
        edge.set_rate(1.0 - 1.000_000_1);
        assert!(!edge.is_lost(), "only a proof loses a move");
        edge.set_lost();
        edge.set_rate(0.5);
        assert!(edge.is_lost());
    }
}
