//! Pruning of single moves: late move pruning, futility, history and exchange pruning.

use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use super::node_state::{Candidate, Node};
use crate::picker::{Picker, capture_history};
use crate::pruning::{self, REDUCTION_UNIT};
use crate::settings::Settings;
use crate::tactical::material_gain;
use crate::techniques::Techniques;
use crate::value::{INFINITE, Value};
use crate::worker::Worker;

/// The bound of a pruned move about which nothing is claimed.
const NO_CLAIM: Option<Value> = Some(-INFINITE);

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the most that a move is trusted to reach, if it is pruned. Evasions never are.
    pub(super) fn prune_move(
        &self,
        node: &Node,
        candidate: &Candidate,
        reduction: i32,
        picker: &mut Picker,
    ) -> Option<Value> {
        node.static_value?;
        let Candidate { is_tactical, gives_check, index, .. } = *candidate;
        let inputs = &node.inputs;
        if self.uses(Techniques::LATE_MOVE_PRUNING)
            && !node.on_last_line
            && index
                >= pruning::late_move_pruning_count(
                    self.parameters(),
                    inputs.depth,
                    inputs.improving,
                )
        {
            picker.skip_quiets();
            if !is_tactical && !gives_check {
                return NO_CLAIM;
            }
        }
        if self.loses_exchange_in_last_plies(inputs.depth, candidate) {
            return NO_CLAIM;
        }
        // The depth to which the move would be searched.
        let depth = inputs.depth - 1 - reduction / REDUCTION_UNIT;
        if is_tactical || gives_check {
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
        let Candidate { m, is_tactical, gives_check, .. } = *candidate;
        let p = self.parameters();
        let inputs = &node.inputs;
        let history =
            if is_tactical { capture_history(&self.position, self.history, m) } else { 0 };
        if !gives_check
            && self.uses(Techniques::CAPTURE_FUTILITY)
            && let Some(most) =
                pruning::capture_futility(p, inputs, depth, material_gain(&self.position, m))
        {
            return Some(most);
        }
        let margin = pruning::capture_see_margin(p, inputs, history);
        (self.uses(Techniques::EXCHANGE_PRUNING) && !self.position.see_at_least(m, -margin))
            .then_some(-INFINITE)
    }

    /// History, futility and exchange pruning of quiet moves.
    #[inline]
    fn prune_quiet(&self, node: &Node, candidate: &Candidate, depth: i32) -> Option<Value> {
        let p = self.parameters();
        let inputs = &node.inputs;
        let history = self.continuation_history(node.ply, candidate.piece_to) + p.history_offset;
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
            && !self.position.see_at_least(candidate.m, -margin))
        .then_some(-INFINITE)
    }
}
