//! Singular extension: a table move without an alternative is searched deeper. The same search
//! serves multi-cut and the negative extension.
//!
//! Source: T. Anantharaman, M. Campbell and F. Hsu, "Singular extensions: adding selectivity to
//! brute-force searching", Artificial Intelligence 43(1), 1990; in the form of Stockfish, from
//! which the depths and the negative extensions are taken.

use komadai_core::Move;
use komadai_eval::Evaluator;

use super::node_state::Node;
use crate::pruning::{self, PruningInputs, SingularMove};
use crate::settings::Settings;
use crate::tactical::is_tactical;
use crate::techniques::Techniques;
use crate::value::{Value, Window, is_decided};
use crate::worker::Worker;

/// Largest number of plies by which the table's search may be shallower than the node's.
const MAX_DEPTH_GAP: i32 = 3;

/// Extension of a table move that would be cut off but has good alternatives.
const NEGATIVE_EXTENSION: i32 = -3;

/// Extension of the table move of an expected cut node whose alternatives may be as good.
const CUT_NODE_EXTENSION: i32 = -2;

/// The consequence of a comparison of the table move with its alternatives.
pub(super) enum SingularResult {
    /// Search the move deeper by this number of plies, less deep if it is negative.
    Extend(i32),
    /// Multi-cut: an alternative is good enough as well, so that the node has this value.
    MultiCut(Value),
}

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Compares the table's move with its alternatives by a reduced search without it.
    pub(super) fn singular_extension<const PV: bool>(
        &mut self,
        node: &Node,
        m: Move,
    ) -> SingularResult {
        let no_extension = SingularResult::Extend(0);
        let depth = node.inputs.depth;
        let Some(hit) = node.hit else { return no_extension };
        if !self.uses(Techniques::SINGULAR_EXTENSION)
            || node.excluded.is_some()
            || depth < self.parameters().singular_depth + i32::from(node.near_pv)
            // The move must be known to be good, by a search that is not much shallower.
            || !hit.is_lower_bound()
            || hit.depth() < depth - MAX_DEPTH_GAP
            || is_decided(hit.value)
            || !pruning::is_within_extension_budget(node.ply, self.iteration)
        {
            return no_extension;
        }
        let pv = PV || node.near_pv;
        let beta = pruning::singular_beta(self.parameters(), hit.value, depth, pv);
        let value = self.search_without(node, m, beta, (depth - 1) / 2);
        if self.meter.is_over() {
            return no_extension;
        }
        let window = node.inputs.window;
        if value < beta {
            let singular = SingularMove {
                pv: PV,
                is_tactical: is_tactical(&self.position, m),
                correction: node.inputs.correction,
            };
            return SingularResult::Extend(pruning::singular_extension(
                self.parameters(),
                beta,
                value,
                singular,
            ));
        }
        if !PV && value >= window.beta && !is_decided(value) && self.uses(Techniques::MULTI_CUT) {
            return SingularResult::MultiCut(value);
        }
        if self.uses(Techniques::NEGATIVE_EXTENSION) {
            if hit.value >= window.beta {
                return SingularResult::Extend(NEGATIVE_EXTENSION);
            }
            if node.cut_node {
                return SingularResult::Extend(CUT_NODE_EXTENSION);
            }
        }
        no_extension
    }

    /// Returns the best value of the moves other than `excluded`.
    fn search_without(&mut self, node: &Node, excluded: Move, beta: Value, depth: i32) -> Value {
        let window = Window::zero(beta - 1);
        let inputs = PruningInputs { window, depth, ..node.inputs };
        let mut without = Node {
            inputs,
            table_move: None,
            on_last_line: false,
            excluded: Some(excluded),
            ..*node
        };
        self.search_moves::<false>(&mut without)
    }
}
