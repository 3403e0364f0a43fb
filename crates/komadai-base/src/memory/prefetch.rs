//! Prefetch of memory that is needed soon.
//!
//! A probe of the transposition table misses every cache. With a prefetch before a move is done,
//! the entry arrives while the move is being done. Measured interleaved by nodes per CPU second on
//! four positions (2026-11-21, AMD Zen 1, 64 MiB): 4 % faster than without, 2 % faster than an
//! ordinary load of the entry, which delays the instructions after it.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the instruction takes an address, which it does not read")
)]

/// Starts to load the cache line of `place`. Does nothing on processors other than x86-64.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE, which the instruction is part of, is part of x86-64; a prefetch has no
        // effect that a program can observe, for any address, and this one is valid.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(place).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
