//! Older forms of techniques: classical aspiration and null moves, two-ply futility, internal
//! iterative deepening, exchange pruning in the last plies.
//!
//! Sources: the glossary of computer shogi (2009), "aspiration search" and "futility pruning", and
//! for the reduction of null moves E. Heinz, "Adaptive null-move pruning", ICCA Journal 22(3),
//! 1999; J. Scott, "A chess-playing program", Machine Intelligence 4, 1969; the appeal document of
//! ym-shogi, 2012.

use komadai_core::Move;
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use crate::node::node_state::{Candidate, Node};
use crate::pruning::PruningInputs;
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::value::{Value, Window, is_decided};
use crate::worker::Worker;

/// Depth reduction of the internal search in plies, untuned.
const INTERNAL_REDUCTION: i32 = 3;

/// Half the width of the first window of classical aspiration in centipawns.
pub(crate) const ASPIRATION_MARGIN: Value = 150;

/// Returns the window of classical aspiration, opened completely on the side that failed.
pub(crate) fn opened_window(window: Window, value: Value) -> Window {
    if value <= window.alpha {
        Window { alpha: Window::FULL.alpha, ..window }
    } else {
        Window { beta: Window::FULL.beta, ..window }
    }
}

/// Returns the reduction of a classical null move in plies, the ply of the null move included;
/// `None` if no null move is tried.
pub(crate) fn null_move_reduction(inputs: &PruningInputs) -> Option<i32> {
    let PruningInputs { window, depth, .. } = *inputs;
    (depth >= 2 && !is_decided(window.beta)).then_some(if depth >= 6 { 4 } else { 3 })
}

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
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

    /// Searches a node less deep, and returns the best move that this leaves in the table.
    pub(crate) fn move_of_shallower_search<const PV: bool>(&mut self, node: &Node) -> Option<Move> {
        let depth = node.inputs.depth - INTERNAL_REDUCTION;
        let inputs = PruningInputs { depth, ..node.inputs };
        self.search_moves::<PV>(&mut Node { inputs, ..*node });
        self.probe_table(node.ply).and_then(|hit| hit.best())
    }

    /// Returns whether a move of a node at this depth is pruned. Checks never are.
    #[inline]
    pub(crate) fn loses_exchange_in_last_plies(&self, depth: i32, candidate: &Candidate) -> bool {
        self.uses(Techniques::LAST_PLIES_EXCHANGE)
            && depth <= 2
            && !candidate.gives_check
            && !self.position.see_at_least(candidate.moved.m, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pruning::Earliness;

    #[test]
    fn the_classical_reduction_depends_on_the_depth_alone() {
        let reduction = |depth, evaluation| {
            let window = Window::zero(99);
            null_move_reduction(&PruningInputs {
                window,
                depth,
                static_value: evaluation,
                evaluation,
                improving: false,
                correction: 0,
                is_new: false,
                earliness: Earliness::FULL,
            })
        };
        assert_eq!(reduction(6, -500), Some(4));
        assert_eq!(reduction(5, -500), Some(3));
        assert_eq!(reduction(1, 500), None);
    }
}
