//! Hindsight reduction and extension: the depth is corrected when the static evaluation shows that
//! the reduction of the previous move was too large or too small.
//!
//! Source: Stockfish (2024).

use komadai_eval::Evaluator;

use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::value::Value;
use crate::worker::Worker;

/// Smallest reduction of the previous move in plies that may be too large.
const MIN_EXTENDED: i32 = 3;

/// Smallest reduction of the previous move in plies that may be too small.
const MIN_REDUCED: i32 = 2;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the depth of a node, a ply more or less than `depth` if the previous move was
    /// reduced and the static evaluation contradicts the reason for it.
    pub(super) fn depth_with_hindsight(
        &self,
        depth: i32,
        static_value: Option<Value>,
        ply: usize,
    ) -> i32 {
        let before = &self.frames[ply - 1];
        let (Some(now), Some(then)) = (static_value, before.static_value) else { return depth };
        if !self.uses(Techniques::HINDSIGHT) || before.current.is_none() {
            return depth;
        }
        // The two values are seen from opposite sides: their sum is what the opponent's move lost.
        if before.reduction >= MIN_EXTENDED && now <= -then {
            // The reduced move did not lose anything.
            depth + 1
        } else if before.reduction >= MIN_REDUCED
            && depth >= 2
            && now + then > self.parameters().hindsight_margin
        {
            depth - 1
        } else {
            depth
        }
    }
}
