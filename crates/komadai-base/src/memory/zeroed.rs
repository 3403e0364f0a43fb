//! Allocation of numbers that are zero.
//!
//! The system provides large blocks of memory zeroed, and each page of them only when it is first
//! used. Numbers written one by one, the only way that safe code has for atomic ones, touch every
//! page: 256 MiB take 190 ms and all of the memory, against 0.03 ms and no memory here (2026-11-22,
//! AMD Zen 1), and an unoptimised build takes seconds.
#![expect(unsafe_code, reason = "no safe function zeroes memory for aligned or atomic numbers")]

use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicI16, AtomicU64};
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};

/// A type with a value that consists of zero bytes.
///
/// # Safety
///
/// Zero bytes must be a valid value of the type, and it must not need to be dropped.
pub unsafe trait Zeroable {}

/// States that zero bytes are a value of integers.
macro_rules! zeroable {
    ($($name:ty),*) => {$(
        // SAFETY: any bytes are an integer.
        unsafe impl Zeroable for $name {}
    )*};
}

zeroable!(u8, i8, i16, i32);
// SAFETY: an atomic integer has the size and the bit validity of the integer.
unsafe impl Zeroable for AtomicI16 {}
// SAFETY: as above.
unsafe impl Zeroable for AtomicU64 {}
// SAFETY: an array of zero bytes is an array of elements of zero bytes.
unsafe impl<T: Zeroable, const N: usize> Zeroable for [T; N] {}

/// A slice of zeroed values in memory that starts at a cache line.
#[derive(Debug)]
pub struct ZeroedLines<T> {
    start: NonNull<T>,
    count: usize,
    /// The block of the allocator, with its layout.
    memory: NonNull<u8>,
    layout: Layout,
}

impl<T: Zeroable> ZeroedLines<T> {
    const LINE: usize = 64;
    const FITS: () = assert!(size_of::<T>() > 0 && align_of::<T>() <= Self::LINE);

    /// Returns `count` values; `None` if the system does not grant the memory.
    ///
    /// # Panics
    ///
    /// Never: the assertion states a property of addresses.
    pub fn try_new(count: usize) -> Option<Self> {
        let () = Self::FITS;
        let size = size_of::<T>().checked_mul(count)?.checked_add(Self::LINE)?;
        // The allocator of the standard library writes the zeros itself if more alignment than that
        // of a word is requested, so the start of a line is looked for here.
        let layout = Layout::from_size_align(size, align_of::<u64>()).ok()?;
        // SAFETY: the size is not zero.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let offset = memory.align_offset(Self::LINE);
        assert!(offset < Self::LINE, "a byte of every line starts it");
        // SAFETY: the offset is less than the bytes that were added to those of the values.
        let start = unsafe { memory.add(offset) }.cast();
        Some(Self { start, count, memory, layout })
    }
}

impl<T> Deref for ZeroedLines<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the memory belongs to `self`, starts aligned, has room for `count` values, and
        // was zeroed, which makes them valid.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.count) }
    }
}

impl<T> DerefMut for ZeroedLines<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`; `self` is borrowed exclusively.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr(), self.count) }
    }
}

impl<T> Drop for ZeroedLines<T> {
    fn drop(&mut self) {
        // SAFETY: the memory was allocated with this layout. The values are numbers, which need no
        // drop.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) }
    }
}

// SAFETY: it owns its values, like a box.
unsafe impl<T: Send> Send for ZeroedLines<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for ZeroedLines<T> {}

/// Returns an array of zero bytes, which is never on the stack.
///
/// # Panics
///
/// If the array takes no memory.
pub fn zeroed<T: Zeroable, const N: usize>() -> Box<[T; N]> {
    let layout = Layout::new::<[T; N]>();
    assert!(layout.size() > 0, "numbers take memory");
    // SAFETY: the size of the layout is not zero.
    let Some(array) = NonNull::new(unsafe { alloc_zeroed(layout) }) else {
        handle_alloc_error(layout)
    };
    // SAFETY: the global allocator has returned the memory for this type, and zero bytes are a
    // valid value of it.
    unsafe { Box::from_raw(array.cast().as_ptr()) }
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn memory_is_zeroed_aligned_and_writable() {
        for count in [0, 1, 7, 1 << 16] {
            let lines = ZeroedLines::<[AtomicU64; 8]>::try_new(count).unwrap();
            assert_eq!(lines.len(), count);
            for line in lines.iter() {
                assert_eq!(core::ptr::from_ref(line) as usize % 64, 0);
                assert!(line.iter().all(|word| word.load(Ordering::Relaxed) == 0));
                line.iter().for_each(|word| word.store(u64::MAX, Ordering::Relaxed));
            }
        }
        // The same as the memory that safe code writes.
        let numbers = zeroed::<AtomicI16, 1_000>();
        let safe: Vec<AtomicI16> = (0..1_000).map(|_| AtomicI16::new(0)).collect();
        assert_eq!(format!("{numbers:?}"), format!("{safe:?}"));
        numbers[999].store(-7, Ordering::Relaxed);
        assert_eq!(numbers[999].load(Ordering::Relaxed), -7);
        assert_eq!(zeroed::<AtomicI16, 3>().map(AtomicI16::into_inner), [0; 3]);
    }

    #[test]
    fn too_much_memory_is_no_panic() {
        let granted = |count| ZeroedLines::<[AtomicU64; 8]>::try_new(count).is_some();
        assert!(!granted(usize::MAX) && !granted(usize::MAX / 64) && !granted(usize::MAX / 128));
    }
}
