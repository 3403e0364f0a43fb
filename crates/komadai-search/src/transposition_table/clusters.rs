//! A lock-free hash table of fixed size, shared by threads.
//!
//! A slot is a pair of atomic words: the entry, and its key combined with the entry by exclusive or. If
//! another thread overwrites one word between two reads, the slot does not match any key. So no lock
//! is needed and no torn entry is ever used.
//!
//! Source of the method: R. Hyatt and T. Mann, "A lock-less transposition table implementation for
//! parallel search chess engines", ICGA Journal 25(1), 2002.

use core::sync::atomic::{AtomicU64, Ordering};

/// A hash table of slots, four of which share a cache line.
#[derive(Debug, Default)]
pub(crate) struct Clusters(Vec<Cluster>);

#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct Cluster([Slot; 4]);

/// A slot for one entry of 64 bits and its key.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    check: AtomicU64,
    entry: AtomicU64,
}

const _: () = assert!(size_of::<Cluster>() == 64);

const CLUSTERS_PER_MIB: usize = (1 << 20) / size_of::<Cluster>();

// Relaxed is enough: the check word detects words that do not belong together.
impl Slot {
    /// Returns the key and the entry.
    #[inline]
    pub(crate) fn load(&self) -> (u64, u64) {
        let entry = self.entry.load(Ordering::Relaxed);
        (self.check.load(Ordering::Relaxed) ^ entry, entry)
    }

    #[inline]
    pub(crate) fn store(&self, key: u64, entry: u64) {
        self.entry.store(entry, Ordering::Relaxed);
        self.check.store(key ^ entry, Ordering::Relaxed);
    }
}

impl Clusters {
    /// Returns empty slots in `mib` MiB, halved until the system grants the memory.
    pub(crate) fn of_mib(mib: usize) -> Self {
        let mut count = mib.max(1) * CLUSTERS_PER_MIB;
        let mut clusters = Vec::new();
        // `try_reserve_exact` fails where an ordinary allocation would abort the process.
        while count > 1 && clusters.try_reserve_exact(count).is_err() {
            count /= 2;
        }
        clusters.resize_with(count, Cluster::default);
        Self(clusters)
    }

    pub(crate) fn mib(&self) -> usize {
        self.0.len() / CLUSTERS_PER_MIB
    }

    /// Empties all slots, with this number of threads.
    pub(crate) fn clear_on(&mut self, threads: usize) {
        // At least a MiB for each thread: smaller parts cost more to start than to clear.
        let part = self.0.len().div_ceil(threads.max(1)).max(CLUSTERS_PER_MIB);
        std::thread::scope(|scope| {
            let mut parts = self.0.chunks_mut(part);
            let own = parts.next();
            for part in parts {
                scope.spawn(|| part.fill_with(Cluster::default));
            }
            own.into_iter().for_each(|part| part.fill_with(Cluster::default));
        });
    }

    /// Returns the slots for a key, chosen by its high bits: a multiplication in place of a division.
    #[inline]
    pub(crate) fn at(&self, key: u64) -> &[Slot; 4] {
        &self.0[((u128::from(key) * self.0.len() as u128) >> 64) as usize].0
    }

    /// Returns the first 250 clusters (1,000 slots) as a sample: a fullness in thousandths needs no more.
    pub(crate) fn sample(&self) -> impl ExactSizeIterator<Item = &[Slot; 4]> {
        self.0.iter().take(250).map(|cluster| &cluster.0)
    }
}
