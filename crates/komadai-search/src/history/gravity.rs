//! The gravity formula: bounded running scores in which recent results weigh most.
//!
//! Source: common practice of chess programs; the form is that of Stockfish.

use core::sync::atomic::{AtomicI16, Ordering};

use komadai_base::memory::Touched;
use komadai_base::memory::prefer_huge_pages;
use komadai_base::memory::zeroed;

/// Returns a number after a result: with `bonus`, which may be negative, minus a share of the number
/// in proportion to `bonus`.
///
/// The subtracted share (the gravity) keeps the number within `MAX` and lets old results fade.
#[inline]
pub(crate) fn updated<const MAX: i32>(value: i32, bonus: i32) -> i32 {
    // Evaluated when this is compiled.
    const { assert!(MAX > 0 && MAX <= i16::MAX as i32) }
    let bonus = bonus.clamp(-MAX, MAX);
    value + bonus - value * bonus.abs() / MAX
}

/// `N` numbers from −`MAX` to `MAX` of one thread.
#[derive(Debug)]
pub(super) struct OwnNumbers<const MAX: i32, const N: usize>(Box<[i16; N]>);

impl<const MAX: i32, const N: usize> OwnNumbers<MAX, N> {
    /// Returns zeros.
    pub(super) fn new() -> Self {
        let numbers = vec![0; N].into_boxed_slice().try_into();
        Self(numbers.expect("the length is that of the array"))
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> i32 {
        i32::from(self.0[index])
    }

    /// Updates a number by the gravity formula.
    #[inline]
    pub(super) fn update(&mut self, index: usize, bonus: i32) {
        let place = &mut self.0[index];
        *place = updated::<MAX>(i32::from(*place), bonus) as i16;
    }

    /// Returns all numbers.
    #[inline]
    pub(super) fn all(&self) -> &[i16; N] {
        &self.0
    }

    /// Keeps this part of all numbers, in percent.
    pub(super) fn keep(&mut self, percent: i32) {
        self.0.iter_mut().for_each(|place| *place = (i32::from(*place) * percent / 100) as i16);
    }

    /// Resets all numbers to zero.
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }
}

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

    /// Updates a number by the gravity formula.
    #[inline]
    pub(super) fn update(&self, index: usize, bonus: i32) {
        let place = &self.numbers[index];
        let value = number(place);
        if value == 0 {
            self.touched.insert(index / BLOCK);
        }
        place.store(updated::<MAX>(value, bonus) as i16, Ordering::Relaxed);
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
            // Not an addition of zero, which compilers turn into a read.
            let _ = number.compare_exchange(value, value, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Resets all numbers to zero.
    pub(super) fn clear(&self) {
        self.touched.drain(0..self.touched.words(), |block| {
            let start = block * BLOCK;
            let numbers = &self.numbers[start..N.min(start + BLOCK)];
            numbers.iter().for_each(|place| place.store(0, Ordering::Relaxed));
        });
    }
}

/// Returns the value of a number.
#[inline]
pub(super) fn number(place: &AtomicI16) -> i32 {
    i32::from(place.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_range_and_follow_recent_results() {
        let (shared, mut own) = (Numbers::<8_192, 1>::new(), OwnNumbers::<8_192, 1>::new());
        let mut update = |bonus| {
            for _ in 0..1_000 {
                shared.update(0, bonus);
                own.update(0, bonus);
            }
            assert_eq!(shared.get(0), own.get(0));
            own.get(0)
        };
        assert!((7_301..=8_192).contains(&update(1_500)));
        assert_eq!(update(i32::MIN), -8_192);
        own.keep(50);
        assert_eq!(own.get(0), -4_096);
        own.clear();
        assert_eq!(own.get(0), 0);
    }

    #[test]
    fn clearing_reaches_every_number() {
        const COUNT: usize = 3 * BLOCK + 5;
        let numbers = Numbers::<100, COUNT>::new();
        for round in 0..2 {
            for index in (0..COUNT).step_by(1 + 60 * round) {
                numbers.update(index, 80);
                // Through zero and back: the number still counts as touched.
                numbers.update(index, 0);
            }
            assert!((0..COUNT).step_by(1 + 60 * round).all(|index| numbers.get(index) == 80));
            numbers.clear();
            assert!((0..COUNT).all(|index| numbers.get(index) == 0));
        }
    }
}
