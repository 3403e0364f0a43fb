//! The static evaluation of a node, corrected by the correction history.

use komadai_eval::Evaluator;

use crate::history::correction::CorrectionKeys;
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::transposition_table::hit::TtHit;
use crate::value::{MAX_EVALUATION, Value};
use crate::worker::Worker;

/// A static evaluation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StaticEvaluation {
    /// The evaluator's value. This is what the transposition table keeps, because corrections
    /// change.
    pub(crate) raw: Value,
    /// The value with correction, which the search uses.
    pub(crate) corrected: Value,
    /// The keys of the correction; `None` without [`Techniques::CORRECTION`].
    pub(crate) correction_keys: Option<CorrectionKeys>,
}

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the static evaluation of the position; `None` in check.
    ///
    /// The evaluator runs only if the transposition-table hit does not hold its value.
    pub(crate) fn static_evaluation(
        &mut self,
        hit: Option<TtHit>,
        ply: usize,
    ) -> Option<StaticEvaluation> {
        if self.position.in_check() {
            return None;
        }
        let stored = hit.and_then(|hit| hit.static_value());
        let raw = stored.unwrap_or_else(|| self.evaluate());
        if !self.uses(Techniques::CORRECTION) {
            return Some(StaticEvaluation { raw, corrected: raw, correction_keys: None });
        }
        let p = self.parameters();
        let last = self.piece_to_before(ply, 1);
        let own = self.piece_to_before(ply, 2);
        let keys = CorrectionKeys::of(&self.position, last, own);
        let correction = self.history.shared.correction.get(&keys);
        let corrected = raw + correction * p.correction_weight / 100;
        let corrected = corrected.clamp(-MAX_EVALUATION, MAX_EVALUATION);
        Some(StaticEvaluation { raw, corrected, correction_keys: Some(keys) })
    }
}
