//! ProbCut of captures: a good capture far above the window in a shallow search decides the node.
//!
//! Source: Stockfish, also for the depths. M. Buro's ProbCut, from which it has the name, predicts
//! the value of a deep search of all moves by that of a shallow one: `museum/regression_probcut.rs`.

use komadai_core::{Bound, Move};
use komadai_eval::Evaluator;

use super::node_state::Node;
use crate::picker::{MoveFilter, Picker};
use crate::pruning;
use crate::settings::Settings;
use crate::transposition_table::entry::NodeResult;
use crate::value::{Value, Window, is_decided};
use crate::worker::Worker;

/// Depth reduction of the shallow search in plies, the capture itself included.
const REDUCTION: i32 = 4;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns a value above the window, if the transposition table holds one of a search not much
    /// shallower.
    pub(super) fn table_probcut(&self, node: &Node) -> Option<Value> {
        let hit = node.hit?;
        let beta = node.inputs.window.beta + self.parameters().table_probcut_margin;
        let holds = hit.is_lower_bound()
            && hit.depth() >= node.inputs.depth - REDUCTION
            && hit.value >= beta
            && !is_decided(hit.value)
            && !is_decided(node.inputs.window.beta);
        holds.then_some(beta)
    }

    /// Returns a value above the window, if a good capture reaches it with a margin in a shallow
    /// search.
    pub(super) fn capture_probcut(&mut self, node: &Node) -> Option<Value> {
        let beta = pruning::capture_probcut_beta(self.parameters(), &node.inputs)?;
        let depth = node.inputs.depth - REDUCTION;
        // An earlier search has not reached `beta`.
        if node.hit.is_some_and(|hit| hit.value < beta) {
            return None;
        }
        // In the values of exchanges.
        let least = 100 * (beta - node.static_value?) / self.parameters().capture_gain;
        let context = self.ordering_context(node.ply, None);
        let filter = MoveFilter::Winning(least);
        let mut picker = Picker::captures(&self.position, filter, node.table_move, &self.buffer);
        let mut found = None;
        while let Some(m) = self.next_move(&mut picker, &context) {
            if node.excluded == Some(m) {
                continue;
            }
            let value = self.search_probcut_capture(m, beta, depth, node);
            if self.meter.is_over() {
                found = Some(0);
                break;
            }
            if value >= beta {
                if node.excluded.is_none() {
                    self.store_in_table(
                        &NodeResult {
                            best: Some(m),
                            value,
                            static_value: node.raw_value,
                            depth: depth.max(0) + 1,
                            bound: Bound::Lower,
                            pv: node.near_pv,
                        },
                        node.ply,
                    );
                }
                // The margin was a safety; the bound for the full depth is lower by it.
                let margin = beta - node.inputs.window.beta;
                found = Some(if is_decided(value) { value } else { value - margin });
                break;
            }
        }
        picker.finish(&mut self.buffer);
        found
    }

    /// Returns the value of a capture: by quiescence first, and to `depth` if that reaches `beta`.
    fn search_probcut_capture(&mut self, m: Move, beta: Value, depth: i32, node: &Node) -> Value {
        let window = Window::zero(beta - 1).reversed();
        self.frames[node.ply].reduction = 0;
        self.frames[node.ply].move_index = 0;
        self.do_move(m, node.ply);
        let mut value = -self.leaf::<false>(window, node.ply + 1);
        if value >= beta && depth > 0 {
            value = -self.node::<false>(window, depth, node.ply + 1, !node.cut_node);
        }
        self.undo_move();
        value
    }
}
