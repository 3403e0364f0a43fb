//! Vector instructions of AArch64, which every processor of this kind has.
#![expect(unsafe_code, reason = "calls of vector instructions are unsafe")]

use core::arch::aarch64::*;

use super::plain::{load, store};
use super::set::{Dots, Kernel, Set};

/// Writes operations, each with its instructions.
macro_rules! operations {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $instructions:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, $($argument: $type),*) -> $result {
            // SAFETY: the module exists only in builds for processors with the instructions.
            unsafe { $instructions }
        }
    )*};
}

/// Instructions on 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Neon;

impl Dots for Neon {
    const BYTES: usize = 16;
    const IS_EXACT: bool = false;
    type Bytes = uint8x16_t;
    type Longs = int32x4_t;
    type Partial = [int16x8_t; 2];

    operations! {
        repeat32(number: i32) -> int32x4_t = vdupq_n_s32(number);
        add32(a: int32x4_t, b: int32x4_t) -> int32x4_t = vaddq_s32(a, b);
        repeat8(four: [u8; 4]) -> uint8x16_t
            = vreinterpretq_u8_u32(vdupq_n_u32(u32::from_ne_bytes(four)));
        nonzero(from: &[u8]) -> u64 = {
            let fours: uint32x4_t = load(from);
            let bits: uint32x4_t = load(&[1_i32, 2, 4, 8]);
            u64::from(vaddvq_u32(vandq_u32(vtstq_u32(fours, fours), bits)))
        };
        no_products() -> [int16x8_t; 2] = [vdupq_n_s16(0); 2];
        // Those of the lower and the upper half of a vector; sums of neighbours may wrap around
        // before they meet, because only those of pairs are known to fit.
        dot8(halves: [int16x8_t; 2], inputs: uint8x16_t, weights: &[i8]) -> [int16x8_t; 2] = {
            let (inputs, weights) = (vreinterpretq_s8_u8(inputs), load(weights));
            let low = vmlal_s8(halves[0], vget_low_s8(inputs), vget_low_s8(weights));
            [low, vmlal_high_s8(halves[1], inputs, weights)]
        };
        widen(sums: int32x4_t, halves: [int16x8_t; 2]) -> int32x4_t
            = vpadalq_s16(sums, vpaddq_s16(halves[0], halves[1]));
    }
}

impl Set for Neon {
    type Narrow = Self;
    type Words = int16x8_t;

    #[inline(always)]
    fn narrow(self) -> Self {
        self
    }

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    operations! {
        repeat16(number: i16) -> int16x8_t = vdupq_n_s16(number);
        add16(a: int16x8_t, b: int16x8_t) -> int16x8_t = vaddq_s16(a, b);
        sub16(a: int16x8_t, b: int16x8_t) -> int16x8_t = vsubq_s16(a, b);
        min16(a: int16x8_t, b: int16x8_t) -> int16x8_t = vminq_s16(a, b);
        max16(a: int16x8_t, b: int16x8_t) -> int16x8_t = vmaxq_s16(a, b);
        mul16(a: int16x8_t, b: int16x8_t) -> int16x8_t = vmulq_s16(a, b);
        mul_high16(a: int16x8_t, b: int16x8_t) -> int16x8_t = vcombine_s16(
            vshrn_n_s32::<16>(vmull_s16(vget_low_s16(a), vget_low_s16(b))),
            vshrn_n_s32::<16>(vmull_high_s16(a, b)),
        );
        clip16(from: &[i16], to: &mut [u8]) -> () = {
            for at in [0, 16] {
                let (low, high) = (load(&from[at..]), load(&from[at + 8..]));
                let bytes = vcombine_u8(vqmovun_s16(low), vqmovun_s16(high));
                store(&mut to[at..], vminq_u8(bytes, vdupq_n_u8(127)));
            }
        };
        dot16(a: int16x8_t, b: int16x8_t) -> int32x4_t = vpaddq_s32(
            vmull_s16(vget_low_s16(a), vget_low_s16(b)),
            vmull_high_s16(a, b),
        );
        sum32(vector: int32x4_t) -> i32 = vaddvq_s32(vector);
    }
}
