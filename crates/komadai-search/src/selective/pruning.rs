//! Pruning in the selective searches, by the rules of alpha-beta for the plies that budgets are
//! worth.

use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use super::budgets::Budgets;
use super::charging::Kind;
use super::cost::{Cost, NAT};
use super::costed_moves::CostedMove;
use super::node::{BestMove, SelectiveSearch};
use crate::pruning::{self, PruningInputs};
use crate::techniques::Techniques;
use crate::value::{INFINITE, Value, is_decided};

/// A quiet move that costs so much more than the budget is pruned.
const OVERDRAFT: Cost = 2 * NAT;

impl<E: Evaluator> SelectiveSearch<'_, E> {
    /// Returns the value of a node that its evaluation decides, or the search after a null move.
    pub(super) fn prune_node(
        &mut self,
        inputs: &PruningInputs,
        budgets: Budgets,
        ply: usize,
    ) -> Option<Value> {
        let worker = &mut self.worker;
        if worker.may_face_declaration() {
            return None;
        }
        let p = worker.parameters();
        if worker.uses(Techniques::RAZORING) && pruning::razoring(p, inputs) {
            let value = worker.leaf::<false>(inputs.window, ply);
            if value <= inputs.window.alpha {
                return Some(value);
            }
        }
        if worker.uses(Techniques::REVERSE_FUTILITY)
            && let Some(value) = pruning::reverse_futility(p, inputs)
        {
            return Some(value);
        }
        if worker.uses(Techniques::NULL_MOVE) { self.null_move(inputs, budgets, ply) } else { None }
    }

    /// Returns a value of at least beta, if the side stays above the window after passing.
    fn null_move(&mut self, inputs: &PruningInputs, budgets: Budgets, ply: usize) -> Option<Value> {
        let worker = &mut self.worker;
        // Two null moves in a row would cancel out.
        worker.piece_to_before(ply, 1)?;
        let reduction = pruning::null_move_reduction(worker.parameters(), inputs)?;
        let window = inputs.window;
        worker.do_null_move(ply);
        let rest = self.charging.after_null_move(budgets, reduction);
        let value = -self.node::<false>(window.reversed(), rest, ply + 1);
        self.worker.position.undo_null_move();
        if self.worker.meter.is_over() {
            return Some(0);
        }
        // A mate found after passing is not a mate with the move.
        (value >= window.beta && !is_decided(value)).then_some(value)
    }

    /// Returns the most that a quiet move is trusted to reach, if it is pruned: the evaluation is
    /// far below the window, or the move is much too dear.
    pub(super) fn prune_move(
        &self,
        costed: &CostedMove,
        best: &BestMove,
        inputs: &PruningInputs,
        budgets: Budgets,
        ply: usize,
    ) -> Option<Value> {
        let worker = &self.worker;
        worker.frames[ply].static_value?;
        let p = worker.parameters();
        let rest = self.charging.plies_after(budgets, costed.cost);
        let inputs = PruningInputs { window: best.window, ..*inputs };
        let futile = pruning::futility(p, &inputs, rest, best.m.is_none());
        let futile = futile.filter(|_| worker.uses(Techniques::FUTILITY));
        let is_dear = worker.uses(Techniques::LATE_MOVE_PRUNING)
            && matches!(self.charging.kind, Kind::Probability { .. })
            && budgets.own - costed.cost < -OVERDRAFT;
        if worker.position.piece_on(costed.m.to()).is_some()
            || costed.m.is_promotion()
            || !(futile.is_some() || is_dear)
            || worker.may_face_declaration()
            || worker.position.gives_check(costed.m)
        {
            return None;
        }
        Some(futile.unwrap_or(-INFINITE))
    }
}
