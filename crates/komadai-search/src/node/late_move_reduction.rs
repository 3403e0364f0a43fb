//! Late move reduction: moves late in the order are first searched less deep.
//!
//! Source: T. Romstad, "An introduction to late move reductions", 2006; the adjustments by node and
//! move are those that Stockfish made common, with weights of our own.

use komadai_eval::Evaluator;

use super::node_state::{Candidate, Node};
use crate::pruning::{self, LateMove, REDUCTION_UNIT};
use crate::settings::Settings;
use crate::tactical::is_tactical;
use crate::techniques::Techniques;
use crate::worker::Worker;

/// Number of cutoffs at the next ply beyond which moves are reduced more (Stockfish).
///
/// Replies that refute one move after another will mostly refute the next one as well.
const MANY_CUTOFFS: u32 = 2;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the reduction by depth and move order, in 1,024ths of a ply.
    pub(super) fn base_reduction(&self, node: &Node, index: usize) -> i32 {
        if !self.uses(Techniques::LATE_MOVE_REDUCTION) {
            return 0;
        }
        let inputs = &node.inputs;
        let late = LateMove { depth: inputs.depth, index, improving: inputs.improving };
        pruning::late_move_reduction(self.parameters(), &late)
    }

    /// Returns the base reduction, adjusted by the properties of the node and of the move.
    pub(super) fn adjusted_reduction<const PV: bool>(
        &self,
        node: &Node,
        candidate: &Candidate,
        reduction: i32,
    ) -> i32 {
        let p = self.parameters();
        let mut r = reduction;
        if node.near_pv {
            r -= self.relief_near_pv::<PV>(node);
        }
        if node.cut_node {
            r += p.reduction_cut;
            if node.hit.is_none_or(|hit| hit.best().is_none()) {
                r += p.reduction_cut_no_move;
            }
        }
        // If a capture is best, a quiet move is less likely to be better.
        if node.table_move.is_some_and(|m| is_tactical(&self.position, m)) {
            r += p.reduction_table_capture;
        }
        if self.frames[node.ply + 1].cutoffs > MANY_CUTOFFS {
            r += p.reduction_cutoffs;
        }
        if candidate.gives_check {
            r -= p.reduction_check;
        }
        if candidate.is_refutation {
            r -= p.reduction_killer;
        }
        r -= node.inputs.correction * p.reduction_correction;
        // Evasions are few and forced, so they are reduced by a ply less.
        if node.static_value.is_none() {
            r -= REDUCTION_UNIT;
        }
        r -= self.history_sum(candidate) * REDUCTION_UNIT / p.reduction_history;
        if !PV && !node.cut_node {
            // All moves of such a node are searched, so that near the leaves it costs most.
            r += r * p.reduction_all / (100 * (node.inputs.depth + 1));
        }
        r
    }

    /// Returns the decrease of reductions at a node that is or was on a principal variation.
    ///
    /// It is larger where the table confirms that the node matters: with a value above alpha, or
    /// with a search as deep as this one.
    fn relief_near_pv<const PV: bool>(&self, node: &Node) -> i32 {
        let p = self.parameters();
        let mut relief = p.reduction_pv;
        if PV {
            relief += p.reduction_pv_node;
        }
        if let Some(hit) = node.hit {
            if hit.value > node.inputs.window.alpha {
                relief += p.reduction_pv_value;
            }
            if hit.depth() >= node.inputs.depth {
                relief += p.reduction_pv_depth;
                relief += if node.cut_node { p.reduction_pv_depth_cut } else { 0 };
            }
        }
        relief
    }

    /// Returns the sum of the histories of a move, on the scale of `reduction_history`.
    fn history_sum(&self, candidate: &Candidate) -> i32 {
        if candidate.moved.is_tactical() {
            // Four to a centipawn: the capture of a rook, 1,900, is worth nearly a ply.
            return 4 * candidate.moved.gain() + candidate.history;
        }
        let mut sum = candidate.history;
        if self.uses(Techniques::HISTORY) {
            // Twice, because its range is half as wide as that of the continuation history.
            sum += 2 * self.history.own.butterfly.get(self.position.side(), candidate.moved.m);
        }
        sum
    }
}
