//! Vector instructions of WebAssembly, in builds with `-C target-feature=+simd128`.

use core::arch::wasm32::*;

use super::plain::{load, store};
use super::set::{Dots, Kernel, Set, operations};

/// Instructions on 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Simd128;

impl Dots for Simd128 {
    const BYTES: usize = 16;
    const IS_EXACT: bool = true;
    type Bytes = v128;
    type Longs = v128;
    type Partial = v128;

    operations! {
        repeat32(number: i32) -> v128 = i32x4_splat(number);
        add32(a: v128, b: v128) -> v128 = i32x4_add(a, b);
        repeat8(four: [u8; 4]) -> v128 = i32x4_splat(i32::from_ne_bytes(four));
        nonzero(from: &[u8]) -> u64 = i32x4_bitmask(i32x4_ne(load(from), i32x4_splat(0))).into();
        no_products() -> v128 = i32x4_splat(0);
        widen(sums: v128, fours: v128) -> v128 = i32x4_add(sums, fours);
        dot8(sums: v128, inputs: v128, weights: &[i8]) -> v128 = {
            let weights = load(weights);
            let low = i32x4_dot_i16x8(
                i16x8_extend_low_u8x16(inputs),
                i16x8_extend_low_i8x16(weights),
            );
            let high = i32x4_dot_i16x8(
                i16x8_extend_high_u8x16(inputs),
                i16x8_extend_high_i8x16(weights),
            );
            let even = i32x4_shuffle::<0, 2, 4, 6>(low, high);
            let odd = i32x4_shuffle::<1, 3, 5, 7>(low, high);
            i32x4_add(sums, i32x4_add(even, odd))
        };
    }
}

impl Set for Simd128 {
    type Narrow = Self;
    type Words = v128;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    operations! {
        narrow() -> Self = Self;
        repeat16(number: i16) -> v128 = i16x8_splat(number);
        add16(a: v128, b: v128) -> v128 = i16x8_add(a, b);
        sub16(a: v128, b: v128) -> v128 = i16x8_sub(a, b);
        min16(a: v128, b: v128) -> v128 = i16x8_min(a, b);
        max16(a: v128, b: v128) -> v128 = i16x8_max(a, b);
        mul16(a: v128, b: v128) -> v128 = i16x8_mul(a, b);
        mul_high16(a: v128, b: v128) -> v128 = {
            let low = i32x4_extmul_low_i16x8(a, b);
            i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, i32x4_extmul_high_i16x8(a, b))
        };
        clip16(from: &[i16], to: &mut [u8]) -> () = {
            for at in [0, 16] {
                let bytes = u8x16_narrow_i16x8(load(&from[at..]), load(&from[at + 8..]));
                store(&mut to[at..], u8x16_min(bytes, u8x16_splat(127)));
            }
        };
        dot16(a: v128, b: v128) -> v128 = i32x4_dot_i16x8(a, b);
        sum32(vector: v128) -> i32 = {
            let two = i32x4_add(vector, i32x4_shuffle::<2, 3, 0, 1>(vector, vector));
            i32x4_extract_lane::<0>(i32x4_add(two, i32x4_shuffle::<1, 0, 3, 2>(two, two)))
        };
    }
}
