//! What the first stage of the two-stage quiescence search remembers: values and nothing else.
//!
//! It is apart from the transposition table, so that the main search never takes a value of the first
//! stage for more than it is, and so that short-lived entries do not displace others.

use komadai_core::{Bound, Score};

use crate::value::{Value, Window};

/// A table of fixed size; a new entry replaces whatever was in its place.
#[derive(Debug, Clone, Default)]
pub(crate) struct ValueTable {
    /// A power of two, or none.
    entries: Vec<Option<StoredValue>>,
}

/// The value of a position with so many plies of the first stage left.
#[derive(Debug, Clone, Copy)]
struct StoredValue {
    key: u64,
    value: Value,
    bound: Bound,
    depth: u8,
}

impl ValueTable {
    /// One with place for 2^`bits` values.
    pub(crate) fn with_bits(bits: u32) -> Self {
        Self { entries: vec![None; 1 << bits] }
    }

    /// The value of a position, if it settles a node with this window.
    ///
    /// Only an entry of the very same depth does: the value with another depth is another value.
    pub(super) fn settles(&self, key: u64, depth: u8, window: Window, ply: usize) -> Option<Value> {
        let stored = (*self.entries.get(self.index(key))?)?;
        let value = Score::from_raw(stored.value).from_ply(ply as u32).raw();
        let fits = match stored.bound {
            Bound::Exact => true,
            Bound::Lower => value >= window.beta,
            Bound::Upper => value <= window.alpha,
        };
        (stored.key == key && stored.depth == depth && fits).then_some(value)
    }

    /// Remembers a value; does nothing if there is no place at all.
    pub(super) fn store(&mut self, key: u64, depth: u8, value: Value, bound: Bound, ply: usize) {
        let index = self.index(key);
        if let Some(entry) = self.entries.get_mut(index) {
            let value = Score::from_raw(value).to_ply(ply as u32).raw();
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
    fn a_value_settles_what_it_says_and_nothing_else() {
        let window = Window { alpha: -10, beta: 10 };
        let mut table = ValueTable::with_bits(4);
        table.store(5, 2, 7, Bound::Exact, 3);
        assert_eq!(table.settles(5, 2, window, 3), Some(7));
        assert_eq!(table.settles(5, 1, window, 3), None, "another depth");
        assert_eq!(table.settles(21, 2, window, 3), None, "another position in the same place");
        table.store(5, 2, 7, Bound::Lower, 3);
        assert_eq!(table.settles(5, 2, window, 3), None);
        assert_eq!(table.settles(5, 2, Window { alpha: -10, beta: 7 }, 3), Some(7));
        table.store(5, 2, 7, Bound::Upper, 3);
        assert_eq!(table.settles(5, 2, Window { alpha: 7, beta: 10 }, 3), Some(7));
        table.store(5, 2, mating(6), Bound::Exact, 3);
        assert_eq!(table.settles(5, 2, window, 1), Some(mating(4)), "mates count from the root");
    }

    #[test]
    fn an_empty_table_knows_nothing() {
        let mut table = ValueTable::default();
        table.store(5, 2, 7, Bound::Exact, 0);
        assert_eq!(table.settles(5, 2, Window::FULL, 0), None);
    }
}
