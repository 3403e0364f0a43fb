//! The gravity formula: bounded running scores in which recent results weigh most.
//!
//! Source: common practice of chess programs; the form is that of Stockfish.

use core::sync::atomic::{AtomicI16, Ordering};

use komadai_base::memory::Touched;
use komadai_base::memory::prefer_huge_pages;
use komadai_base::memory::zeroed;

/// `N` numbers from −`MAX` to `MAX`, shared between threads.
///
/// Concurrent updates of a number by two threads may lose one of the updates.
#[derive(Debug)]
pub(super) struct Numbers<const MAX: i32, const N: usize> {
    numbers: Box<[AtomicI16; N]>,
    /// The blocks of [`BLOCK`] numbers that are not all zero.
    touched: Touched,
}

/// Number of numbers that are reset together: 256 bytes.
const BLOCK: usize = 128;

impl<const MAX: i32, const N: usize> Numbers<MAX, N> {
    const IN_RANGE: () = assert!(MAX > 0 && MAX <= i16::MAX as i32);

    /// Returns zeros.
    pub(super) fn new() -> Self {
        Self { numbers: zeroed(), touched: Touched::none_of(N.div_ceil(BLOCK)) }
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> i32 {
        number(&self.numbers[index])
    }

    /// Returns the row with this index, if the numbers are rows of this length; [`number`] reads
    /// one.
    #[inline]
    pub(super) fn row<const LENGTH: usize>(&self, index: usize) -> &[AtomicI16; LENGTH] {
        let (rows, _) = self.numbers.as_chunks();
        &rows[index]
    }

    /// Adds `bonus`, which may be negative, to a number, minus a share of the number in proportion
    /// to `bonus`.
    ///
    /// The subtracted share (the gravity) keeps the number in range and lets old results fade.
    #[inline]
    pub(super) fn update(&self, index: usize, bonus: i32) {
        // Forces the compile-time check of the range.
        let () = Self::IN_RANGE;
        let place = &self.numbers[index];
        let bonus = bonus.clamp(-MAX, MAX);
        let value = number(place);
        if value == 0 {
            self.touched.insert(index / BLOCK);
        }
        set(place, value + bonus - value * bonus.abs() / MAX);
    }

    /// Returns all numbers; [`number`] reads one.
    #[inline]
    pub(super) fn all(&self) -> &[AtomicI16; N] {
        &self.numbers
    }

    /// Asks for huge pages.
    pub(super) fn prefer_huge_pages(&self) {
        prefer_huge_pages(&self.numbers[..]);
    }

    /// Writes to every page without changing a number.
    pub(super) fn populate(&self) {
        const NUMBERS_PER_PAGE: usize = (4 << 10) / size_of::<AtomicI16>();
        for number in self.numbers.iter().step_by(NUMBERS_PER_PAGE) {
            let value = number.load(Ordering::Relaxed);
            // Not an addition of zero, of which compilers make a read.
            let _ = number.compare_exchange(value, value, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Keeps this part of all numbers, in percent.
    pub(super) fn keep(&self, percent: i32) {
        self.touched.for_each(|block| {
            self.block(block).iter().for_each(|place| set(place, number(place) * percent / 100));
        });
    }

    /// Resets all numbers to zero.
    pub(super) fn clear(&self) {
        self.touched.drain(0..self.touched.words(), |block| {
            self.block(block).iter().for_each(|place| set(place, 0));
        });
    }

    fn block(&self, block: usize) -> &[AtomicI16] {
        let start = block * BLOCK;
        &self.numbers[start..N.min(start + BLOCK)]
    }
}

/// Returns the value of a number.
#[inline]
pub(super) fn number(place: &AtomicI16) -> i32 {
    i32::from(place.load(Ordering::Relaxed))
}

#[inline]
fn set(place: &AtomicI16, value: i32) {
    place.store(value as i16, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_range_and_follow_recent_results() {
        let numbers = Numbers::<8_192, 1>::new();
        for _ in 0..1_000 {
            numbers.update(0, 1_500);
        }
        assert!(numbers.get(0) > 7_300 && numbers.get(0) <= 8_192);
        for _ in 0..1_000 {
            numbers.update(0, i32::MIN);
        }
        assert_eq!(numbers.get(0), -8_192);
        numbers.keep(50);
        assert_eq!(numbers.get(0), -4_096);
    }

    #[test]
    fn halving_and_clearing_reach_every_number() {
        const COUNT: usize = 3 * BLOCK + 5;
        let numbers = Numbers::<100, COUNT>::new();
        for round in 0..2 {
            for index in (0..COUNT).step_by(1 + 60 * round) {
                numbers.update(index, 80);
                // Through zero and back: the number still counts as touched.
                numbers.update(index, 0);
            }
            numbers.keep(50);
            assert!((0..COUNT).step_by(1 + 60 * round).all(|index| numbers.get(index) == 40));
            numbers.clear();
            assert!((0..COUNT).all(|index| numbers.get(index) == 0));
        }
    }
}
