//! The operations of a set of vector instructions, with which kernels are written once.

use super::plain::Plain;

/// Sums of products of bytes: what a dense layer needs.
///
/// A value of the type stands for the knowledge that the processor has the instructions.
pub(crate) trait Dots: Copy {
    /// The bytes of a vector.
    const BYTES: usize;

    /// The number of sums among which products are dealt out, because each waits for the one
    /// before; at most 4.
    const CHAINS: usize;

    /// Numbers of 8 bits.
    type Bytes: Plain;

    /// Numbers of 32 bits.
    type Longs: Plain;

    fn repeat32(self, number: i32) -> Self::Longs;

    fn add32(self, a: Self::Longs, b: Self::Longs) -> Self::Longs;

    /// Repeats four bytes.
    fn repeat8(self, four: [u8; 4]) -> Self::Bytes;

    /// Returns a bit for each four inputs of a vector from the start of a slice, which are at most
    /// 127: 1 if one of them is not 0.
    fn nonzero(self, from: &[u8]) -> u64;

    /// Adds to each sum the products of four inputs, at most 127 each, with four weights.
    fn dot8(self, sums: Self::Longs, inputs: Self::Bytes, weights: &[i8]) -> Self::Longs;
}

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
