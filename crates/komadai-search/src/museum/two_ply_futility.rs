//! Two-ply futility pruning: a quiescence value far from the window decides the last two plies.
//!
//! Source: the glossary of computer shogi (2009), "futility pruning".

use komadai_eval::Evaluator;

use crate::node::node_state::Node;
use crate::searcher::node_visitor::NodeVisitor;
use crate::value::{Value, Window, is_decided};
use crate::worker::Worker;

impl<E: Evaluator, V: NodeVisitor> Worker<'_, E, V> {
    /// Returns the quiescence value of a node one or two plies before the leaves, if it lies far
    /// below or far above the window.
    pub(crate) fn two_ply_futility(&mut self, node: &Node) -> Option<Value> {
        let window = node.inputs.window;
        if node.inputs.depth > 2 || is_decided(window.alpha) || is_decided(window.beta) {
            return None;
        }
        let margin = self.parameters().two_ply_futility;
        let below = Window::zero(window.alpha - margin);
        let value = self.leaf::<false>(below, node.ply);
        if value <= below.alpha {
            return Some(value);
        }
        let above = Window::zero(window.beta + margin - 1);
        let value = self.leaf::<false>(above, node.ply);
        (value >= above.beta).then_some(value)
    }
}
