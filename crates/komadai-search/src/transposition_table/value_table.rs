//! The table of the first stage of the two-stage quiescence search: values without moves.
//!
//! It is separate from the transposition table, so that the main search never uses a value of the
//! first stage, and so that short-lived entries do not replace others.

use komadai_core::Bound;

use crate::value::{Value, Window, from_ply, to_ply};

/// The size of the first stage's table as a power of two: 65,536 entries, 1 MiB, for each thread.
const STAGE_ONE_BITS: u32 = 16;

/// A table of fixed size, in which a new entry always replaces an old one.
#[derive(Debug, Clone, Default)]
pub(crate) struct ValueTable {
    /// Their number is a power of two or 0.
    entries: Vec<Option<StoredValue>>,
}

/// The value of a position with a number of remaining plies of the first stage.
#[derive(Debug, Clone, Copy)]
struct StoredValue {
    key: u64,
    value: Value,
    bound: Bound,
    depth: u8,
}

impl ValueTable {
    /// Returns a table for the first stage of one thread.
    pub(crate) fn for_stage_one() -> Self {
        Self::with_bits(STAGE_ONE_BITS)
    }

    /// Returns a table of 2^`bits` entries.
    pub(crate) fn with_bits(bits: u32) -> Self {
        Self { entries: vec![None; 1 << bits] }
    }

    /// Returns the value of a position, if it decides a node with this window.
    ///
    /// Only an entry of exactly this depth counts: with another depth the search has another value.
    pub(crate) fn cutoff(&self, key: u64, depth: u8, window: Window, ply: usize) -> Option<Value> {
        let stored = (*self.entries.get(self.index(key))?)?;
        let value = from_ply(stored.value, ply);
        let fits = match stored.bound {
            Bound::Exact => true,
            Bound::Lower => value >= window.beta,
            Bound::Upper => value <= window.alpha,
        };
        (stored.key == key && stored.depth == depth && fits).then_some(value)
    }

    /// Stores a value; does nothing in a table without entries.
    pub(crate) fn store(&mut self, key: u64, depth: u8, value: Value, bound: Bound, ply: usize) {
        let index = self.index(key);
        if let Some(entry) = self.entries.get_mut(index) {
            let value = to_ply(value, ply);
            *entry = Some(StoredValue { key, value, bound, depth });
        }
    }

    fn index(&self, key: u64) -> usize {
        key as usize & self.entries.len().wrapping_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::mating;

    #[test]
    fn a_value_decides_by_its_bound_and_depth() {
        let window = Window { alpha: -10, beta: 10 };
        let mut table = ValueTable::with_bits(4);
        table.store(5, 2, 7, Bound::Exact, 3);
        assert_eq!(table.cutoff(5, 2, window, 3), Some(7));
        assert_eq!(table.cutoff(5, 1, window, 3), None, "another depth");
        assert_eq!(table.cutoff(21, 2, window, 3), None, "another position in the same place");
        table.store(5, 2, 7, Bound::Lower, 3);
        assert_eq!(table.cutoff(5, 2, window, 3), None);
        assert_eq!(table.cutoff(5, 2, Window { alpha: -10, beta: 7 }, 3), Some(7));
        table.store(5, 2, 7, Bound::Upper, 3);
        assert_eq!(table.cutoff(5, 2, Window { alpha: 7, beta: 10 }, 3), Some(7));
        table.store(5, 2, mating(6), Bound::Exact, 3);
        assert_eq!(table.cutoff(5, 2, window, 1), Some(mating(4)), "mates count from the root");
    }

    #[test]
    fn a_table_without_entries_stores_nothing() {
        let mut table = ValueTable::default();
        table.store(5, 2, 7, Bound::Exact, 0);
        assert_eq!(table.cutoff(5, 2, Window::FULL, 0), None);
    }
}
