//! Internal iterative deepening and reduction, for nodes without a transposition-table move.
//!
//! Source: deepening: J. Scott, "A chess-playing program", Machine Intelligence 4, 1969; reduction:
//! E. Schröder, Rebel (2020).

use komadai_eval::Evaluator;

use super::node_state::Node;
use crate::pruning::PruningInputs;
use crate::searcher::node_visitor::NodeVisitor;
use crate::techniques::Techniques;
use crate::worker::Worker;

/// Depth reduction of the internal search in plies.
///
/// Untuned: the technique is off by default.
const DEEPENING_REDUCTION: i32 = 3;

impl<E: Evaluator, V: NodeVisitor> Worker<'_, E, V> {
    /// Searches a node without a table move less deep, to find one or to save time.
    ///
    /// Internal iterative deepening finds a first move; the reduction trusts that the next iteration
    /// comes back with a move. Nodes expected to fail low need no good first move.
    pub(super) fn iterate_internally<const PV: bool>(&mut self, node: &mut Node) {
        if node.table_move.is_some() || !(PV || node.cut_node) {
            return;
        }
        let PruningInputs { depth, window, .. } = node.inputs;
        let is_deep = depth >= self.parameters().iterative_depth;
        if self.uses(Techniques::ITERATIVE_DEEPENING) && is_deep {
            let depth = depth - DEEPENING_REDUCTION;
            self.search_moves::<PV>(&Node {
                inputs: PruningInputs { depth, window, ..node.inputs },
                ..*node
            });
            node.table_move = self.probe_table(node.ply).and_then(|hit| hit.best);
        } else if self.uses(Techniques::ITERATIVE_REDUCTION) && is_deep {
            node.inputs.depth -= 1;
        }
    }
}
