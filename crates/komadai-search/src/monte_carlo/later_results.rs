//! The results of a move wherever it was made later in a line, for RAVE.

use core::sync::atomic::{AtomicU32, Ordering};

/// The results of the lines in which a move was made at its node or later, in 8 bytes.
#[derive(Debug, Default)]
pub(super) struct LaterResults {
    visits: AtomicU32,
    /// The mean: bits of an `f32`.
    rate: AtomicU32,
}

impl LaterResults {
    /// Adds a result. Two threads at the same time may lose one, which does not matter.
    pub(super) fn add(&self, result: f32) {
        let visits = self.visits.load(Ordering::Relaxed).saturating_add(1);
        let rate = f32::from_bits(self.rate.load(Ordering::Relaxed));
        self.visits.store(visits, Ordering::Relaxed);
        self.rate.store((rate + (result - rate) / visits as f32).to_bits(), Ordering::Relaxed);
    }

    pub(super) fn copy_results(&self, other: &Self) {
        self.visits.store(other.visits.load(Ordering::Relaxed), Ordering::Relaxed);
        self.rate.store(other.rate.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Returns the mean, if there is a result.
    #[inline]
    pub(super) fn rate(&self) -> Option<f32> {
        let visits = self.visits.load(Ordering::Relaxed);
        (visits > 0).then(|| f32::from_bits(self.rate.load(Ordering::Relaxed)))
    }
}
