//! The gravity formula: a bounded running score in which recent results weigh most.
//!
//! Source: common practice of chess programs; the form is that of Stockfish.

use core::sync::atomic::{AtomicI16, Ordering};

/// A number from −`MAX` to `MAX`, shared between threads.
///
/// Concurrent updates by two threads may lose one of the updates.
#[derive(Debug, Default)]
#[repr(transparent)]
pub(crate) struct Gravity<const MAX: i32>(AtomicI16);

impl<const MAX: i32> Gravity<MAX> {
    const IN_RANGE: () = assert!(MAX > 0 && MAX <= i16::MAX as i32);

    #[inline]
    pub(crate) fn get(&self) -> i32 {
        i32::from(self.0.load(Ordering::Relaxed))
    }

    #[inline]
    fn set(&self, value: i32) {
        self.0.store(value as i16, Ordering::Relaxed);
    }

    /// Resets the number to zero.
    #[inline]
    pub(crate) fn clear(&self) {
        self.set(0);
    }

    /// Adds `bonus`, which may be negative, minus a share of the number in proportion to `bonus`.
    ///
    /// The subtracted share (the gravity) keeps the number in range and lets old results fade.
    #[inline]
    pub(crate) fn update(&self, bonus: i32) {
        // Forces the compile-time check of the range.
        let () = Self::IN_RANGE;
        let bonus = bonus.clamp(-MAX, MAX);
        let value = self.get();
        self.set(value + bonus - value * bonus.abs() / MAX);
    }

    /// Halves the number.
    #[inline]
    pub(crate) fn halve(&self) {
        self.set(self.get() / 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_range_and_follow_recent_results() {
        let number = Gravity::<8_192>::default();
        for _ in 0..1_000 {
            number.update(1_500);
        }
        assert!(number.get() > 7_300 && number.get() <= 8_192);
        for _ in 0..1_000 {
            number.update(i32::MIN);
        }
        assert_eq!(number.get(), -8_192);
        number.halve();
        assert_eq!(number.get(), -4_096);
    }
}
