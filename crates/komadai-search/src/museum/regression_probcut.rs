//! ProbCut by regression: a shallow search of all moves decides a node, if the value that it
//! predicts for the deep search is far outside the window.
//!
//! The prediction is a line, slope · shallow + offset, with a standard deviation; both depend on the
//! depths and on the progress of the game ([`DepthPair`]). At the depths that have a pair, two
//! searches with zero windows ask whether the prediction is above beta or below alpha by a number
//! of deviations. Nodes of the principal variation, in check, and without one of their moves are left
//! alone.
//!
//! Source: M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA
//! Journal 18(2), 1995.

use komadai_eval::{Evaluator, Progress};

use crate::node::node_state::Node;
use crate::probcut::DepthPair;
use crate::pruning::PruningInputs;
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::value::{Value, Window, is_decided};
use crate::worker::Worker;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the end of the window on whose side a shallow search puts the node's value.
    pub(crate) fn regression_probcut(&mut self, node: &Node) -> Option<Value> {
        if !self.uses(Techniques::REGRESSION_PROBCUT) || node.excluded.is_some() {
            return None;
        }
        let pair = DepthPair::find(self.depth_pairs, node.inputs.depth.try_into().ok()?)?;
        let by = &pair.bands[DepthPair::band(Progress::of(&self.position))];
        let confidence = self.parameters().regression_probcut_confidence as f32 / 100.0;
        let window = node.inputs.window;
        let [above, below] = by.bounds(confidence, window);
        let shallow = pair.shallow as i32;
        if !is_decided(window.beta) && !is_decided(above) {
            let value = self.shallow_value(node, Window::zero(above - 1), shallow);
            if self.meter.is_over() {
                return Some(0);
            }
            if value >= above {
                return Some(window.beta);
            }
        }
        if !is_decided(window.alpha) && !is_decided(below) {
            let value = self.shallow_value(node, Window::zero(below), shallow);
            if self.meter.is_over() {
                return Some(0);
            }
            if value <= below {
                return Some(window.alpha);
            }
        }
        None
    }

    /// Returns the value of the node by a shallower search, or by the table if that has one.
    fn shallow_value(&mut self, node: &Node, window: Window, depth: i32) -> Value {
        let hit = self.probe_table(node.ply);
        if let Some(value) = hit.and_then(|hit| hit.cutoff(window, depth)) {
            return value;
        }
        let inputs = PruningInputs { window, depth, ..node.inputs };
        let frame = self.frames[node.ply];
        self.frames[node.ply + 2].cutoffs = 0;
        let value = self.search_moves::<false>(&mut Node { inputs, ..*node });
        // Its cutoffs are none of the node.
        self.frames[node.ply] = frame;
        value
    }
}

#[cfg(test)]
mod tests;
