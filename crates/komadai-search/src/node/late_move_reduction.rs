//! Late move reduction: moves late in the order are first searched less deep.
//!
//! Source: T. Romstad, "An introduction to late move reductions", 2006; the adjustments by node and
//! move are those that Stockfish made common, with weights of our own.

use komadai_eval::Evaluator;

use super::node_state::{Candidate, Node};
use crate::pruning::{self, LateMove, REDUCTION_UNIT};
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::value::Window;
use crate::worker::Worker;

/// Number of cutoffs at the next ply beyond which moves are reduced more (Stockfish).
///
/// Replies that refute one move after another will mostly refute the next one as well.
const SOME_CUTOFFS: u32 = 1;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the reduction by depth and move order, in 1,024ths of a ply.
    pub(crate) fn base_reduction(&self, node: &Node, index: usize) -> i32 {
        if !self.uses(Techniques::LATE_MOVE_REDUCTION) {
            return 0;
        }
        let inputs = &node.inputs;
        let late = LateMove { depth: inputs.depth, index, improving: inputs.improving };
        pruning::late_move_reduction(self.parameters(), &late)
    }

    /// Returns the decrease of reductions by the width of the window, a number below 0: where the
    /// value is open, moves are reduced less.
    #[inline]
    pub(crate) fn window_reduction(&self, window: Window) -> i32 {
        if !self.uses(Techniques::LATE_MOVE_REDUCTION) {
            return 0;
        }
        let root = self.root_width.max(1);
        let width = (window.beta - window.alpha).min(root);
        -(width * self.parameters().reduction_window / root)
    }

    /// Returns the base reduction, adjusted by the properties of the node and of the move; `history`
    /// is that of the move.
    pub(crate) fn adjusted_reduction<const PV: bool>(
        &self,
        node: &Node,
        candidate: &Candidate,
        reduction: i32,
        history: i32,
    ) -> i32 {
        let p = self.parameters();
        let all_node = !PV && !node.cut_node;
        let mut r = reduction + p.reduction_offset + candidate.index as i32 * p.reduction_index;
        if node.near_pv {
            r -= self.relief_near_pv::<PV>(node);
        }
        if node.cut_node {
            r += p.reduction_cut;
            if node.table_move.is_none() {
                r += p.reduction_cut_no_move;
            }
        }
        // If a capture is best, a quiet move is less likely to be better.
        if node.table_move_captures {
            r += p.reduction_table_capture;
        }
        let cutoffs = self.frames[node.ply + 1].cutoffs;
        if cutoffs > SOME_CUTOFFS {
            r += p.reduction_cutoffs;
            r += if cutoffs > SOME_CUTOFFS + 1 { p.reduction_many_cutoffs } else { 0 };
            r += if all_node { p.reduction_cutoffs_all } else { 0 };
        }
        if node.table_move == Some(candidate.moved.m) {
            r -= p.reduction_table_move;
        }
        r -= node.inputs.correction * p.reduction_correction;
        r -= history * REDUCTION_UNIT / p.reduction_history;
        if all_node {
            // All moves of such a node are searched, so that near the leaves it costs most.
            r += r * p.reduction_all / (100 * (node.inputs.depth + 1));
        }
        r
    }

    /// Returns the depth of a first move that is not expected to be good, or of another one that
    /// is too shallow to be reduced.
    pub(super) fn depth_of_first(&self, node: &Node, depth: i32, reduction: i32) -> i32 {
        if !self.uses(Techniques::LATE_MOVE_REDUCTION) {
            return depth;
        }
        let p = self.parameters();
        let r = reduction + if node.table_move.is_none() { p.reduction_no_move } else { 0 };
        depth - i32::from(r > p.first_reduced) - i32::from(r > p.first_twice && depth > 2)
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
    pub(crate) fn history_sum(&self, candidate: &Candidate) -> i32 {
        if candidate.moved.is_capture() {
            // Three to a centipawn: the capture of a rook, 1,900, is worth half a ply.
            return 3 * candidate.moved.gain() + candidate.history;
        }
        let mut sum = candidate.history;
        if self.uses(Techniques::HISTORY) {
            // Twice, because its range is a quarter of that of the continuation history.
            sum += 2 * self.history.own.butterfly.get(self.position.side(), candidate.moved.m);
        }
        sum
    }
}
