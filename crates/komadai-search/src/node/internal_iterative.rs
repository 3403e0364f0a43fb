//! Internal iterative deepening and reduction, for nodes without a transposition-table move.
//!
//! Source of the reduction: E. Schröder, Rebel (2020). The deepening is in `museum/`.

use komadai_eval::Evaluator;

use super::node_state::Node;
use crate::searcher::node_visitor::NodeVisitor;
use crate::techniques::Techniques;
use crate::worker::Worker;

impl<E: Evaluator, V: NodeVisitor> Worker<'_, E, V> {
    /// Searches a node without a table move less deep, to find one or to save time.
    ///
    /// Internal iterative deepening finds a first move; the reduction trusts that the next
    /// iteration comes back with a move. Nodes expected to fail low need no good first move.
    pub(super) fn iterate_internally<const PV: bool>(&mut self, node: &mut Node) {
        if node.table_move.is_some() || !(PV || node.cut_node) {
            return;
        }
        let is_deep = node.inputs.depth >= self.parameters().iterative_depth;
        if self.uses(Techniques::ITERATIVE_DEEPENING) && is_deep {
            node.table_move = self.move_of_shallower_search::<PV>(node);
        } else if self.uses(Techniques::ITERATIVE_REDUCTION) && is_deep {
            node.inputs.depth -= 1;
        }
    }
}
