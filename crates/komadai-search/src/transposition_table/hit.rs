//! A transposition-table hit in the search's own numbers, and the access to the table.

use komadai_core::{Bound, Move, Score};
use komadai_eval::Evaluator;

use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::transposition_table::entry::Entry;
use crate::value::{Value, Window};
use crate::worker::Worker;

/// An [`Entry`] in the search's own numbers: mates are counted from the root.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TtHit {
    pub(crate) best: Option<Move>,
    pub(crate) value: Value,
    pub(crate) static_value: Option<Value>,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// True if the position was part of a principal variation.
    pub(crate) pv: bool,
}

impl TtHit {
    /// Returns the value, if it decides a node with this window and depth.
    #[inline]
    pub(crate) fn cutoff(&self, window: Window, depth: i32) -> Option<Value> {
        let fits = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= window.beta,
            Bound::Upper => self.value <= window.alpha,
        };
        (fits && self.depth >= depth).then_some(self.value)
    }

    /// Returns the value, if its bound shows that it is closer to the truth than `static_value`.
    #[inline]
    pub(crate) fn better_estimate(&self, static_value: Value) -> Option<Value> {
        let fits = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value > static_value,
            Bound::Upper => self.value < static_value,
        };
        fits.then_some(self.value)
    }
}

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Probes the transposition table for the position.
    #[inline]
    pub(crate) fn probe_table(&self, ply: usize) -> Option<TtHit> {
        if !self.uses(Techniques::TABLE) {
            return None;
        }
        let entry = self.table.probe(self.position.key())?;
        Some(TtHit {
            best: entry.best,
            // Entries count mates from their own position, because it occurs at several plies.
            value: entry.score.from_ply(ply as u32).raw(),
            static_value: entry.static_score.map(Score::raw),
            depth: i32::from(entry.depth),
            bound: entry.bound,
            pv: entry.pv,
        })
    }

    /// Stores a result for the position in the transposition table.
    #[inline]
    pub(crate) fn store_in_table(&self, result: TtHit, ply: usize) {
        if !self.uses(Techniques::TABLE) {
            return;
        }
        let entry = Entry {
            best: result.best,
            score: Score::from_raw(result.value).to_ply(ply as u32),
            static_score: result.static_value.map(Score::from_raw),
            depth: result.depth.clamp(0, i32::from(u8::MAX)) as u8,
            bound: result.bound,
            pv: result.pv,
        };
        self.table.store(self.position.key(), entry);
    }
}
