//! The nodes of the current line and the summary of their children.

use komadai_core::{Hand, Move};

use crate::numbers::{INFINITE, Node, Numbers};
use crate::path::Reliance;
use crate::plies::Plies;
use crate::tables::expansions::FirstNumbers;

/// A node on the path whose subtree is being searched.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) node: Node,
    pub(crate) board_key: u64,
    /// The attacker's hand.
    pub(crate) hand: Hand,
    /// Largest number of plies to the mate, counted from this node.
    pub(crate) limit: Plies,
    /// Proof and disproof number at which the search returns to the parent.
    pub(crate) thresholds: Numbers,
    /// Index of the first child in the list of all frames' children. The children end where those
    /// of the next frame begin.
    pub(crate) first_child: usize,
    /// Index of the child that is being searched, counted from `first_child`.
    pub(crate) current: usize,
    /// Number of nodes visited before this one.
    pub(crate) nodes_before: u64,
    /// Smallest ply at which the position was visited.
    pub(crate) min_ply: u16,
    /// True if the loop table has a disproof of the position that holds on some path only.
    pub(crate) has_loops: bool,
    /// True on the first visit to the position.
    pub(crate) is_new: bool,
    /// True if the thresholds grow until a new position is visited (the threshold controlling
    /// algorithm): see [`search`](crate::search).
    pub(crate) must_progress: bool,
}

/// A move with the proof and disproof numbers of the position after it.
#[derive(Debug, Clone)]
pub(crate) struct Child {
    pub(crate) m: Move,
    /// The numbers that the position has before it is visited.
    pub(crate) first: FirstNumbers,
    pub(crate) board_key: u64,
    /// The attacker's hand after the move.
    pub(crate) hand: Hand,
    pub(crate) numbers: Numbers,
    /// Valid only if the numbers are those of a solved node.
    pub(crate) verdict: Verdict,
    /// Index of the sibling that has to fail before this move is searched: see
    /// [`postpone`](crate::postpone).
    pub(crate) waits_for: Option<u16>,
    /// True if the subtree has met that of a sibling: see [`Techniques::MET_ONCE`].
    pub(crate) has_met: bool,
}

/// The scope of a proof or a disproof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// A proof holds if the attacker has this hand or a larger one, a disproof for this hand or a
    /// smaller one.
    pub(crate) hand: Hand,
    /// Proof: the attacker mates within this many plies. Disproof: the attacker does not.
    pub(crate) plies: Plies,
    /// The part of the path that a disproof relies on. A proof is independent of the path.
    pub(crate) reliance: Reliance,
}

impl Verdict {
    /// The verdict of an unsolved node.
    pub(crate) const fn none() -> Self {
        Self { hand: Hand::EMPTY, plies: Plies::ZERO, reliance: Reliance::NOTHING }
    }
}

/// The numbers of a node, computed from its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) numbers: Numbers,
    /// Index of the child to search next, or of the child that decides the node. Undefined if all
    /// children have failed.
    pub(crate) best: usize,
    /// Success number of the second-best child.
    pub(crate) runner_up: u32,
    /// Part of the failure number that the other children of the best one contribute.
    pub(crate) rest: u32,
}

impl Summary {
    /// Computes the numbers of a node from the point of view of the side to move at `node`. That
    /// side succeeds if one child succeeds: its success number is the smallest of the children's.
    /// It fails if all children fail: its failure number is their sum.
    pub(crate) fn new(node: Node, children: &[Child]) -> Self {
        Self::of_children::<false>(node, children, false)
    }

    /// Computes the numbers with a sum in which children count less: of those that have met each
    /// other, only the largest number is in the sum; if `is_weak`, this is so for all, and each
    /// other child adds 1.
    #[inline(never)]
    pub(crate) fn with_less(node: Node, children: &[Child], is_weak: bool) -> Self {
        Self::of_children::<true>(node, children, is_weak)
    }

    #[inline(always)]
    fn of_children<const LESS: bool>(node: Node, children: &[Child], is_weak: bool) -> Self {
        let mut best = 0;
        let mut best_success = INFINITE;
        let mut runner_up = INFINITE;
        let (mut sum, mut most_of_met, mut open): (u32, u32, u32) = (0, 0, 0);
        for (index, child) in children.iter().enumerate() {
            let success = child.numbers.success(node);
            if success == 0 {
                let best = best_success_among(node, children, index);
                let numbers = Numbers::of_mover(node, 0, INFINITE);
                return Self { numbers, best, runner_up, rest: 0 };
            }
            // A move that waits for a similar one does not add to the sum: the two are mostly
            // refuted in the same way, and counting both would overestimate the work.
            if child.numbers.failure(node) == 0 || is_waiting(node, children, index) {
                continue;
            }
            open += 1;
            let failure = child.numbers.failure(node);
            if LESS && (is_weak || child.has_met) {
                most_of_met = most_of_met.max(failure);
            } else {
                sum = sum.saturating_add(failure);
            }
            if success < best_success {
                (best, runner_up, best_success) = (index, best_success, success);
            } else if success < runner_up {
                runner_up = success;
            }
        }
        if LESS && is_weak {
            sum = open.saturating_sub(1);
        }
        let numbers = Numbers::of_mover(node, best_success, sum.saturating_add(most_of_met));
        // An unsolved node must not get the numbers of a solved one when its sum saturates.
        let numbers =
            if open > 0 { Numbers::open(numbers.proof, numbers.disproof) } else { numbers };
        let rest = match children.get(best) {
            Some(best) if !(LESS && (is_weak || best.has_met)) => {
                numbers.failure(node).saturating_sub(best.numbers.failure(node))
            }
            _ => sum,
        };
        Self { numbers, best, runner_up, rest }
    }

    /// Returns the thresholds for the best child. The search leaves the child when it is no longer
    /// the best one, or when it makes this node reach its own thresholds.
    pub(crate) fn child_thresholds(
        &self,
        node: Node,
        thresholds: Numbers,
        switches_late: bool,
    ) -> Numbers {
        // A third more than the runner-up. With the plain threshold, runner-up + 1, the search
        // alternates between the two children and expands both subtrees again and again (J.
        // Pawlewicz and Ł. Lew, "Improving depth-first PN-search: 1 + ε trick", 2006).
        let margin = if switches_late { self.runner_up / 3 } else { 0 };
        let enough = self.runner_up.saturating_add(1 + margin);
        let success = thresholds.success(node).min(enough);
        // The failure number of the node is a sum: the child may use what its siblings leave.
        let failure = match thresholds.failure(node) {
            INFINITE => INFINITE,
            failure => failure.saturating_sub(self.rest),
        };
        Numbers::of_mover(node, success, failure)
    }
}

/// Returns true if the move has to wait for a sibling that has not failed yet.
fn is_waiting(node: Node, children: &[Child], index: usize) -> bool {
    children[index]
        .waits_for
        .is_some_and(|other| children[usize::from(other)].numbers.failure(node) != 0)
}

/// Returns the most useful of the successful children from `first` on: the attacker's shortest
/// mate, or the defender's refutation that relies on the shortest part of the path.
fn best_success_among(node: Node, children: &[Child], first: usize) -> usize {
    let candidates = (first..children.len()).filter(|&i| children[i].numbers.success(node) == 0);
    let best = match node {
        Node::Attack => candidates.min_by_key(|&i| children[i].verdict.plies),
        // Reversed, because `max_by_key` returns the last of equals and `min_by_key` the first.
        Node::Defence => candidates
            .rev()
            .max_by_key(|&i| (children[i].verdict.reliance, children[i].verdict.plies)),
    };
    best.unwrap_or(first)
}
