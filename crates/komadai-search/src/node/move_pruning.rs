//! Pruning of single moves: late move pruning, futility, history and exchange pruning.

use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use super::node_state::{Candidate, Node};
use crate::pruning::{self, PruningInputs, REDUCTION_UNIT};
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::value::{INFINITE, Value};
use crate::worker::Worker;

/// The bound of a pruned move about which nothing is claimed.
const NO_CLAIM: Option<Value> = Some(-INFINITE);

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the number of moves after which no quiet move is searched: late move pruning.
    #[inline]
    pub(super) fn late_move_count(&self, node: &Node) -> usize {
        if !self.uses(Techniques::LATE_MOVE_PRUNING) || node.on_last_line {
            return usize::MAX;
        }
        let PruningInputs { depth, improving, .. } = node.inputs;
        pruning::late_move_pruning_count(self.parameters(), depth, improving)
    }

    /// Returns the most that a move is trusted to reach, if it is pruned.
    pub(super) fn prune_move(
        &self,
        node: &Node,
        candidate: &Candidate,
        reduction: i32,
    ) -> Option<Value> {
        let inputs = &node.inputs;
        if self.loses_exchange_in_last_plies(inputs.depth, candidate) {
            return NO_CLAIM;
        }
        // The depth to which the move would be searched.
        let depth = inputs.depth - 1 - reduction / REDUCTION_UNIT;
        if candidate.moved.is_tactical() || candidate.gives_check {
            self.prune_tactical(node, candidate, depth)
        } else if node.on_last_line {
            None
        } else {
            self.prune_quiet(node, candidate, depth)
        }
    }

    /// Futility and exchange pruning of captures, promotions and checks.
    #[inline]
    fn prune_tactical(&self, node: &Node, candidate: &Candidate, depth: i32) -> Option<Value> {
        let m = candidate.moved.m;
        let p = self.parameters();
        let inputs = &node.inputs;
        if !candidate.gives_check
            && self.uses(Techniques::CAPTURE_FUTILITY)
            && let Some(most) = pruning::capture_futility(p, inputs, depth, candidate.moved.gain())
        {
            return Some(most);
        }
        let history = if candidate.moved.is_tactical() { candidate.history } else { 0 };
        let margin = pruning::capture_see_margin(p, inputs, history);
        (self.uses(Techniques::EXCHANGE_PRUNING) && !self.position.see_at_least(m, -margin))
            .then_some(-INFINITE)
    }

    /// History, futility and exchange pruning of quiet moves.
    #[inline]
    fn prune_quiet(&self, node: &Node, candidate: &Candidate, depth: i32) -> Option<Value> {
        let p = self.parameters();
        let inputs = &node.inputs;
        let history = candidate.history + p.history_offset;
        if self.uses(Techniques::HISTORY_PRUNING) && history < -p.history_pruning * inputs.depth {
            return NO_CLAIM;
        }
        // A move with a good history is treated as if it were searched deeper.
        let depth = depth + history / p.history_ply;
        if self.uses(Techniques::FUTILITY)
            && let Some(most) = pruning::futility(p, inputs, depth)
        {
            return Some(most);
        }
        let margin = pruning::quiet_see_margin(p, inputs.margins, depth);
        (self.uses(Techniques::EXCHANGE_PRUNING)
            && !self.position.see_at_least(candidate.moved.m, -margin))
        .then_some(-INFINITE)
    }
}
