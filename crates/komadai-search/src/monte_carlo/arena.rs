//! Memory in chunks: entries keep their place, and threads add some without a lock.

use core::ops::Range;
use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::OnceLock;

/// The largest number of entries of a chunk, as a power of two.
const CHUNK_BITS: u32 = 12;
const CHUNK: u32 = 1 << CHUNK_BITS;

/// A growing sequence of entries up to a capacity. A chunk of memory is taken from the system when
/// its first entry is added.
#[derive(Debug)]
pub(super) struct Arena<T> {
    chunks: Box<[OnceLock<Box<[T]>>]>,
    used: AtomicU32,
}

impl<T: Default> Arena<T> {
    /// Returns an arena of at least one chunk and otherwise at most `capacity` entries.
    pub(super) fn new(capacity: usize) -> Self {
        let chunks = (capacity / CHUNK as usize).clamp(1, (u32::MAX >> CHUNK_BITS) as usize);
        Self {
            chunks: core::iter::repeat_with(OnceLock::new).take(chunks).collect(),
            used: AtomicU32::new(0),
        }
    }

    /// Returns the largest number of entries.
    pub(super) fn capacity(&self) -> u32 {
        self.chunks.len() as u32 * CHUNK
    }

    /// Returns the number of entries in use, those skipped at the end of chunks included.
    pub(super) fn used(&self) -> u32 {
        self.used.load(Ordering::Relaxed).min(self.capacity())
    }

    /// Adds `count` adjacent default entries and returns the first index, or `None` if there is no
    /// room. At most a chunk's worth can be adjacent.
    pub(super) fn add(&self, count: u32) -> Option<u32> {
        debug_assert!(count <= CHUNK);
        let first = |used: u32| {
            let left = CHUNK - used % CHUNK;
            if count <= left { used } else { used + left }
        };
        let next = |used: u32| {
            let end = first(used) + count;
            (end <= self.capacity()).then_some(end)
        };
        // Relaxed: the index alone is handed out; what it points to is published by the tree.
        let used = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()?;
        let first = first(used);
        self.chunks[(first >> CHUNK_BITS) as usize]
            .get_or_init(|| core::iter::repeat_with(T::default).take(CHUNK as usize).collect());
        Some(first)
    }

    /// Returns the entry at `index`, which has been added.
    #[inline]
    pub(super) fn at(&self, index: u32) -> &T {
        &self.chunk(index)[(index % CHUNK) as usize]
    }

    /// Returns the entry at `index` of an arena to which nothing is added: entries exist once they
    /// are asked for.
    #[inline]
    pub(super) fn at_or_new(&self, index: u32) -> Option<&T> {
        let chunk = self.chunks.get((index >> CHUNK_BITS) as usize)?;
        let new = || core::iter::repeat_with(T::default).take(CHUNK as usize).collect();
        chunk.get_or_init(new).get((index % CHUNK) as usize)
    }

    /// Returns adjacent entries, which have been added together.
    #[inline]
    pub(super) fn slice(&self, range: Range<u32>) -> &[T] {
        if range.is_empty() {
            return &[];
        }
        let start = (range.start % CHUNK) as usize;
        &self.chunk(range.start)[start..start + range.len()]
    }

    #[inline]
    fn chunk(&self, index: u32) -> &[T] {
        self.chunks[(index >> CHUNK_BITS) as usize].get().map_or(&[], |chunk| chunk)
    }
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::AtomicU8;

    use super::*;

    #[test]
    fn entries_that_belong_together_are_adjacent() {
        let arena: Arena<AtomicU8> = Arena::new(2 * CHUNK as usize);
        assert_eq!(arena.add(CHUNK - 1), Some(0));
        assert_eq!(arena.add(2), Some(CHUNK), "one entry is left in the first chunk");
        assert_eq!(arena.slice(CHUNK..CHUNK + 2).len(), 2);
        assert_eq!(arena.add(CHUNK), None);
        assert_eq!(arena.used(), CHUNK + 2);
        assert_eq!(arena.add(CHUNK - 2), Some(CHUNK + 2));
        assert!(arena.add(1).is_none() && arena.slice(7..7).is_empty());
    }

    #[test]
    fn threads_get_different_entries() {
        let arena: Arena<AtomicU8> = Arena::new(10_000);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while let Some(index) = arena.add(1) {
                        assert_eq!(arena.at(index).fetch_add(1, Ordering::Relaxed), 0);
                    }
                });
            }
        });
        assert_eq!(arena.used(), arena.capacity());
    }
}
