//! Late move reduction: moves late in the order are first searched less deep.
//!
//! A reduction has three parts, in 1,024ths of a ply: one by depth and order, one that all moves of
//! a node share, and one of the move itself.
//!
//! Source: T. Romstad, "An introduction to late move reductions", 2006. The reasons to reduce more
//! or less are those that chess programs share today (chess programming wiki).

use komadai_eval::Evaluator;

use super::node_state::{Candidate, Node};
use crate::pruning::{self, LateMove, REDUCTION_UNIT};
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::worker::Worker;

/// Number of cutoffs at the next ply from which on moves are reduced more: replies that refute one
/// move after another will mostly refute the next one as well.
const MANY_CUTOFFS: u32 = 3;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the part of the reduction by depth and move order.
    pub(crate) fn order_reduction(&self, node: &Node, index: usize) -> i32 {
        if !self.uses(Techniques::LATE_MOVE_REDUCTION) {
            return 0;
        }
        let inputs = &node.inputs;
        let late = LateMove { depth: inputs.depth, index, improving: inputs.improving };
        pruning::late_move_reduction(self.parameters(), &late)
    }

    /// Returns the part of the reduction that all moves of a node share: it is large where one good
    /// move is expected and small where the value of the position depends on all of them.
    pub(crate) fn node_reduction<const PV: bool>(&self, node: &Node) -> i32 {
        let p = self.parameters();
        let mut r = p.reduction_offset;
        if node.cut_node {
            r += p.reduction_cut + if node.table_move.is_none() { p.reduction_no_move } else { 0 };
        }
        if node.table_move_captures {
            // If a capture is best, a quiet move is less likely to be better.
            r += p.reduction_table_capture;
        }
        if node.near_pv {
            r -= p.reduction_pv + if PV { p.reduction_pv_node } else { 0 };
            // The table confirms that the node matters.
            if node.hit.is_some_and(|hit| hit.value > node.inputs.window.alpha) {
                r -= p.reduction_pv_value;
            }
            if node.hit.is_some_and(|hit| hit.depth() >= node.inputs.depth) {
                r -= p.reduction_pv_depth;
            }
        }
        r
    }

    /// Returns the part of the reduction of one move; `history` is its [`history_sum`].
    ///
    /// [`history_sum`]: Self::history_sum
    pub(crate) fn move_reduction(&self, node: &Node, candidate: &Candidate, history: i32) -> i32 {
        let p = self.parameters();
        let mut r = -history * REDUCTION_UNIT / p.reduction_history;
        if node.table_move == Some(candidate.moved.m) {
            r -= p.reduction_table_move;
        }
        if self.frames[node.ply + 1].cutoffs >= MANY_CUTOFFS {
            r += p.reduction_cutoffs;
        }
        r
    }

    /// Returns the plies by which a move is searched less deep that is not reduced by the usual
    /// rule, because it is the first one or near the leaves: only where its `reduction` is so large
    /// that it can hardly be good.
    pub(super) fn plies_of_doubt(&self, reduction: i32) -> i32 {
        let p = self.parameters();
        let is_doubtful = reduction > p.first_reduced && self.uses(Techniques::LATE_MOVE_REDUCTION);
        i32::from(is_doubtful)
    }

    /// Returns the sum of the histories of a move, on the scale of `reduction_history`.
    pub(crate) fn history_sum(&self, candidate: &Candidate) -> i32 {
        let Candidate { ref moved, history, .. } = *candidate;
        if moved.is_capture() {
            // Three to a centipawn: the capture of a rook, 1,900, is worth half a ply.
            return history + 3 * moved.gain();
        }
        if !self.uses(Techniques::HISTORY) {
            return history;
        }
        // Twice, because its range is a quarter of that of the continuation history.
        history + 2 * self.history.own.butterfly.get(self.position.side(), moved.m)
    }
}
