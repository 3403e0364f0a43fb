//! Pruning of every move that loses material by exchange in the last two plies.
//!
//! Source: the appeal document of ym-shogi, 2012.

use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use crate::node::node_state::Candidate;
use crate::searcher::node_visitor::NodeVisitor;
use crate::techniques::Techniques;
use crate::worker::Worker;

impl<E: Evaluator, V: NodeVisitor> Worker<'_, E, V> {
    /// Returns whether a move of a node at this depth is pruned. Checks never are.
    #[inline]
    pub(crate) fn loses_exchange_in_last_plies(&self, depth: i32, candidate: &Candidate) -> bool {
        self.uses(Techniques::LAST_PLIES_EXCHANGE)
            && depth <= 2
            && !candidate.gives_check
            && !self.position.see_at_least(candidate.m, 0)
    }
}
