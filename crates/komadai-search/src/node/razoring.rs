//! Razoring: a node far below the window is left to the quiescence search.

use komadai_eval::Evaluator;

use super::node_state::Node;
use crate::pruning;
use crate::searcher::node_visitor::NodeVisitor;
use crate::value::Value;
use crate::worker::Worker;

impl<E: Evaluator, V: NodeVisitor> Worker<'_, E, V> {
    /// Returns the quiescence value of a node far below the window, if it stays there.
    pub(super) fn razoring(&mut self, node: &Node) -> Option<Value> {
        if !pruning::razoring(self.parameters(), &node.inputs) {
            return None;
        }
        let window = node.inputs.window;
        let value = self.leaf::<false>(window, node.ply);
        (value <= window.alpha).then_some(value)
    }
}
