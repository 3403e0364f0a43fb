//! Quick answers that a key is not there.

/// A set of keys that may claim to hold one that it does not, about one time in sixteen, but never
/// misses one that it does (B. H. Bloom 1970, with one hash).
///
/// Of all legal moves of a book's positions nine in ten lead nowhere in the book. The table of all keys
/// does not fit into a processor's cache; two bytes a position mostly do.
#[derive(Debug)]
pub(crate) struct KeyFilter {
    words: Vec<u64>,
    /// How far a key is shifted to give the number of its bit.
    shift: u32,
}

impl KeyFilter {
    /// An empty set with room for so many keys.
    pub(crate) fn with_room(keys: usize) -> Self {
        let bits = (keys.max(4) * 16).next_power_of_two();
        Self { words: vec![0; bits / 64], shift: 64 - bits.trailing_zeros() }
    }

    /// Adds a key.
    pub(crate) fn insert(&mut self, key: u64) {
        let bit = self.bit(key);
        self.words[bit / 64] |= 1 << (bit % 64);
    }

    /// Whether the key may be there.
    #[inline]
    pub(crate) fn may_hold(&self, key: u64) -> bool {
        let bit = self.bit(key);
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    #[inline]
    fn bit(&self, key: u64) -> usize {
        // Only the upper half of a key counts: the index holds no more of it.
        ((key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_misses_nothing_and_seldom_claims_too_much() {
        let key = |number: u64| number.wrapping_mul(0xbf58_476d_1ce4_e5b9) & !1;
        let mut filter = KeyFilter::with_room(10_000);
        (0..10_000).for_each(|number| filter.insert(key(number)));
        assert!((0..10_000).all(|number| filter.may_hold(key(number))));
        let wrong = (10_000..110_000).filter(|&number| filter.may_hold(key(number))).count();
        assert!(wrong < 8_000, "{wrong}");
    }
}
