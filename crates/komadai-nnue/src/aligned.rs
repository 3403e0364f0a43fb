//! Numbers in memory that starts at a cache line.

use core::fmt;
use core::ops::{Deref, DerefMut};

/// The bytes of a cache line.
const LINE: usize = 64;

/// A fixed number of values that start at a cache line, so that vector loads do not cross lines.
///
/// The first values of a larger block are skipped, which needs no unsafe code.
pub(crate) struct Aligned<T> {
    block: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Copy + Default> Aligned<T> {
    /// Returns `len` values of zero.
    pub(crate) fn zeroed(len: usize) -> Self {
        let block = vec![T::default(); len + LINE / size_of::<T>()];
        let start = block.as_ptr().align_offset(LINE);
        assert!(start + len <= block.len(), "a value of every line starts it");
        Self { block, start, len }
    }

    /// Returns a copy.
    pub(crate) fn from_slice(values: &[T]) -> Self {
        let mut aligned = Self::zeroed(values.len());
        aligned.copy_from_slice(values);
        aligned
    }
}

impl<T> Default for Aligned<T> {
    fn default() -> Self {
        Self { block: Vec::new(), start: 0, len: 0 }
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.block[self.start..][..self.len]
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.block[self.start..][..self.len]
    }
}

impl<T: Copy + Default> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        // The copy of the block starts at another distance from a line.
        Self::from_slice(self)
    }
}

impl<T> fmt::Debug for Aligned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} values]", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_start_at_a_line_and_copies_too() {
        for len in [0, 1, 31, 1_000] {
            let mut values = Aligned::<i16>::zeroed(len);
            values.iter_mut().zip(1..).for_each(|(value, number)| *value = number);
            for copy in [values.clone(), Aligned::from_slice(&values)] {
                assert_eq!(copy.as_ptr() as usize % LINE, 0);
                assert_eq!(copy[..], values[..]);
            }
        }
    }
}
