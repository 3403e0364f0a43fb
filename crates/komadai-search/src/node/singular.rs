//! Singular extension: a table move without an alternative is searched deeper. The same search
//! serves multi-cut and the negative extension.
//!
//! Source: T. Anantharaman, M. Campbell and F. Hsu, "Singular extensions: adding selectivity to
//! brute-force searching", Artificial Intelligence 43(1), 1990; in the form of Stockfish, from
//! which the depths and the negative extensions are taken.

use komadai_core::Move;
use komadai_eval::Evaluator;

use super::node_state::Node;
use crate::history::gravity::updated;
use crate::pruning::{self, PruningInputs, SingularMove};
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::value::{Value, Window, is_decided};
use crate::worker::{Frame, Worker};

/// Largest number of plies by which the table's search may be shallower than the node's.
const MAX_DEPTH_GAP: i32 = 3;

/// Extension of a table move that would be cut off but has good alternatives.
const NEGATIVE_EXTENSION: i32 = -3;

/// Extension of the table move of an expected cut node whose alternatives may be as good.
const CUT_NODE_EXTENSION: i32 = -2;

/// The largest success of the table's moves.
const MAX_TABLE_MOVE_HISTORY: i32 = 8_192;

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
        let p = self.parameters();
        let beta = pruning::singular_beta(p, &node.inputs, hit.value, node.near_pv && !PV);
        let value = self.search_without(node, m, beta, (depth - 1) / 2);
        if self.meter.is_over() {
            return no_extension;
        }
        let window = node.inputs.window;
        if value < beta {
            let singular = SingularMove {
                pv: PV,
                near_pv: node.near_pv,
                is_capture: node.table_move_captures,
                correction: node.inputs.correction,
                is_deep: node.ply as i32 > self.root_depth,
                history: self.table_move_history,
            };
            return SingularResult::Extend(pruning::singular_extension(p, beta, value, singular));
        }
        if !PV && value >= window.beta && !is_decided(value) && self.uses(Techniques::MULTI_CUT) {
            self.update_table_move_history(-(424 + 107 * depth).min(3_375));
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

    /// Updates the success of the table's moves.
    pub(super) fn update_table_move_history(&mut self, bonus: i32) {
        let number = &mut self.table_move_history;
        *number = updated::<MAX_TABLE_MOVE_HISTORY>(*number, bonus);
    }

    /// Returns the best value of the moves other than `excluded`.
    fn search_without(&mut self, node: &Node, excluded: Move, beta: Value, depth: i32) -> Value {
        let window = Window::zero(beta - 1);
        let static_value = node.inputs.static_value;
        // The table's value is that of the excluded move.
        let improving = self.is_improving(node.static_value, node.ply);
        let evaluation = static_value;
        let inputs = PruningInputs { window, depth, evaluation, improving, ..node.inputs };
        let mut without = Node { inputs, on_last_line: false, excluded: Some(excluded), ..*node };
        let frame = self.frames[node.ply];
        self.frames[node.ply + 2].cutoffs = 0;
        let value = match self.prune_node::<false>(&mut without) {
            Some(value) => value,
            None => self.search_moves::<false>(&mut without),
        };
        self.frames[node.ply] = Frame { cutoffs: self.frames[node.ply].cutoffs, ..frame };
        value
    }
}
