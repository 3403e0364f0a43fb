//! A Bloom filter: a fast test that a key is absent.

/// A set of keys that reports about one absent key in a hundred as present, but no present key as
/// absent.
///
/// Nine in ten legal moves of a book's positions lead to positions outside the book. The table of
/// all keys does not fit into a processor's cache; two bytes a position mostly do.
///
/// Source: B. H. Bloom, *Space/time trade-offs in hash coding with allowable errors*, 1970. All
/// bits of a key are in one word, as in F. Putze, P. Sanders and J. Singler, *Cache-, hash- and
/// space-efficient Bloom filters*, 2007.
#[derive(Debug)]
pub(crate) struct BloomFilter {
    words: Vec<u64>,
    /// The number of bits by which a hash is shifted to the right to give the number of its word.
    shift: u32,
}

impl BloomFilter {
    /// Creates an empty set for up to `keys` keys.
    pub(crate) fn with_room(keys: usize) -> Self {
        // Four keys a word or fewer: 16 bits a key, and 3 of them set, give about 1 % false
        // positives. Two words at least, because a shift by 64 overflows.
        let words = keys.div_ceil(4).next_power_of_two().max(2);
        Self { words: vec![0; words], shift: 64 - words.trailing_zeros() }
    }

    /// Adds a key.
    pub(crate) fn insert(&mut self, key: u64) {
        let (word, bits) = self.place(key);
        self.words[word] |= bits;
    }

    /// Returns false only if the key is absent.
    #[inline]
    pub(crate) fn may_contain(&self, key: u64) -> bool {
        let (word, bits) = self.place(key);
        self.words[word] & bits == bits
    }

    /// The word of a key, and its three bits in it.
    #[inline]
    fn place(&self, key: u64) -> (usize, u64) {
        // The index stores the upper half of a key only. The multiplier is 2^64 divided by the
        // golden ratio (Fibonacci hashing, D. E. Knuth, TAOCP vol. 3, 6.4).
        let hash = (key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let bits = 1 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << (hash >> 12 & 63);
        ((hash >> self.shift) as usize, bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn present_keys_are_found_and_absent_ones_seldom() {
        let key = |number: u64| number.wrapping_mul(0xbf58_476d_1ce4_e5b9) & !1;
        let mut filter = BloomFilter::with_room(10_000);
        (0..10_000).for_each(|number| filter.insert(key(number)));
        assert!((0..10_000).all(|number| filter.may_contain(key(number))));
        let wrong = (10_000..110_000).filter(|&number| filter.may_contain(key(number))).count();
        assert!(wrong < 2_500, "{wrong}");
    }
}
