//! Vectors in memory.
#![expect(unsafe_code, reason = "vectors of a set are read from slices of numbers")]

/// A type that any bits are a value of.
///
/// # Safety
///
/// Any bits must be a value, and every bit must belong to one.
pub(crate) unsafe trait Plain: Copy {}

/// Reads a vector from the start of a slice.
#[inline(always)]
pub(super) fn load<T: Plain, V: Plain>(from: &[T]) -> V {
    assert!(size_of_val(from) >= size_of::<V>(), "the vector ends inside the slice");
    // SAFETY: the vector lies inside the slice; no alignment is needed, and any bits are a value.
    unsafe { from.as_ptr().cast::<V>().read_unaligned() }
}

/// Writes a vector to the start of a slice.
#[inline(always)]
pub(super) fn store<T: Plain, V: Plain>(to: &mut [T], vector: V) {
    assert!(size_of_val(to) >= size_of::<V>(), "the vector ends inside the slice");
    // SAFETY: as for `load`.
    unsafe { to.as_mut_ptr().cast::<V>().write_unaligned(vector) }
}

/// States that numbers and vectors are plain.
macro_rules! plain {
    ($($name:ty),*) => {$(
        // SAFETY: numbers, and vectors of numbers, have neither invalid bits nor gaps.
        unsafe impl Plain for $name {}
    )*};
}

plain!(u8, i8, i16, i32, [u8; 16], [i16; 8], [i32; 4]);
#[cfg(target_arch = "x86_64")]
plain!(core::arch::x86_64::__m128i, core::arch::x86_64::__m256i, core::arch::x86_64::__m512i);
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod aarch64 {
    use core::arch::aarch64::*;

    use super::Plain;

    plain!(uint8x16_t, int8x16_t, int16x8_t, int32x4_t, uint32x4_t);
}
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
plain!(core::arch::wasm32::v128);
