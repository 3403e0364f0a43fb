//! Pruning of single moves: late move pruning, futility, history and exchange pruning.

use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use super::node_state::{Candidate, Node};
use crate::pruning::{self, REDUCTION_UNIT};
use crate::settings::Settings;
use crate::tactical::PieceMove;
use crate::techniques::Techniques;
use crate::value::{INFINITE, Value};
use crate::worker::Worker;

/// The bound of a pruned move about which nothing is claimed.
const NO_CLAIM: Option<Value> = Some(-INFINITE);

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the number of moves after which no quiet move is searched: late move pruning.
    #[inline]
    pub(super) fn late_move_count(&self, node: &Node) -> usize {
        if !self.uses(Techniques::LATE_MOVE_PRUNING) {
            return usize::MAX;
        }
        pruning::late_move_pruning_count(self.parameters(), &node.inputs)
    }

    /// Returns the most that a move is trusted to reach, if it is pruned. `is_first` means that no
    /// move has raised alpha before.
    pub(super) fn prune_move<const PV: bool>(
        &self,
        node: &Node,
        candidate: &Candidate,
        reduction: i32,
        is_first: bool,
    ) -> Option<Value> {
        let inputs = &node.inputs;
        if self.loses_exchange_in_last_plies(inputs.depth, candidate) {
            return NO_CLAIM;
        }
        // The depth to which the move would be searched.
        let depth = inputs.depth - 1 - reduction / REDUCTION_UNIT;
        if candidate.moved.is_capture() || candidate.gives_check {
            self.prune_tactical(node, candidate, depth)
        } else if PV && node.on_last_line {
            None
        } else {
            self.prune_quiet(node, candidate, depth, is_first)
        }
    }

    /// Futility and exchange pruning of captures and checks.
    #[inline]
    fn prune_tactical(&self, node: &Node, candidate: &Candidate, depth: i32) -> Option<Value> {
        let m = candidate.moved.m;
        let p = self.parameters();
        let inputs = &node.inputs;
        let gain = candidate.moved.gain();
        let history = if candidate.moved.is_capture() { candidate.history } else { 0 };
        if !candidate.gives_check
            && self.uses(Techniques::CAPTURE_FUTILITY)
            && pruning::capture_futility(p, inputs, depth, gain, history).is_some()
        {
            return NO_CLAIM;
        }
        let margin = pruning::capture_see_margin(p, inputs.depth, history);
        // A side that is behind even at best may have to offer something.
        let is_pruned = self.uses(Techniques::EXCHANGE_PRUNING)
            && inputs.window.alpha >= 0
            && !self.position.see_at_least(m, -margin);
        if is_pruned { NO_CLAIM } else { None }
    }

    /// History, futility and exchange pruning of quiet moves.
    #[inline]
    fn prune_quiet(
        &self,
        node: &Node,
        candidate: &Candidate,
        depth: i32,
        is_first: bool,
    ) -> Option<Value> {
        let p = self.parameters();
        let PieceMove { m, piece_to, .. } = candidate.moved;
        let inputs = &node.inputs;
        let mut history = candidate.history;
        if self.uses(Techniques::PAWN_HISTORY) {
            let pawns = self.position.part_keys().pawns();
            history += self.history.shared.pawn.row(pawns).get(piece_to);
        }
        let least = inputs.earliness.between(p.early_history_pruning, p.history_pruning);
        if self.uses(Techniques::HISTORY_PRUNING) && history < -least * inputs.depth {
            return NO_CLAIM;
        }
        if self.uses(Techniques::HISTORY) {
            history += 2 * self.history.own.butterfly.get(self.position.side(), m);
        }
        // A move with a good history is treated as if it were searched deeper.
        let depth = depth + history / p.history_ply;
        if node.static_value.is_some()
            && self.uses(Techniques::FUTILITY)
            && let Some(most) = pruning::futility(p, inputs, depth, is_first)
        {
            return Some(most);
        }
        let margin = pruning::quiet_see_margin(p, inputs.earliness, depth);
        let is_pruned =
            self.uses(Techniques::EXCHANGE_PRUNING) && !self.position.see_at_least(m, -margin);
        if is_pruned { NO_CLAIM } else { None }
    }
}
