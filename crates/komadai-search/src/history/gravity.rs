//! A number that remembers results, the latest best.

use core::sync::atomic::{AtomicI16, Ordering};

/// A number from −`MAX` to `MAX`, shared between threads: if two change it at once, one result is
/// forgotten.
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

    /// Forgets everything.
    #[inline]
    pub(crate) fn clear(&self) {
        self.set(0);
    }

    /// Adds `bonus`, which may be negative, the less of it the further the number is from zero.
    #[inline]
    pub(crate) fn update(&self, bonus: i32) {
        let () = Self::IN_RANGE;
        let bonus = bonus.clamp(-MAX, MAX);
        let value = self.get();
        self.set(value + bonus - value * bonus.abs() / MAX);
    }

    /// Goes half the way to zero.
    #[inline]
    pub(crate) fn halve(&self) {
        self.set(self.get() / 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_range_and_follow_the_latest_results() {
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
