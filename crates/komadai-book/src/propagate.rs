//! The exact value of every position of a book.
//!
//! # The game
//!
//! From a position the mover chooses a move. A leaf ends the play and pays its value to whoever made
//! the move. Endless play pays nothing, with one exception: if from some point on one side gives
//! check with every move, and the other does not, the side that checks has lost (perpetual check,
//! 連続王手の千日手). This is a deterministic graphical game, in which every position has one value:
//!
//! ```text
//! value(n) = max over moves ( leaf value | −value(successor) )
//! ```
//!
//! # The solution
//!
//! Values are settled in order of descending size, as retrograde analysis settles mates by descending
//! speed:
//!
//! - A position is *won* with `v > 0` as soon as one move is a leaf worth `v` or leads to a position
//!   lost with `v`: all larger values are settled, so there is nothing better.
//! - It is *lost* with `−v` as soon as every move is a leaf worth `−v` or less or leads to a position
//!   won with `v` or more, with equality for one: there is nothing worse than what is settled.
//! - Before going on to smaller values, positions from which the side in check can keep up a
//!   perpetual check at this value or more are settled ([`perpetual`](crate::perpetual)).
//! - Whatever is never settled is a draw: 0.
//!
//! Each edge is looked at a constant number of times and enters a priority queue once, so all of it
//! takes O(E log E) time, whatever the cycles, and does not depend on the order of the book.
//!
//! Among moves of equal value, the winning side prefers the shorter way to the leaf, the losing side
//! the longer, and at value 0 both the shorter.
//!
//! Source: the recursion and its uniqueness are those of deterministic graphical games (A. Washburn
//! 1990, *Deterministic graphical games*, J. Math. Anal. Appl. 153; D. Andersson, K. A. Hansen,
//! P. B. Miltersen, T. B. Sørensen 2012, *Deterministic graphical games revisited*, J. Logic Comput.
//! 22).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::graph::{Graph, Predecessors, Target};
use crate::perpetual::CheckLoops;

/// What the value of a position rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The value of a move that leaves the book.
    Leaf,
    /// Endless play: a draw.
    Repetition,
    /// Endless checks, which the side that gives them may not go on with.
    PerpetualCheck,
}

/// The distance of a value that rests on a [repetition](Basis::Repetition).
pub const REPETITION_PLIES: u16 = 9_999;

/// The distance of a value that rests on [perpetual check](Basis::PerpetualCheck).
pub const PERPETUAL_PLIES: u16 = 9_998;

/// Value, distance and basis of each node.
#[derive(Debug)]
pub(crate) struct Values {
    pub(crate) scores: Vec<i32>,
    pub(crate) plies: Vec<u16>,
    pub(crate) bases: Vec<Basis>,
}

/// Solves the game.
pub(crate) fn propagate(graph: &Graph<'_>) -> Values {
    let predecessors = graph.predecessors();
    let mut solver = Solver::new(graph, &predecessors);
    let mut loops = CheckLoops::find(graph, &predecessors);
    solver.start();
    while let Some(size) = solver.next_size().max(loops.next_size()) {
        solver.settle_down_to(size, &mut loops);
        while loops.hold(graph, &predecessors, &mut solver, size) {
            solver.settle_down_to(size, &mut loops);
        }
    }
    solver.finish()
}

/// A value of a node that will be settled unless a larger one is first; largest first, then nearest.
type Candidate = (i32, Reverse<u16>, Reverse<u32>, Sign);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    Won,
    Lost,
}

/// The state of the solution.
#[derive(Debug)]
pub(crate) struct Solver<'a> {
    graph: &'a Graph<'a>,
    predecessors: &'a Predecessors,
    scores: Vec<Option<i32>>,
    plies: Vec<u16>,
    bases: Vec<Basis>,
    /// Per node, how many edges lead to nodes not known to be won there.
    open: Vec<u32>,
    /// Per node, the least value with which a successor is known to be won; `i32::MAX` if none is.
    least_won: Vec<i32>,
    best_leaf: Vec<Option<i32>>,
    queue: BinaryHeap<Candidate>,
}

impl<'a> Solver<'a> {
    fn new(graph: &'a Graph<'a>, predecessors: &'a Predecessors) -> Self {
        let nodes = 0..graph.len() as u32;
        let leaves = |node| {
            graph.moves(node).iter().filter_map(|known| match known.target {
                Target::Leaf(score) => Some(score),
                Target::Node(_) => None,
            })
        };
        Self {
            graph,
            predecessors,
            scores: vec![None; graph.len()],
            plies: vec![REPETITION_PLIES; graph.len()],
            bases: vec![Basis::Repetition; graph.len()],
            open: nodes.clone().map(|node| graph.successors(node).count() as u32).collect(),
            least_won: vec![i32::MAX; graph.len()],
            best_leaf: nodes.map(|node| leaves(node).max()).collect(),
            queue: BinaryHeap::new(),
        }
    }

    /// The value of a node once it is settled.
    #[inline]
    pub(crate) fn score(&self, node: u32) -> Option<i32> {
        self.scores[node as usize]
    }

    fn start(&mut self) {
        for node in 0..self.graph.len() as u32 {
            match self.best_leaf[node as usize] {
                Some(score) if score > 0 => self.push(score, 0, node, Sign::Won),
                _ => self.lose_if_closed(node),
            }
        }
    }

    fn push(&mut self, size: i32, plies: u16, node: u32, sign: Sign) {
        self.queue.push((size, Reverse(plies), Reverse(node), sign));
    }

    /// The largest size that waits to be settled.
    fn next_size(&self) -> Option<i32> {
        self.queue.peek().map(|candidate| candidate.0)
    }

    /// Settles everything of this size and larger.
    fn settle_down_to(&mut self, least: i32, loops: &mut CheckLoops) {
        while let Some(&(size, Reverse(plies), Reverse(node), sign)) = self.queue.peek() {
            if size < least {
                return;
            }
            self.queue.pop();
            if self.score(node).is_none() {
                let score = if sign == Sign::Won { size } else { -size };
                self.settle(node, score, plies, Basis::Leaf, loops);
            }
        }
    }

    /// Settles the value of a node, which is not 0, and tells its predecessors.
    pub(crate) fn settle(
        &mut self,
        node: u32,
        score: i32,
        plies: u16,
        basis: Basis,
        loops: &mut CheckLoops,
    ) {
        let at = node as usize;
        (self.scores[at], self.plies[at], self.bases[at]) = (Some(score), plies, basis);
        let farther = (plies + 1).min(REPETITION_PLIES);
        let predecessors = self.predecessors;
        for &previous in predecessors.of(node) {
            if self.score(previous).is_some() {
                continue;
            }
            if score < 0 {
                self.push(-score, farther, previous, Sign::Won);
            } else {
                self.open[previous as usize] -= 1;
                let least = &mut self.least_won[previous as usize];
                *least = score.min(*least);
                loops.tell(previous);
                self.lose_if_closed(previous);
            }
        }
    }

    /// Queues a node as lost if every move of it is settled to be bad.
    fn lose_if_closed(&mut self, node: u32) {
        let at = node as usize;
        if self.open[at] > 0 || self.score(node).is_some() {
            return;
        }
        let from_edges = (self.least_won[at] != i32::MAX).then(|| -self.least_won[at]);
        // A leaf that draws or better keeps the node from being lost.
        let Some(best) = from_edges.max(self.best_leaf[at]).filter(|&best| best < 0) else {
            return;
        };
        let plies = self.graph.moves(node).iter().filter_map(|known| match known.target {
            Target::Leaf(score) => (score == best).then_some(0),
            Target::Node(successor) => (self.score(successor) == Some(-best))
                .then(|| (self.plies[successor as usize] + 1).min(REPETITION_PLIES)),
        });
        let longest = plies.max().expect("a move has the best value");
        self.push(-best, longest, node, Sign::Lost);
    }

    /// Whatever is not settled is a draw: by a leaf worth 0 if one can be reached, else by endless
    /// play.
    fn finish(mut self) -> Values {
        let mut reached = VecDeque::new();
        for node in 0..self.graph.len() {
            if self.scores[node].is_none() {
                self.scores[node] = Some(0);
                if self.best_leaf[node] == Some(0) {
                    (self.plies[node], self.bases[node]) = (0, Basis::Leaf);
                    reached.push_back(node as u32);
                }
            }
        }
        while let Some(node) = reached.pop_front() {
            let farther = (self.plies[node as usize] + 1).min(REPETITION_PLIES);
            for &previous in self.predecessors.of(node) {
                let at = previous as usize;
                if self.scores[at] == Some(0) && self.bases[at] == Basis::Repetition {
                    (self.plies[at], self.bases[at]) = (farther, Basis::Leaf);
                    reached.push_back(previous);
                }
            }
        }
        let scores = self.scores.into_iter().map(|score| score.unwrap_or(0)).collect();
        Values { scores, plies: self.plies, bases: self.bases }
    }
}

#[cfg(test)]
mod tests;
