//! The operations of a set of vector instructions, with which kernels are written once.

use super::plain::Plain;

/// Sums of products of bytes: what a dense layer needs.
///
/// A value of the type stands for the knowledge that the processor has the instructions.
pub(crate) trait Dots: Copy {
    /// The bytes of a vector.
    const BYTES: usize;

    /// True if partial sums have 32 bits.
    const IS_EXACT: bool;

    /// Numbers of 8 bits.
    type Bytes: Plain;

    /// Numbers of 32 bits.
    type Longs: Plain;

    /// Partial sums of products: if they have 16 bits, those of neighbours, whose sums the caller
    /// keeps within this range.
    type Partial: Copy;

    fn repeat32(self, number: i32) -> Self::Longs;

    fn add32(self, a: Self::Longs, b: Self::Longs) -> Self::Longs;

    /// Repeats four bytes.
    fn repeat8(self, four: [u8; 4]) -> Self::Bytes;

    /// Returns a bit for each four inputs of a vector from the start of a slice, which are at most
    /// 127: 1 if one of them is not 0.
    fn nonzero(self, from: &[u8]) -> u64;

    fn no_products(self) -> Self::Partial;

    /// Adds the products of inputs, at most 127, with weights.
    fn dot8(self, partial: Self::Partial, inputs: Self::Bytes, weights: &[i8]) -> Self::Partial;

    /// Adds to each sum the partial sums of four inputs.
    fn widen(self, sums: Self::Longs, partial: Self::Partial) -> Self::Longs;
}

/// The numbers that are clipped at once.
pub(crate) const CLIPPED: usize = 32;

/// All operations of kernels.
pub(crate) trait Set: Dots {
    /// The same with vectors of 32 bytes or less.
    type Narrow: Dots;

    /// Numbers of 16 bits.
    type Words: Plain;

    fn narrow(self) -> Self::Narrow;

    /// Runs a kernel in a function that may use the instructions.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;

    fn repeat16(self, number: i16) -> Self::Words;

    fn add16(self, a: Self::Words, b: Self::Words) -> Self::Words;

    fn sub16(self, a: Self::Words, b: Self::Words) -> Self::Words;

    fn min16(self, a: Self::Words, b: Self::Words) -> Self::Words;

    fn max16(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// Returns the lower halves of products.
    fn mul16(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// Returns the upper halves of products.
    fn mul_high16(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// Clips [`CLIPPED`] numbers to 0 … 127.
    fn clip16(self, from: &[i16], to: &mut [u8]);

    /// Divides [`CLIPPED`] numbers by 64 and clips them to 0 … 127.
    #[inline(always)]
    fn clip_sums32(self, from: &[i32; CLIPPED], to: &mut [u8; CLIPPED]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = (*from >> 6).clamp(0, 127) as u8;
        }
    }

    /// Adds the products of pairs.
    fn dot16(self, a: Self::Words, b: Self::Words) -> Self::Longs;

    /// Adds the numbers of a vector.
    fn sum32(self, vector: Self::Longs) -> i32;
}

/// A computation with vectors, written once for all sets.
///
/// Its callees must be inlined, because only [`Set::run`] may use the instructions.
pub(crate) trait Kernel {
    type Output;

    fn run<S: Set>(self, set: S) -> Self::Output;
}

/// Writes operations, each with its instructions.
macro_rules! operations {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $instructions:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, $($argument: $type),*) -> $result {
            $instructions
        }
    )*};
}

pub(super) use operations;
