//! Memory of fixed size by keys, which threads share without locks.
//!
//! Slots are pairs of atomic words, the second the entry and the first its key combined with the
//! entry by exclusive or. A slot of which another thread has overwritten one word in the meantime
//! does not match any key, so no lock is needed and a torn entry is never seen.
//!
//! Source of the method: R. Hyatt and T. Mann, "A lock-less transposition table implementation for
//! parallel search chess engines", ICGA Journal 25(1), 2002.

use core::sync::atomic::{AtomicU64, Ordering};

/// Slots, four of which share a cache line.
#[derive(Debug, Default)]
pub(crate) struct Clusters(Vec<Cluster>);

#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct Cluster([Slot; 4]);

/// Room for one entry of 64 bits and its key.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    check: AtomicU64,
    entry: AtomicU64,
}

const _: () = assert!(size_of::<Cluster>() == 64);

const CLUSTERS_PER_MIB: usize = (1 << 20) / size_of::<Cluster>();

// Relaxed is enough: the check word says whether the two belong together.
impl Slot {
    /// The key and the entry.
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
    /// Empty slots in `mib` MiB, or in half of it, or half of that again, as the system grants.
    pub(crate) fn of_mib(mib: usize) -> Self {
        let mut count = mib.max(1) * CLUSTERS_PER_MIB;
        let mut clusters = Vec::new();
        while count > 1 && clusters.try_reserve_exact(count).is_err() {
            count /= 2;
        }
        clusters.resize_with(count, Cluster::default);
        Self(clusters)
    }

    pub(crate) fn mib(&self) -> usize {
        self.0.len() / CLUSTERS_PER_MIB
    }

    /// Empties all slots, on so many threads.
    pub(crate) fn clear_on(&mut self, threads: usize) {
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

    /// The slots for a key. Its high bits choose, without a division.
    #[inline]
    pub(crate) fn at(&self, key: u64) -> &[Slot; 4] {
        &self.0[((u128::from(key) * self.0.len() as u128) >> 64) as usize].0
    }

    /// The first slots, as a sample.
    pub(crate) fn sample(&self) -> impl ExactSizeIterator<Item = &[Slot; 4]> {
        self.0.iter().take(250).map(|cluster| &cluster.0)
    }
}
