//! One node of the current line, and what its children say together.

use komadai_core::{Hand, Move};

use crate::numbers::{INFINITE, Node, Numbers};
use crate::plies::Plies;
use crate::reliance::Reliance;

/// A node on the path whose subtree is being searched.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) node: Node,
    pub(crate) board_key: u64,
    /// The attacker's hand.
    pub(crate) hand: Hand,
    /// The mate is sought within this many plies from here.
    pub(crate) limit: Plies,
    pub(crate) thresholds: Numbers,
    /// Where the children begin in the list of all frames' children; they end where the next
    /// frame's begin.
    pub(crate) first_child: usize,
    /// Which of them is being searched.
    pub(crate) current: usize,
    /// How many nodes had been visited when this one was.
    pub(crate) nodes_before: u64,
    pub(crate) min_ply: u16,
    pub(crate) has_loops: bool,
    /// Whether this is the first visit to the position.
    pub(crate) is_new: bool,
    /// Whether the thresholds give way until a new position is visited: see
    /// [`search`](crate::search).
    pub(crate) must_progress: bool,
}

/// A move and what is known about the position after it.
#[derive(Debug, Clone)]
pub(crate) struct Child {
    pub(crate) m: Move,
    pub(crate) board_key: u64,
    /// The attacker's hand after the move.
    pub(crate) hand: Hand,
    pub(crate) numbers: Numbers,
    /// Means something once the numbers say that the child is solved.
    pub(crate) verdict: Verdict,
    /// The place among the siblings of the move that has to fail before this one is looked at: see
    /// [`postpone`](crate::postpone).
    pub(crate) waits_for: Option<u16>,
}

/// What comes with a proof or a disproof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// Proven with this hand of the attacker or a larger one, disproven with this or a smaller one.
    pub(crate) hand: Hand,
    /// Proven: mate within this many plies. Disproven: none within this many.
    pub(crate) plies: Plies,
    /// What a disproof relies on; a proof relies on nothing.
    pub(crate) reliance: Reliance,
}

impl Verdict {
    /// Of a node that is not solved.
    pub(crate) const fn none() -> Self {
        Self { hand: Hand::EMPTY, plies: Plies::ZERO, reliance: Reliance::NOTHING }
    }
}

/// What the children of a node say together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) numbers: Numbers,
    /// The child to search next, or the one that decides; meaningless if all have failed.
    pub(crate) best: usize,
    /// What it takes that the second best child succeeds.
    pub(crate) runner_up: u32,
}

impl Summary {
    /// Sums up the children of a node, seen from the side to move at `node`: it succeeds with the
    /// easiest child and fails when all have failed.
    pub(crate) fn new(node: Node, children: &[Child]) -> Self {
        let (mut best, mut best_success, mut runner_up) = (0, INFINITE, INFINITE);
        let mut failure: u32 = 0;
        let mut is_open = false;
        for (index, child) in children.iter().enumerate() {
            let success = child.numbers.success(node);
            if success == 0 {
                let best = best_success_among(node, children, index);
                let numbers = Numbers::of_mover(node, 0, INFINITE);
                return Self { numbers, best, runner_up };
            }
            if child.numbers.failure(node) == 0 || is_waiting(node, children, index) {
                continue;
            }
            is_open = true;
            failure = failure.saturating_add(child.numbers.failure(node));
            if success < best_success {
                (best, runner_up, best_success) = (index, best_success, success);
            } else if success < runner_up {
                runner_up = success;
            }
        }
        let numbers = Numbers::of_mover(node, best_success, failure);
        let numbers =
            if is_open { Numbers::open(numbers.proof, numbers.disproof) } else { numbers };
        Self { numbers, best, runner_up }
    }

    /// How far to search the best child: until it is no longer the best, or decides.
    pub(crate) fn child_thresholds(
        &self,
        node: Node,
        child: &Child,
        thresholds: Numbers,
    ) -> Numbers {
        // A bit more than the runner-up, or the search jumps to and fro between the two (J. Pawlewicz
        // and Ł. Lew, "Improving depth-first PN-search: 1 + ε trick", 2006).
        let enough = self.runner_up.saturating_add(1 + self.runner_up / 2);
        let success = thresholds.success(node).min(enough);
        let others = self.numbers.failure(node) - child.numbers.failure(node);
        let failure = match thresholds.failure(node) {
            INFINITE => INFINITE,
            failure => failure.saturating_sub(others),
        };
        Numbers::of_mover(node, success, failure)
    }
}

/// Whether a move has to wait for a sibling that has not failed yet.
fn is_waiting(node: Node, children: &[Child], index: usize) -> bool {
    children[index]
        .waits_for
        .is_some_and(|other| children[usize::from(other)].numbers.failure(node) != 0)
}

/// Of the successful children from `first` on the most useful: the attacker's shortest mate, the
/// defender's refutation that relies on least.
fn best_success_among(node: Node, children: &[Child], first: usize) -> usize {
    let candidates = (first..children.len()).filter(|&i| children[i].numbers.success(node) == 0);
    let best = match node {
        Node::Attack => candidates.min_by_key(|&i| children[i].verdict.plies),
        // The first of equals, as above.
        Node::Defence => candidates
            .rev()
            .max_by_key(|&i| (children[i].verdict.reliance, children[i].verdict.plies)),
    };
    best.unwrap_or(first)
}
