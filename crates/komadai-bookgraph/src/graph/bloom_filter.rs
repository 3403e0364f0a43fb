//! Quick answers that a key is not there.

/// A set of keys that may claim to hold one that it does not, about one time in a hundred, but never
/// misses one that it does (B. H. Bloom 1970; all bits of a key in one word, F. Putze, P. Sanders and
/// J. Singler 2007).
///
/// Of all legal moves of a book's positions nine in ten lead nowhere in the book. The table of all keys
/// does not fit into a processor's cache; two bytes a position mostly do.
#[derive(Debug)]
pub(crate) struct KeyFilter {
    words: Vec<u64>,
    /// How far a key is shifted to give the number of its word.
    shift: u32,
}

impl KeyFilter {
    /// An empty set with room for so many keys.
    pub(crate) fn with_room(keys: usize) -> Self {
        // Four keys a word, or fewer; two words at least, as nothing can be shifted by 64.
        let words = keys.div_ceil(4).next_power_of_two().max(2);
        Self { words: vec![0; words], shift: 64 - words.trailing_zeros() }
    }

    /// Adds a key.
    pub(crate) fn insert(&mut self, key: u64) {
        let (word, bits) = self.place(key);
        self.words[word] |= bits;
    }

    /// Whether the key may be there.
    #[inline]
    pub(crate) fn may_hold(&self, key: u64) -> bool {
        let (word, bits) = self.place(key);
        self.words[word] & bits == bits
    }

    /// The word of a key, and its three bits in it.
    #[inline]
    fn place(&self, key: u64) -> (usize, u64) {
        // Only the upper half of a key counts: the index holds no more of it.
        let hash = (key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let bits = 1 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << (hash >> 12 & 63);
        ((hash >> self.shift) as usize, bits)
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
        assert!(wrong < 2_500, "{wrong}");
    }
}
