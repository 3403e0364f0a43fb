//! Numbers in memory that starts at a cache line.

use core::fmt;
use core::ops::{Deref, DerefMut};

use komadai_base::memory::{Zeroable, ZeroedLines};

/// A fixed number of values that start at a cache line, so that vector loads do not cross lines.
pub(crate) struct Aligned<T>(ZeroedLines<T>);

impl<T: Copy + Zeroable> Aligned<T> {
    /// Returns `len` values of zero.
    pub(crate) fn zeroed(len: usize) -> Self {
        Self(ZeroedLines::try_new(len).expect("memory for weights"))
    }

    /// Returns a copy.
    pub(crate) fn from_slice(values: &[T]) -> Self {
        let mut aligned = Self::zeroed(values.len());
        aligned.copy_from_slice(values);
        aligned
    }
}

impl<T: Copy + Zeroable> Default for Aligned<T> {
    fn default() -> Self {
        Self::zeroed(0)
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Copy + Zeroable> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        Self::from_slice(self)
    }
}

impl<T> fmt::Debug for Aligned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} values]", self.len())
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
                assert_eq!(copy.as_ptr() as usize % 64, 0);
                assert_eq!(copy[..], values[..]);
            }
        }
    }
}
