//! A lock-free hash table of fixed size, shared by threads.
//!
//! A slot is a pair of atomic words: the entry, and its key combined with the entry by exclusive
//! or. If another thread overwrites one word between two reads, the slot does not match any key. So
//! no lock is needed and no torn entry is ever used.
//!
//! Source of the method: R. Hyatt and T. Mann, "A lock-less transposition table implementation for
//! parallel search chess engines", ICGA Journal 25(1), 2002.

use core::sync::atomic::{AtomicU64, Ordering};
use std::alloc::{Layout, handle_alloc_error};

use komadai_base::memory::Touched;
use komadai_base::memory::ZeroedLines;
use komadai_base::memory::prefer_huge_pages;

/// A hash table of slots, four of which share a cache line.
#[derive(Debug)]
pub(crate) struct Clusters {
    clusters: ZeroedLines<Cluster>,
    /// The blocks of [`CLUSTERS_PER_BLOCK`] that have a used slot.
    touched: Touched,
}

/// Number of slots that share a cache line.
pub(crate) const SLOTS: usize = 4;

/// The slots in one cache line.
pub(crate) type Cluster = [Slot; SLOTS];

/// A slot for one entry of 64 bits: the entry combined with its key, then the entry.
pub(crate) type Slot = [AtomicU64; 2];

const _: () = assert!(size_of::<Cluster>() == 64);

const CLUSTERS_PER_MIB: usize = (1 << 20) / size_of::<Cluster>();

/// Number of clusters in the smallest page of memory that systems have.
const CLUSTERS_PER_PAGE: usize = (4 << 10) / size_of::<Cluster>();

/// Number of clusters that are emptied together: 512 bytes.
///
/// Half as many would empty half as much memory after a short search, and double the bits.
const CLUSTERS_PER_BLOCK: usize = 8;

/// Number of blocks in a MiB.
const BLOCKS_PER_MIB: usize = CLUSTERS_PER_MIB / CLUSTERS_PER_BLOCK;

/// Reads and writes of a slot.
pub(crate) trait SlotAccess {
    /// Returns the key and the entry.
    fn read(&self) -> (u64, u64);

    /// Replaces the key and the entry.
    fn write(&self, key: u64, entry: u64);
}

// Relaxed is enough: the check word detects words that do not belong together.
impl SlotAccess for Slot {
    #[inline]
    fn read(&self) -> (u64, u64) {
        let [check, entry] = self;
        let entry = entry.load(Ordering::Relaxed);
        (check.load(Ordering::Relaxed) ^ entry, entry)
    }

    #[inline]
    fn write(&self, key: u64, new: u64) {
        let [check, entry] = self;
        entry.store(new, Ordering::Relaxed);
        check.store(key ^ new, Ordering::Relaxed);
    }
}

impl Clusters {
    /// Returns empty slots in `mib` MiB, halved until the system grants the memory.
    pub(crate) fn of_mib(mib: usize) -> Self {
        Self::with_clusters(mib.max(1) * CLUSTERS_PER_MIB)
    }

    /// Returns the smallest table.
    pub(crate) fn of_one() -> Self {
        Self::with_clusters(1)
    }

    fn with_clusters(mut count: usize) -> Self {
        loop {
            if let Some(clusters) = ZeroedLines::try_new(count) {
                let touched = Touched::none_of(count.div_ceil(CLUSTERS_PER_BLOCK));
                return Self { clusters, touched };
            }
            if count == 1 {
                handle_alloc_error(Layout::new::<Cluster>());
            }
            count /= 2;
        }
    }

    /// Asks for huge pages.
    pub(crate) fn prefer_huge_pages(&self) {
        prefer_huge_pages(&self.clusters);
    }

    #[cfg(all(test, target_os = "linux"))]
    pub(super) fn prefers_huge_pages(&self) -> Option<bool> {
        komadai_base::memory::prefers_huge_pages(&self.clusters)
    }

    pub(crate) fn mib(&self) -> usize {
        self.clusters.len() / CLUSTERS_PER_MIB
    }

    /// Writes to every page without changing a slot, with this number of threads at most.
    pub(crate) fn populate_on(&self, threads: usize) {
        let part = self.clusters.len().div_ceil(threads.max(1)).max(CLUSTERS_PER_MIB);
        let populate = |clusters: &[Cluster]| {
            for cluster in clusters.iter().step_by(CLUSTERS_PER_PAGE) {
                let word = &cluster[0][0];
                let value = word.load(Ordering::Relaxed);
                // A read alone would get a page that all zeros of the system share, and compilers
                // make reads of additions of zero. Another thread's write has the same effect.
                let _ = word.compare_exchange(value, value, Ordering::Relaxed, Ordering::Relaxed);
            }
        };
        std::thread::scope(|scope| {
            let mut parts = self.clusters.chunks(part);
            let own = parts.next();
            for part in parts {
                scope.spawn(move || populate(part));
            }
            own.into_iter().for_each(populate);
        });
    }

    /// Empties all slots, with this number of threads at most.
    pub(crate) fn clear_on(&self, threads: usize) {
        // At least a MiB for each thread: smaller parts cost more to start than to clear.
        let threads = threads.min(self.touched.count() / BLOCKS_PER_MIB).max(1);
        let words = self.touched.words();
        let part = words.div_ceil(threads).max(1);
        std::thread::scope(|scope| {
            let clear = |start: usize| {
                let range = start..words.min(start + part);
                self.touched.drain(range, |block| self.clear_block(block));
            };
            for start in (part..words).step_by(part) {
                scope.spawn(move || clear(start));
            }
            clear(0);
        });
    }

    fn clear_block(&self, block: usize) {
        let start = block * CLUSTERS_PER_BLOCK;
        let end = self.clusters.len().min(start + CLUSTERS_PER_BLOCK);
        for slot in self.clusters[start..end].iter().flatten() {
            slot.write(0, 0);
        }
    }

    /// Returns the slots for a key.
    #[inline]
    pub(crate) fn at(&self, key: u64) -> &Cluster {
        &self.clusters[self.index(key)]
    }

    /// Returns the slot with this number among those of all clusters.
    #[inline]
    pub(crate) fn slot(&self, number: usize) -> &Slot {
        &self.clusters.as_flattened()[number]
    }

    /// Notes that a slot for a key is no longer empty. Others are not emptied by a clear.
    #[inline]
    pub(crate) fn touch(&self, key: u64) {
        self.touched.insert(self.index(key) / CLUSTERS_PER_BLOCK);
    }

    /// Returns the index of the cluster for a key, chosen by its high bits: a multiplication in
    /// place of a division.
    #[inline]
    pub(crate) fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }

    /// Returns the first 250 clusters (1,000 slots) as a sample: a fullness in thousandths needs no
    /// more.
    pub(crate) fn sample(&self) -> impl ExactSizeIterator<Item = &Cluster> {
        self.clusters.iter().take(250)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_threads_empty_all_that_was_touched() {
        let clusters = Clusters::of_mib(3);
        let keys = || {
            (0..3 * BLOCKS_PER_MIB as u64).map(|index| index.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        };
        for key in keys() {
            clusters.touch(key);
            clusters.at(key)[3].write(key, 5);
        }
        assert!(clusters.touched.count() > BLOCKS_PER_MIB);
        clusters.clear_on(3);
        assert_eq!(clusters.touched.count(), 0);
        let words = clusters.clusters.as_flattened().as_flattened();
        assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
    }
}
