//! A hash table from keys to numbers of positions.

/// A hash table from 64-bit keys to numbers, with linear probing. It is optimised for look-ups of
/// successors, because most of them are absent.
///
/// A slot holds the upper half of the key and the number, so a miss reads only the table. Two
/// positions may share a key: the caller compares the positions themselves.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeyIndex {
    /// 0 for an empty slot; otherwise the upper half of the key, and the number plus one. The
    /// length is a power of two, at least four thirds of the number of entries.
    slots: Vec<u64>,
    len: usize,
}

impl KeyIndex {
    /// The limit of the number of entries. More positions do not fit into memory, and up to this
    /// limit all counts per position, such as those of moves, fit into 32 bits.
    pub(crate) const MAX_LEN: u32 = 1 << 28;

    /// Creates an empty table with room for `numbers` entries.
    pub(crate) fn with_room(numbers: usize) -> Self {
        let slots =
            if numbers == 0 { 0 } else { (numbers * 4 / 3 + 1).next_power_of_two().max(64) };
        Self { slots: vec![0; slots], len: 0 }
    }

    /// The number under `key` that `is_it` accepts.
    #[inline]
    pub(crate) fn find(&self, key: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = self.home(key);
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            // Numbers are stored plus one, because 0 marks an empty slot.
            let number = slot as u32 - 1;
            if slot >> 32 == key >> 32 && is_it(number) {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// Visits the upper half of each key; the lower half is 0.
    pub(crate) fn for_each_key(&self, mut visit: impl FnMut(u64)) {
        let full = self.slots.iter().filter(|&&slot| slot != 0);
        full.for_each(|slot| visit((slot >> 32) << 32));
    }

    /// Adds a number under `key`. Other numbers with this key stay.
    pub(crate) fn insert(&mut self, key: u64, number: u32) {
        // A load of at most 3/4 keeps probe sequences short and leaves empty slots to end them.
        if self.len * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        self.put((key >> 32) << 32 | u64::from(number + 1));
        self.len += 1;
    }

    fn grow(&mut self) {
        let longer = (self.slots.len() * 2).max(64);
        let old = std::mem::replace(&mut self.slots, vec![0; longer]);
        old.into_iter().filter(|&slot| slot != 0).for_each(|slot| self.put(slot));
    }

    fn put(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut at = self.home(slot);
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }

    /// The first slot of a key: its topmost bits. The slot holds them too, so the table can grow
    /// without the keys.
    #[inline]
    fn home(&self, key: u64) -> usize {
        let bits = self.slots.len().trailing_zeros();
        ((key >> 32) >> (32 - bits)) as usize
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn it_finds_what_a_map_finds() {
        let mut index = KeyIndex::default();
        let mut map = HashMap::new();
        let mut key = 1_u64;
        for number in 0..10_000 {
            key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31) ^ number;
            index.insert(key, number as u32);
            map.insert(key, number as u32);
        }
        for (&key, &number) in &map {
            assert_eq!(index.find(key, |found| found == number), Some(number));
            assert_eq!(index.find(!key, |found| map.get(&!key) == Some(&found)), None);
        }
    }

    #[test]
    fn equal_keys_are_distinguished_by_the_caller() {
        let mut index = KeyIndex::default();
        assert_eq!(index.find(7, |_| true), None);
        (0..100).for_each(|number| index.insert(u64::MAX, number));
        assert_eq!(index.find(u64::MAX, |number| number == 99), Some(99));
        assert_eq!(index.find(u64::MAX, |_| false), None);
    }
}
