//! ABDADA: threads defer the moves that another thread is searching already.
//!
//! Threads that share only a transposition table often search the same late move at the same time.
//! Here each thread registers the positions that it searches. A thread that comes to a registered
//! move, other than the first of its node, defers it to the end of the node. By then the
//! transposition table usually holds the result.
//!
//! Source of the method: J.-C. Weill, "The ABDADA distributed minimax search algorithm", ICCA
//! Journal 19(1), 1996, in the simpler form of T. Kerrigan, "Simplified ABDADA", 2016: a table of
//! the moves being searched in place of counters in the transposition table.

use core::sync::atomic::{AtomicU64, Ordering};

/// The smallest depth of a node whose moves are deferred.
///
/// Source: `DEFER_DEPTH` of "Simplified ABDADA". Nearer to the leaves the bookkeeping costs more
/// than it saves.
pub(crate) const MIN_DEPTH: i32 = 3;

/// The positions that threads are searching, by their keys.
///
/// An approximation: a full bucket drops one entry, whose position may then be searched twice.
#[derive(Debug)]
pub(crate) struct AbdadaTable(Box<[Bucket]>);

#[derive(Debug, Default)]
#[repr(align(32))]
struct Bucket([AtomicU64; 4]);

/// The mark of an empty slot. A position with this key is never deferred.
const NONE: u64 = 0;

impl AbdadaTable {
    /// Number of buckets: 256 KiB in all, many more slots than plies that threads have in progress.
    const BUCKETS: usize = 1 << 13;

    pub(crate) fn new() -> Self {
        Self((0..Self::BUCKETS).map(|_| Bucket::default()).collect())
    }

    /// Checks whether a thread is searching the position.
    #[inline]
    pub(crate) fn is_searching(&self, key: u64) -> bool {
        self.bucket(key).iter().any(|slot| slot.load(Ordering::Relaxed) == key)
    }

    /// Registers the position as being searched by this thread.
    #[inline]
    pub(crate) fn start_search(&self, key: u64) {
        let bucket = self.bucket(key);
        for slot in bucket {
            let found = slot.load(Ordering::Relaxed);
            if found == key {
                return;
            }
            if found == NONE {
                slot.store(key, Ordering::Relaxed);
                return;
            }
        }
        // All slots are taken: the entry in the first one is dropped.
        bucket[0].store(key, Ordering::Relaxed);
    }

    /// Removes the position after its search.
    #[inline]
    pub(crate) fn finish_search(&self, key: u64) {
        for slot in self.bucket(key) {
            if slot.load(Ordering::Relaxed) == key {
                slot.store(NONE, Ordering::Relaxed);
            }
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64; 4] {
        // Bit 0 of a key is the side to move, which would leave half of the buckets unused.
        &self.0[(key >> 1) as usize % Self::BUCKETS].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_registered_until_its_search_is_finished() {
        let table = AbdadaTable::new();
        assert!(!table.is_searching(6));
        table.start_search(6);
        table.start_search(6);
        assert!(table.is_searching(6) && !table.is_searching(8));
        table.finish_search(6);
        assert!(!table.is_searching(6));
    }

    #[test]
    fn a_full_bucket_drops_its_first_entry() {
        let table = AbdadaTable::new();
        let keys: Vec<u64> = (1..=5).map(|high| high << 32).collect();
        for &key in &keys {
            table.start_search(key);
        }
        let kept: Vec<bool> = keys.iter().map(|&key| table.is_searching(key)).collect();
        assert_eq!(kept, [false, true, true, true, true]);
        keys.iter().for_each(|&key| table.finish_search(key));
        assert!(!keys.iter().any(|&key| table.is_searching(key)));
    }
}
