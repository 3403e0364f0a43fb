//! Null move pruning: a side that is well off even after passing is taken to be well off.
//!
//! Source: C. Donninger, "Null move and deep search", ICCA Journal 16(3), 1993; verification: O.
//! David Tabibi and N. Netanyahu, "Verified null-move pruning", ICGA Journal 25(3), 2002. Zugzwang,
//! against which chess programs verify, is rare in shogi; what a verification finds are threats
//! hidden by the reduction.

use komadai_eval::Evaluator;

use super::node_state::Node;
use crate::museum::older_forms;
use crate::pruning;
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::value::{Value, Window, is_decided};
use crate::worker::Worker;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns a value of at least beta, if the side stays above the window after passing.
    pub(super) fn null_move(&mut self, node: &Node) -> Option<Value> {
        let ply = node.ply;
        // Elsewhere a null move would mostly fail. The node after one is no expected cut node, so
        // that two never follow each other.
        if ply < self.null_move_min_ply || !node.cut_node {
            return None;
        }
        let reduction = if self.uses(Techniques::CLASSICAL_NULL_MOVE) {
            older_forms::null_move_reduction(&node.inputs)?
        } else {
            pruning::null_move_reduction(self.parameters(), &node.inputs)?
        };
        let beta = node.inputs.window.beta;
        let window = Window::zero(beta - 1);
        let depth = node.inputs.depth - reduction;
        self.do_null_move(ply);
        let value = -self.node::<false>(window.reversed(), depth, ply + 1, false);
        self.position.undo_null_move();
        if self.meter.is_over() {
            return Some(0);
        }
        // A mate found after passing is not a mate with the move.
        if value < beta || is_decided(value) {
            return None;
        }
        if !self.uses(Techniques::NULL_MOVE_VERIFICATION)
            || self.null_move_min_ply > 0
            || node.inputs.depth < self.parameters().null_verified
        {
            return Some(value);
        }
        // No null moves in the first three quarters of the verification (Stockfish), or it would
        // repeat the mistake that it looks for.
        self.null_move_min_ply = ply + 3 * depth.max(0) as usize / 4;
        let verified = self.node::<false>(window, depth, ply, false);
        self.null_move_min_ply = 0;
        (verified >= beta).then_some(value)
    }
}
