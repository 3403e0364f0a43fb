//! Sets of formations.

/// The number of formations that a [`FormationSet`] can hold.
pub(super) const MAX_FORMATIONS: usize = 256;

/// A set of formations by their indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct FormationSet([u64; MAX_FORMATIONS / 64]);

impl FormationSet {
    pub(super) const ALL: Self = Self([u64::MAX; MAX_FORMATIONS / 64]);

    pub(super) fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    pub(super) fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    pub(super) fn contains(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own |= other;
        }
    }

    /// The smallest index from `start` on.
    pub(super) fn next(&self, start: usize) -> Option<usize> {
        let mut lane = start / 64;
        let mut bits = self.0.get(lane)? & (u64::MAX << (start % 64));
        loop {
            if bits != 0 {
                return Some(64 * lane + bits.trailing_zeros() as usize);
            }
            lane += 1;
            bits = *self.0.get(lane)?;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let mut start = 0;
        std::iter::from_fn(move || {
            let found = self.next(start)?;
            start = found + 1;
            Some(found)
        })
    }
}
