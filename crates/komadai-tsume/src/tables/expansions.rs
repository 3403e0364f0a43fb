//! The moves of unsolved positions, kept for the next visit.
//!
//! Df-pn visits an unsolved position again and again, and most of its moves lead to positions that
//! were never visited. The moves and the first numbers of these positions are therefore kept in a
//! ring, where new ones overwrite the oldest. A visit to a position in the ring neither generates
//! moves nor counts those after them.

use komadai_core::Move;

/// A move with the first numbers of the position after it, in one word: the move in bits 0 to 15,
/// the first numbers in bits 16 to 31.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Expanded(u32);

impl Expanded {
    pub(crate) fn new(m: Move, first: FirstNumbers) -> Self {
        Self(u32::from(m.to_bits()) | u32::from(first.0) << 16)
    }

    /// Returns the move. `None` never occurs, since every word is written from a move.
    pub(crate) fn m(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    pub(crate) fn first(self) -> FirstNumbers {
        FirstNumbers((self.0 >> 16) as u16)
    }
}

/// The proof and disproof number with which an unsolved position starts, each from 1 to 255; or
/// unknown, if the position is solved by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FirstNumbers(u16);

impl FirstNumbers {
    pub(crate) const UNKNOWN: Self = Self(0);

    /// The numbers, larger ones reduced to 255.
    pub(crate) fn new(proof: u32, disproof: u32) -> Self {
        Self((proof.clamp(1, 255) | disproof.clamp(1, 255) << 8) as u16)
    }

    /// Returns the proof and the disproof number.
    pub(crate) fn get(self) -> Option<(u32, u32)> {
        (self != Self::UNKNOWN).then_some((u32::from(self.0 & 255), u32::from(self.0 >> 8)))
    }
}

/// The ring, with an index of it by position.
///
/// Both start small, so that a small problem stays in the processor's caches, and double while the
/// ring is too small for the search. They then begin anew: to move 56 MiB to twice the memory and
/// to clear the rest of it took 25 ms, during which no deadline was kept.
#[derive(Debug)]
pub(crate) struct Expansions {
    /// The words of [`Expanded`].
    ring: Vec<u32>,
    /// Slots of the index in the form of [`Slot::from_words`].
    index: Vec<[u64; 3]>,
    /// The number of words written, also those that were overwritten since. The next word goes to
    /// this place of the ring, modulo its length.
    end: u64,
    /// The words before this place belong to an earlier search.
    start: u64,
    /// Largest number of words.
    most: usize,
}

/// The hash of a position with the place and the number of its words.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    position: u64,
    place: u64,
    count: u32,
}

impl Slot {
    const fn from_words([position, place, count]: [u64; 3]) -> Self {
        Self { position, place, count: count as u32 }
    }

    const fn to_words(self) -> [u64; 3] {
        [self.position, self.place, self.count as u64]
    }
}

/// Words in the ring at the start of a search. On average a position has about eight.
const FIRST_WORDS: usize = 1 << 12;

/// Words of the ring for each slot of the index.
const WORDS_PER_SLOT: usize = 8;

/// Bytes of ring and index for each word.
const BYTES_PER_WORD: usize = size_of::<Expanded>() + size_of::<Slot>() / WORDS_PER_SLOT;

impl Expansions {
    /// Creates a ring that takes at most `bytes`, or the smallest one.
    pub(crate) fn new(bytes: usize) -> Self {
        let most = (bytes / BYTES_PER_WORD).max(FIRST_WORDS);
        let most = 1 << most.ilog2();
        Self { ring: Vec::new(), index: Vec::new(), end: 0, start: 0, most }
    }

    /// Returns the allocated memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.ring.len() * BYTES_PER_WORD
    }

    /// Forgets all positions.
    pub(crate) fn clear(&mut self) {
        self.resize(FIRST_WORDS);
    }

    /// Begins anew with this number of words.
    fn resize(&mut self, words: usize) {
        if words > self.ring.capacity() {
            // New vectors of zeros come from the system as they are.
            self.ring = vec![0; words];
            self.index = vec![[0; 3]; words / WORDS_PER_SLOT];
        }
        self.ring.resize(words, 0);
        self.index.resize(words / WORDS_PER_SLOT, [0; 3]);
        // At the beginning of the ring, so that the same search always uses the same part of it.
        self.end = self.end.next_multiple_of(words as u64);
        self.start = self.end;
    }

    /// Returns the moves of a position.
    #[inline]
    pub(crate) fn find(&self, position: u64) -> Option<impl Iterator<Item = Expanded>> {
        let slot = Slot::from_words(*self.index.get(self.slot(position))?);
        if slot.position != position || slot.place < self.start {
            return None;
        }
        // A word is valid until the ring has gone round once.
        if self.end - slot.place > self.ring.len() as u64 {
            return None;
        }
        let place = (slot.place % self.ring.len() as u64) as usize;
        let words = self.ring.get(place..place + slot.count as usize)?;
        Some(words.iter().map(|&word| Expanded(word)))
    }

    /// Adds the moves of a position. Does nothing if they are in the ring.
    pub(crate) fn insert(&mut self, position: u64, moves: impl ExactSizeIterator<Item = Expanded>) {
        let count = moves.len();
        if self.find(position).is_some() || count > self.ring.len() / 4 {
            return;
        }
        if self.end - self.start >= self.ring.len() as u64 && self.ring.len() < self.most {
            self.resize(self.ring.len() * 2);
        }
        let words = self.ring.len() as u64;
        // The words of a position stand side by side: no part of them goes to the beginning of the
        // ring.
        if self.end % words + count as u64 > words {
            self.end = self.end.next_multiple_of(words);
        }
        let place = (self.end % words) as usize;
        for (word, m) in self.ring[place..].iter_mut().zip(moves) {
            *word = m.0;
        }
        let slot = self.slot(position);
        self.index[slot] = Slot { position, place: self.end, count: count as u32 }.to_words();
        self.end += count as u64;
    }

    fn slot(&self, position: u64) -> usize {
        // The length is a power of two or zero.
        (position >> 32) as usize & self.index.len().wrapping_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use komadai_core::{SplitMix64, Square};

    use super::*;
    use crate::tests::random_positions::below;

    fn expanded(random: &mut SplitMix64) -> Expanded {
        let from = below(random, 81);
        let to = (from + 1 + below(random, 80)) % 81;
        let m = Move::new(Square::ALL[from], Square::ALL[to]);
        Expanded::new(m, FirstNumbers::new(below(random, 300) as u32, 1))
    }

    #[test]
    fn what_is_found_is_what_was_inserted() {
        let mut random = SplitMix64::new(1);
        let mut expansions = Expansions::new(1 << 18);
        let mut all = HashMap::new();
        let mut hits = 0;
        for search in 0..3 {
            expansions.clear();
            all.clear();
            for _ in 0..20_000 {
                let position = (random.next_u64() % 5_000).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                if let Some(found) = expansions.find(position) {
                    hits += 1;
                    assert_eq!(all.get(&position), Some(&found.collect()), "{search}");
                }
                let moves: Vec<_> =
                    (0..below(&mut random, 12)).map(|_| expanded(&mut random)).collect();
                if expansions.find(position).is_none() {
                    expansions.insert(position, moves.iter().copied());
                    assert!(
                        expansions
                            .find(position)
                            .is_some_and(|found| found.eq(moves.iter().copied()))
                    );
                    all.insert(position, moves);
                }
            }
            assert!(expansions.bytes() <= 1 << 18);
        }
        assert!(hits > 10_000, "{hits}");
    }

    #[test]
    fn numbers_survive_packing() {
        for (proof, disproof) in [(1, 1), (255, 1), (7, 200)] {
            assert_eq!(FirstNumbers::new(proof, disproof).get(), Some((proof, disproof)));
        }
        assert_eq!(FirstNumbers::new(1_000, 0).get(), Some((255, 1)));
        assert_eq!(FirstNumbers::UNKNOWN.get(), None);
    }
}
