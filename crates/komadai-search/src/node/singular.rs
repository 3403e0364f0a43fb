//! Singular extension: a table move without an alternative is searched deeper. The same search
//! serves multi-cut and the negative extension.
//!
//! Source: T. Anantharaman, M. Campbell and F. Hsu, "Singular extensions: adding selectivity to
//! brute-force searching", Artificial Intelligence 43(1), 1990. The search of the alternatives in
//! place of all moves, several plies and negative extensions are common practice of chess programs
//! (chess programming wiki).

use komadai_core::Move;
use komadai_eval::Evaluator;

use super::node_state::Node;
use crate::pruning::{self, PruningInputs, SingularMove};
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::transposition_table::hit::TtHit;
use crate::value::{Value, Window, is_decided};
use crate::worker::{Frame, Worker};

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
        let Some(hit) = node.hit.filter(|hit| self.is_singular_candidate(node, hit)) else {
            return SingularResult::Extend(0);
        };
        let p = self.parameters();
        let PruningInputs { window, depth, .. } = node.inputs;
        let limit = pruning::singular_limit(p, &node.inputs, hit.value);
        let others = self.search_without(node, m, limit, (depth - 1) / 2);
        if self.meter.is_over() {
            return SingularResult::Extend(0);
        }
        if others < limit {
            if let Some(plies) = self.information_extension(m, PV) {
                return SingularResult::Extend(plies);
            }
            let lead = limit - others;
            let singular = SingularMove {
                pv: PV,
                is_capture: node.table_move_captures,
                correction: node.inputs.correction,
            };
            return SingularResult::Extend(pruning::singular_extension(p, lead, &singular));
        }
        // Two moves above the window: the node will hardly fail low.
        if !PV && others >= window.beta && !is_decided(others) && self.uses(Techniques::MULTI_CUT) {
            return SingularResult::MultiCut(others);
        }
        SingularResult::Extend(match self.uses(Techniques::NEGATIVE_EXTENSION) {
            true if hit.value >= window.beta => NEGATIVE_EXTENSION,
            true if node.cut_node => CUT_NODE_EXTENSION,
            _ => 0,
        })
    }

    /// Checks whether the table's move may be singular: whether it is known to be good, by a search
    /// that is not much shallower than this one.
    fn is_singular_candidate(&self, node: &Node, hit: &TtHit) -> bool {
        let depth = node.inputs.depth;
        self.uses(Techniques::SINGULAR_EXTENSION)
            && node.excluded.is_none()
            && depth >= self.parameters().singular_depth + i32::from(node.near_pv)
            && hit.is_lower_bound()
            && hit.depth() >= depth - MAX_DEPTH_GAP
            && !is_decided(hit.value)
            && pruning::is_within_extension_budget(node.ply, self.iteration)
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
