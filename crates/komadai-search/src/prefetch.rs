//! Telling the processor which memory will be wanted soon.
//!
//! A probe of the transposition table misses every cache; asked for before a move is done, the entry
//! arrives while the move is being done. Measured interleaved by nodes per CPU second on four
//! positions (2026-11-21, AMD Zen 1, 64 MiB): 4 % faster than without, 2 % faster than an
//! ordinary load of the entry, which holds up what comes after it.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the instruction takes an address, which it does not read")
)]

/// Starts to bring `place` nearer; on processors other than x86-64 nothing.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE, which the instruction is part of, is part of x86-64; a prefetch changes nothing
        // that a program can see, whatever the address, and this one is valid.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(place).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
