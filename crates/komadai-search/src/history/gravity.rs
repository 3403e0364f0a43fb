//! A number that remembers results, the latest best.

/// A number from −`MAX` to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Gravity<const MAX: i32>(i16);

impl<const MAX: i32> Gravity<MAX> {
    const IN_RANGE: () = assert!(MAX > 0 && MAX <= i16::MAX as i32);

    /// Nothing has been learned.
    pub(crate) const NEUTRAL: Self = Self(0);

    #[inline]
    pub(crate) fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Adds `bonus`, which may be negative, the less of it the further the number is from zero.
    #[inline]
    pub(crate) fn update(&mut self, bonus: i32) {
        let () = Self::IN_RANGE;
        let bonus = bonus.clamp(-MAX, MAX);
        let value = self.get();
        self.0 = (value + bonus - value * bonus.abs() / MAX) as i16;
    }

    /// Goes half the way to zero.
    #[inline]
    pub(crate) fn halve(&mut self) {
        self.0 /= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_range_and_follow_the_latest_results() {
        let mut number = Gravity::<8_192>::NEUTRAL;
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
