//! A transposition-table hit in the search's own numbers, and the access to the table.

use komadai_core::Move;
use komadai_eval::Evaluator;

use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::transposition_table::entry::{EXACT, LOWER, NodeResult, PackedEntry, UPPER};
use crate::value::{Value, Window, from_ply, to_ply};
use crate::worker::Worker;

/// An entry of the table with its value in the search's own numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TtHit {
    entry: PackedEntry,
    /// The value, with mates counted from the root. Meaningless without a bound.
    pub(crate) value: Value,
}

const _: () = assert!(size_of::<Option<TtHit>>() == 16, "returned in two registers");

impl TtHit {
    #[inline]
    pub(crate) fn best(&self) -> Option<Move> {
        self.entry.best()
    }

    #[inline]
    pub(crate) fn static_value(&self) -> Option<Value> {
        self.entry.static_value()
    }

    #[inline]
    pub(crate) fn depth(&self) -> i32 {
        i32::from(self.entry.depth())
    }

    /// Checks whether the entry has more than a static value: an earlier visit has not only begun.
    #[inline]
    pub(crate) fn has_value(&self) -> bool {
        self.entry.has_value()
    }

    /// Checks whether the position is worth the value at least.
    #[inline]
    pub(crate) fn is_lower_bound(&self) -> bool {
        self.entry.holds(LOWER)
    }

    /// Checks whether the position was part of a principal variation.
    #[inline]
    pub(crate) fn pv(&self) -> bool {
        self.entry.pv()
    }

    /// Returns the value, if it decides a node with this window and depth.
    #[inline]
    pub(crate) fn cutoff(&self, window: Window, depth: i32) -> Option<Value> {
        let needed = if self.value >= window.beta {
            LOWER
        } else if self.value <= window.alpha {
            UPPER
        } else {
            EXACT
        };
        (self.entry.holds(needed) && self.depth() >= depth).then_some(self.value)
    }

    /// Returns the value, if its bound shows that it is closer to the truth than `static_value`.
    #[inline]
    pub(crate) fn better_estimate(&self, static_value: Value) -> Option<Value> {
        let needed = if self.value > static_value { LOWER } else { UPPER };
        self.entry.holds(needed).then_some(self.value)
    }
}

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Probes the transposition table for the position at `ply`.
    pub(crate) fn probe_table(&mut self, ply: usize) -> Option<TtHit> {
        if !self.uses(Techniques::TABLE) {
            return None;
        }
        let (entry, place) = self.table.find(self.position.key());
        self.frames[ply].place = place;
        let entry = entry?;
        Some(TtHit { entry, value: from_ply(entry.value(), ply) })
    }

    /// Returns the entry of a key that is perhaps not that of the position at `ply`.
    pub(crate) fn look_up(&self, key: u64, ply: usize) -> Option<TtHit> {
        let entry = self.table.find(key).0.filter(|_| self.uses(Techniques::TABLE))?;
        Some(TtHit { entry, value: from_ply(entry.value(), ply) })
    }

    /// Stores a result for a position at `ply` by a key of the caller's choice.
    pub(crate) fn store_by_key(&self, key: u64, result: &NodeResult, ply: usize) {
        if self.uses(Techniques::TABLE) {
            let result = NodeResult { value: to_ply(result.value, ply), ..*result };
            let entry = PackedEntry::new(&result, self.table.generation());
            self.table.store_at(&self.table.find(key).1, entry);
        }
    }

    /// Stores a result for the position at `ply` in the transposition table, where
    /// [`probe_table`](Self::probe_table) has looked for it.
    pub(crate) fn store_in_table(&self, result: &NodeResult, ply: usize) {
        if !self.uses(Techniques::TABLE) {
            return;
        }
        let place = &self.frames[ply].place;
        debug_assert_eq!(place.key, self.position.key(), "the position at {ply} was not probed");
        let result = NodeResult { value: to_ply(result.value, ply), ..*result };
        self.table.store_at(place, PackedEntry::new(&result, self.table.generation()));
    }

    /// Stores the evaluator's value of the position at `ply`, which the table does not hold yet.
    ///
    /// A node that is pruned then need not be evaluated again, and other threads find the value
    /// while the node is searched.
    pub(crate) fn store_evaluation_in_table(&self, value: Value, pv: bool, ply: usize) {
        if self.uses(Techniques::TABLE) {
            let entry = PackedEntry::of_evaluation(value, pv, self.table.generation());
            self.table.store_at(&self.frames[ply].place, entry);
        }
    }
}
