//! Plain code, for processors without a set of their own.

use super::set::{Dots, Kernel, Set, operations};

/// Arrays instead of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Portable;

type Bytes = [u8; 16];
type Words = [i16; 8];
type Longs = [i32; 4];

/// Applies a function to each pair.
#[inline(always)]
fn pairs<T: Copy, const N: usize>(a: [T; N], b: [T; N], f: impl Fn(T, T) -> T) -> [T; N] {
    core::array::from_fn(|index| f(a[index], b[index]))
}

impl Dots for Portable {
    const BYTES: usize = 16;
    const IS_EXACT: bool = true;
    type Bytes = Bytes;
    type Longs = Longs;
    type Partial = Longs;

    operations! {
        repeat32(number: i32) -> Longs = [number; 4];
        add32(a: Longs, b: Longs) -> Longs = pairs(a, b, i32::wrapping_add);
        repeat8(four: [u8; 4]) -> Bytes = core::array::from_fn(|index| four[index % 4]);
        nonzero(from: &[u8]) -> u64 = {
            let fours = from[..16].as_chunks::<4>().0.iter().zip(0..);
            fours.fold(0, |mask, (four, bit)| mask | u64::from(*four != [0; 4]) << bit)
        };
        no_products() -> Longs = [0; 4];
        widen(sums: Longs, fours: Longs) -> Longs = pairs(sums, fours, i32::wrapping_add);
        dot8(sums: Longs, inputs: Bytes, weights: &[i8]) -> Longs = {
            let (inputs, weights) = (inputs.as_chunks::<4>().0, weights[..16].as_chunks::<4>().0);
            core::array::from_fn(|index| {
                let (a, b) = (inputs[index], weights[index]);
                let product = |at: usize| i32::from(i16::from(a[at]) * i16::from(b[at]));
                sums[index].wrapping_add(product(0) + product(1) + product(2) + product(3))
            })
        };
    }
}

impl Set for Portable {
    type Narrow = Self;
    type Words = Words;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    operations! {
        narrow() -> Self = Self;
        repeat16(number: i16) -> Words = [number; 8];
        add16(a: Words, b: Words) -> Words = pairs(a, b, i16::wrapping_add);
        sub16(a: Words, b: Words) -> Words = pairs(a, b, i16::wrapping_sub);
        min16(a: Words, b: Words) -> Words = pairs(a, b, i16::min);
        max16(a: Words, b: Words) -> Words = pairs(a, b, i16::max);
        mul16(a: Words, b: Words) -> Words = pairs(a, b, i16::wrapping_mul);
        mul_high16(a: Words, b: Words) -> Words
            = pairs(a, b, |a, b| ((i32::from(a) * i32::from(b)) >> 16) as i16);
        clip16(from: &[i16], to: &mut [u8]) -> () = {
            for (to, from) in to[..32].iter_mut().zip(&from[..32]) {
                *to = (*from).clamp(0, 127) as u8;
            }
        };
        dot16(a: Words, b: Words) -> Longs = {
            let product = |at: usize| i32::from(a[at]) * i32::from(b[at]);
            core::array::from_fn(|index| product(2 * index).wrapping_add(product(2 * index + 1)))
        };
        sum32(vector: Longs) -> i32 = vector.into_iter().fold(0, i32::wrapping_add);
    }
}
