//! The exact value of every position of a book.
//!
//! # The game
//!
//! The side to move chooses a move. A leaf ends the play and pays its value to the side that made
//! the move. Endless play pays nothing, with one exception: if from some point on one side gives
//! check with every move, and the other does not, the side that gives check has lost (perpetual
//! check, 連続王手の千日手). This is a deterministic graphical game, in which every position has one value:
//!
//! ```text
//! value(n) = max over moves ( leaf value | −value(successor) )
//! ```
//!
//! # The solution
//!
//! Values are settled in order of descending size, as retrograde analysis settles mates by
//! descending speed:
//!
//! - A position is *won* with `v > 0` as soon as one move is a leaf with the value `v` or leads to
//!   a position lost with `v`. All larger values are settled, so no move can be better.
//! - It is *lost* with `−v` as soon as every move is a leaf with the value `−v` or less or leads to
//!   a position won with `v` or more, with equality for one. No remaining move can be better than
//!   that.
//! - Before the next smaller value, positions from which the side in check can keep up a perpetual
//!   check at this value or more are settled ([`perpetual_check`](super::perpetual_check)).
//! - A position that is never settled is a draw: 0.
//!
//! Each edge is visited a constant number of times and enters a priority queue once. So the
//! solution takes O(E log E) time, with any cycles, and does not depend on the order of the book.
//!
//! Among moves of equal value, the winning side prefers the shorter way to the leaf, the losing
//! side the longer, and at value 0 both the shorter.
//!
//! Source: the recursion and its uniqueness are those of deterministic graphical games (A. Washburn
//! 1990, *Deterministic graphical games*, J. Math. Anal. Appl. 153; D. Andersson, K. A. Hansen, P.
//! B. Miltersen, T. B. Sørensen 2012, *Deterministic graphical games revisited*, J. Logic Comput.
//! 22).

mod queue;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use self::queue::{Candidate, Queue, Sign};
use super::graphical_game::{Game, ends_the_play};
use super::listed_move::UNKNOWN;
use super::perpetual_check::CheckLoops;
use super::values::{
    Basis, NodeValue, PERPETUAL_RANK, REPETITION_RANK, RankedScore, Values, farther,
};

/// Computes the values of all nodes.
pub(crate) fn solve(game: &impl Game) -> Values {
    let mut solver = Solver::new(game);
    let mut loops = CheckLoops::find(game);
    solver.start();
    while let Some(size) = solver.next_size().max(loops.next_size()) {
        // In the order of ranks: first the values that rest on leaves, then the perpetual checks of
        // this size, then the values that rest on them.
        solver.settle(size, PERPETUAL_RANK, &mut loops);
        solver.settle_perpetual_checks(size, &mut loops);
        solver.settle(size, u16::MAX, &mut loops);
        // The values just settled may close further check loops of the same size.
        while solver.settle_perpetual_checks(size, &mut loops) {
            solver.settle(size, u16::MAX, &mut loops);
        }
    }
    solver.finish()
}

/// The state of the solution.
#[derive(Debug)]
struct Solver<'a, G> {
    game: &'a G,
    nodes: Vec<NodeState>,
    queue: Queue,
}

/// The state of a node.
///
/// The fields are read together, in random order of nodes. One list of this type costs one cache
/// miss a node; a list for each field would cost several.
#[derive(Debug, Clone, Copy)]
struct NodeState {
    value: NodeValue,
    /// The number of edges to nodes that are not known to be won there.
    open: u16,
    /// The smallest value with which a successor is known to be won; `i16::MAX` if none is.
    least_won: i16,
}

impl<'a, G: Game> Solver<'a, G> {
    fn new(game: &'a G) -> Self {
        let nodes = 0..game.len() as u32;
        let state = |node| NodeState {
            value: NodeValue::NONE,
            open: game.successors(node).count() as u16,
            least_won: i16::MAX,
        };
        Self { game, nodes: nodes.map(state).collect(), queue: Queue::default() }
    }

    /// The value of a settled node.
    #[inline]
    fn score(&self, node: u32) -> Option<i16> {
        Some(self.ranked_score(node).score).filter(|&score| score != UNKNOWN)
    }

    #[inline]
    fn ranked_score(&self, node: u32) -> RankedScore {
        self.nodes[node as usize].value.ranked_score
    }

    /// Queues the nodes that leaves decide.
    fn start(&mut self) {
        for node in 0..self.game.len() as u32 {
            match self.game.best_leaf(node) {
                Some(leaf) if leaf.score > 0 => self.push(node, leaf.score, leaf.rank, Sign::Won),
                _ => self.lose_if_closed(node),
            }
        }
        self.queue.start();
    }

    fn push(&mut self, node: u32, size: i16, rank: u16, sign: Sign) {
        self.queue.push(Candidate::new(node, size, rank, sign));
    }

    /// The largest size in the queue.
    fn next_size(&self) -> Option<i16> {
        self.queue.peek().map(Candidate::size)
    }

    /// Settles all queued candidates of a size larger than `least`, and those of that size with a
    /// rank smaller than `rank`.
    fn settle(&mut self, least: i16, rank: u16, loops: &mut CheckLoops) {
        while let Some(candidate) = self.queue.peek() {
            if candidate.size() < least || candidate.size() == least && candidate.rank() >= rank {
                return;
            }
            self.queue.pop();
            // A node has one candidate for each way to win; the first one is the best.
            if self.score(candidate.node()).is_none() {
                let size = candidate.size();
                let score = if candidate.sign() == Sign::Won { size } else { -size };
                let ranked_score = RankedScore { score, rank: candidate.rank() };
                self.settle_node(
                    candidate.node(),
                    NodeValue { ranked_score, basis: Basis::Leaf },
                    loops,
                );
            }
        }
    }

    /// Settles the nodes that perpetual check decides at this size. Returns whether a side in check
    /// holds any of them.
    fn settle_perpetual_checks(&mut self, size: i16, loops: &mut CheckLoops) -> bool {
        let mut is_any_held = false;
        while let Some(held) = loops.next_held(self.game, |node| self.score(node), size) {
            is_any_held |= !held.evader.is_empty();
            for (nodes, score) in [(held.evader, size), (held.checker, -size)] {
                for node in nodes {
                    // A node may be held in both roles; the first one counts.
                    if self.score(node).is_none() {
                        let ranked_score = RankedScore { score, rank: PERPETUAL_RANK };
                        let basis = Basis::PerpetualCheck;
                        self.settle_node(node, NodeValue { ranked_score, basis }, loops);
                    }
                }
            }
        }
        is_any_held
    }

    /// Settles the value of a node, which is not 0, and updates its predecessors.
    fn settle_node(&mut self, node: u32, value: NodeValue, loops: &mut CheckLoops) {
        self.nodes[node as usize].value = value;
        let RankedScore { score, rank } = value.ranked_score;
        let game = self.game;
        for previous in game.predecessors(node) {
            if self.score(previous).is_some() {
                continue;
            }
            if score < 0 {
                // A move to a lost node wins. The queue settles larger sizes first.
                self.push(previous, -score, farther(rank), Sign::Won);
            } else {
                let state = &mut self.nodes[previous as usize];
                state.open -= 1;
                state.least_won = score.min(state.least_won);
                loops.mark_bad_move(previous);
                self.lose_if_closed(previous);
            }
        }
    }

    /// Queues a node as lost if every move of it is known to be bad.
    fn lose_if_closed(&mut self, node: u32) {
        let NodeState { value, open, least_won } = self.nodes[node as usize];
        if open > 0 || value.ranked_score.score != UNKNOWN {
            return;
        }
        let leaf = self.game.best_leaf(node);
        let from_edges = (least_won != i16::MAX).then(|| -least_won);
        // With a leaf of value 0 or more the node is not lost.
        let best = from_edges.max(leaf.map(|leaf| leaf.score));
        let Some(best) = best.filter(|&best| best < 0) else { return };
        let by_leaf = leaf.filter(|leaf| leaf.score == best).map(|leaf| leaf.rank);
        let by_edges = self.game.successors(node).filter_map(|next| {
            let RankedScore { score, rank } = self.ranked_score(next);
            (score == -best).then(|| farther(rank))
        });
        // The losing side prefers the longest way.
        let longest = by_edges.chain(by_leaf).max().expect("a move has the best value");
        self.push(node, -best, longest, Sign::Lost);
    }

    /// Makes all nodes that are not settled draws: by a leaf with the value 0 if one can be
    /// reached, else by endless play.
    fn finish(self) -> Values {
        let mut values = Values::of(self.nodes.iter().map(|state| state.value));
        let mut reached: BinaryHeap<Reverse<(u16, u32)>> = BinaryHeap::new();
        for node in 0..self.game.len() as u32 {
            if values.scores[node as usize] == UNKNOWN {
                values.scores[node as usize] = 0;
                let leaf = self.game.best_leaf(node);
                if let Some(leaf) = leaf.filter(|&leaf| leaf.score == 0 && ends_the_play(leaf)) {
                    reached.push(Reverse((leaf.rank, node)));
                }
            }
        }
        // Dijkstra's algorithm backwards from the leaves: the shortest way to a drawing leaf
        // counts.
        while let Some(Reverse((rank, node))) = reached.pop() {
            let at = node as usize;
            if values.ranks[at] != REPETITION_RANK {
                continue;
            }
            (values.ranks[at], values.bases[at]) = (rank, Basis::Leaf);
            for previous in self.game.predecessors(node) {
                let NodeValue { ranked_score, .. } = values.get(previous);
                if ranked_score == (RankedScore { score: 0, rank: REPETITION_RANK }) {
                    reached.push(Reverse((farther(rank), previous)));
                }
            }
        }
        values
    }
}

#[cfg(test)]
mod tests;
