//! Internal iterative deepening: a shallower search finds the first move of a node.
//!
//! Source: J. Scott, "A chess-playing program", Machine Intelligence 4, 1969.

use komadai_core::Move;
use komadai_eval::Evaluator;

use crate::node::node_state::Node;
use crate::pruning::PruningInputs;
use crate::searcher::node_visitor::NodeVisitor;
use crate::worker::Worker;

/// Depth reduction of the internal search in plies, untuned.
const REDUCTION: i32 = 3;

impl<E: Evaluator, V: NodeVisitor> Worker<'_, E, V> {
    /// Searches a node less deep, and returns the best move that this leaves in the table.
    pub(crate) fn move_of_shallower_search<const PV: bool>(&mut self, node: &Node) -> Option<Move> {
        let depth = node.inputs.depth - REDUCTION;
        self.search_moves::<PV>(&Node { inputs: PruningInputs { depth, ..node.inputs }, ..*node });
        self.probe_table(node.ply).and_then(|hit| hit.best)
    }
}
