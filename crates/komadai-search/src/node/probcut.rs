//! Nodes that are decided without looking at each move.

use komadai_core::{Bound, Move};
use komadai_eval::Evaluator;

use super::Node;
use crate::Techniques;
use crate::picker::{Picker, Wanted};
use crate::pruning;
use crate::value::{Value, Window, is_decided};
use crate::worker::{Known, Worker};

impl<E: Evaluator> Worker<'_, E> {
    /// The value of a node that need not be searched move by move.
    pub(super) fn cut_without_moves(&mut self, node: &Node) -> Option<Value> {
        node.static_value?;
        let (p, outlook) = (self.parameters(), &node.outlook);
        if self.uses(Techniques::RAZORING) && pruning::razoring(p, outlook) {
            let value = self.leaf::<false>(outlook.window, node.ply);
            if value <= outlook.window.alpha {
                return Some(value);
            }
        }
        if self.uses(Techniques::TWO_PLY_FUTILITY)
            && let Some(value) = self.two_ply_futility(node)
        {
            return Some(value);
        }
        if self.meter.is_over() {
            return Some(0);
        }
        if self.uses(Techniques::REVERSE_FUTILITY)
            && !node.near_pv
            && let Some(value) = pruning::reverse_futility(p, outlook)
        {
            return Some(value);
        }
        if self.uses(Techniques::NULL_MOVE)
            && let Some(value) = self.null_move(node)
        {
            return Some(value);
        }
        if self.uses(Techniques::TABLE_PROBCUT)
            && let Some(value) = self.table_probcut(node)
        {
            return Some(value);
        }
        if self.uses(Techniques::PROBCUT) { self.probcut(node) } else { None }
    }

    /// Two plies before the leaves, what quiescence says is trusted if it is far from the window.
    fn two_ply_futility(&mut self, node: &Node) -> Option<Value> {
        let window = node.outlook.window;
        let margin = pruning::two_ply_futility(self.parameters(), node.outlook.depth)?;
        if is_decided(window.alpha) || is_decided(window.beta) {
            return None;
        }
        let below = Window::zero(window.alpha - margin);
        let value = self.leaf::<false>(below, node.ply);
        if value <= below.alpha {
            return Some(value);
        }
        let above = Window::zero(window.beta + margin - 1);
        let value = self.leaf::<false>(above, node.ply);
        (value >= above.beta).then_some(value)
    }

    /// The value if the side is well off even when it passes.
    fn null_move(&mut self, node: &Node) -> Option<Value> {
        let ply = node.ply;
        if ply < self.null_from || self.frames[ply - 1].current.is_none() {
            return None;
        }
        let reduction = if self.uses(Techniques::CLASSICAL_NULL_MOVE) {
            pruning::classical_null_move(&node.outlook)?
        } else {
            pruning::null_move(self.parameters(), &node.outlook)?
        };
        let beta = node.outlook.window.beta;
        let window = Window::zero(beta - 1);
        let depth = node.outlook.depth - reduction;
        self.do_null_move(ply);
        let value = -self.node::<false>(window.reversed(), depth, ply + 1, !node.cut);
        self.position.undo_null_move();
        if self.meter.is_over() {
            return Some(0);
        }
        if value < beta {
            return None;
        }
        // A mate found after passing is not a mate with the move.
        let value = if is_decided(value) { beta } else { value };
        if !self.uses(Techniques::NULL_MOVE_VERIFICATION)
            || self.null_from > 0
            || node.outlook.depth < self.parameters().null_verified
        {
            return Some(value);
        }
        self.null_from = ply + 3 * depth.max(0) as usize / 4;
        let verified = self.node::<false>(window, depth, ply, false);
        self.null_from = 0;
        (verified >= beta).then_some(value)
    }

    /// The value if the table knows a shallower search to be far above the window.
    fn table_probcut(&self, node: &Node) -> Option<Value> {
        let known = node.known?;
        let beta = node.outlook.window.beta + self.parameters().probcut_table;
        let holds = known.bound != Bound::Upper
            && known.depth >= node.outlook.depth - 4
            && known.value >= beta
            && !is_decided(known.value)
            && !is_decided(node.outlook.window.beta);
        holds.then_some(beta)
    }

    /// The value if a good capture is far above the window in a shallow search.
    fn probcut(&mut self, node: &Node) -> Option<Value> {
        let beta = pruning::probcut(self.parameters(), &node.outlook)?;
        if node
            .known
            .is_some_and(|known| known.depth >= node.outlook.depth - 3 && known.value < beta)
        {
            return None;
        }
        let depth = node.outlook.depth - 4;
        let least = beta - node.static_value?;
        let here = self.circumstances(node.ply, None);
        let wanted = Wanted::Winning(least);
        let mut picker = Picker::tactical(&self.position, wanted, node.table_move, &self.buffer);
        let mut found = None;
        while let Some(m) = self.next_move(&mut picker, &here) {
            let value = self.try_probcut(m, beta, depth, node);
            if self.meter.is_over() {
                found = Some(0);
                break;
            }
            if value >= beta {
                self.remember(
                    Known {
                        best: Some(m),
                        value,
                        static_value: node.raw_value,
                        depth: depth + 1,
                        bound: Bound::Lower,
                        pv: node.near_pv,
                    },
                    node.ply,
                );
                let margin = beta - node.outlook.window.beta;
                found = Some(if is_decided(value) { value } else { value - margin });
                break;
            }
        }
        picker.finish(&mut self.buffer);
        found
    }

    fn try_probcut(&mut self, m: Move, beta: Value, depth: i32, node: &Node) -> Value {
        let window = Window::zero(beta - 1).reversed();
        self.frames[node.ply].reduction = 0;
        self.frames[node.ply].place = 0;
        self.do_move(m, node.ply);
        let mut value = -self.leaf::<false>(window, node.ply + 1);
        if value >= beta && depth > 0 {
            value = -self.node::<false>(window, depth, node.ply + 1, !node.cut);
        }
        self.undo_move();
        value
    }
}
