//! Which positions are being searched right now, so that threads take turns.
//!
//! Threads that only share a table often search the same late move at the same time. Here each says
//! what it searches, and whoever meets such a move later than first puts it off to the end of its
//! node, where the table mostly has the answer.
//!
//! Source of the method: J.-C. Weill, "The ABDADA distributed minimax search algorithm", ICCA Journal
//! 19(1), 1996, in the simpler form of T. Kerrigan, "Simplified ABDADA", 2016: a table of moves at work
//! in place of counters in the transposition table.

use core::sync::atomic::{AtomicU64, Ordering};

/// Moves are shared out at nodes of at least this depth; nearer to the leaves it saves nothing.
pub(crate) const LEAST_DEPTH: i32 = 3;

/// The positions that threads are searching, by their keys.
///
/// An approximation: a full bucket forgets one, which then may be searched twice.
#[derive(Debug)]
pub(crate) struct BusyTable(Box<[Bucket]>);

#[derive(Debug, Default)]
#[repr(align(32))]
struct Bucket([AtomicU64; 4]);

/// No position; one whose key this is, is searched by whoever wants to.
const NONE: u64 = 0;

impl BusyTable {
    const BUCKETS: usize = 1 << 13;

    pub(crate) fn new() -> Self {
        Self((0..Self::BUCKETS).map(|_| Bucket::default()).collect())
    }

    /// Whether a thread is searching the position.
    #[inline]
    pub(crate) fn contains(&self, key: u64) -> bool {
        self.bucket(key).iter().any(|slot| slot.load(Ordering::Relaxed) == key)
    }

    /// Says that this thread is going to search the position.
    #[inline]
    pub(crate) fn enter(&self, key: u64) {
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
        bucket[0].store(key, Ordering::Relaxed);
    }

    /// Says that it has been searched.
    #[inline]
    pub(crate) fn leave(&self, key: u64) {
        for slot in self.bucket(key) {
            if slot.load(Ordering::Relaxed) == key {
                slot.store(NONE, Ordering::Relaxed);
            }
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64; 4] {
        // Bit 0 is the side to move.
        &self.0[(key >> 1) as usize % Self::BUCKETS].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_entered_is_there_until_it_is_left() {
        let busy = BusyTable::new();
        assert!(!busy.contains(6));
        busy.enter(6);
        busy.enter(6);
        assert!(busy.contains(6) && !busy.contains(8));
        busy.leave(6);
        assert!(!busy.contains(6));
    }

    #[test]
    fn a_full_bucket_forgets_the_first() {
        let busy = BusyTable::new();
        let keys: Vec<u64> = (1..=5).map(|high| high << 32).collect();
        for &key in &keys {
            busy.enter(key);
        }
        let kept: Vec<bool> = keys.iter().map(|&key| busy.contains(key)).collect();
        assert_eq!(kept, [false, true, true, true, true]);
        keys.iter().for_each(|&key| busy.leave(key));
        assert!(!keys.iter().any(|&key| busy.contains(key)));
    }
}
