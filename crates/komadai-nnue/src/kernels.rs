//! The arithmetic of networks, for the vector instructions that the processor has.
//!
//! Every version gives the same bits: sums wrap around, and no step saturates.

mod arguments;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

use core::fmt;

pub(crate) use arguments::{DenseView, Rows};

/// A set of vector instructions that networks can be evaluated with.
///
/// [`detect`](Self::detect) chooses the fastest one that the processor has. Others are for
/// measurements: all give the same result.
///
/// # Examples
///
/// ```
/// use komadai_nnue::Kernels;
///
/// assert!(Kernels::available().contains(&Kernels::detect()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kernels {
    /// Plain code, vectorised by the compiler for the target: SSE2, NEON, or what the build names.
    Portable,
    /// 256-bit vectors of x86.
    Avx2,
    /// 512-bit vectors of x86 with dot products of bytes.
    Avx512Vnni,
}

impl Kernels {
    /// Returns the fastest set that the processor has.
    pub fn detect() -> Self {
        Self::available().last().copied().unwrap_or(Self::Portable)
    }

    /// Returns the sets that the processor has, the slowest first.
    pub fn available() -> Vec<Self> {
        let mut available = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if x86::has_avx2() {
                available.push(Self::Avx2);
            }
            if x86::has_avx512_vnni() {
                available.push(Self::Avx512Vnni);
            }
        }
        available
    }

    /// Returns this set if the processor has it, else the fastest one that it has.
    pub(crate) fn or_detect(self) -> Self {
        if Self::available().contains(&self) { self } else { Self::detect() }
    }
}

impl fmt::Display for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Portable => "portable",
            Self::Avx2 => "AVX2",
            Self::Avx512Vnni => "AVX-512 VNNI",
        })
    }
}

/// Calls a version of a function. A set of instructions is only ever chosen if the processor has
/// it.
macro_rules! dispatch {
    ($kernels:expr, $name:ident($($argument:expr),*)) => {
        match $kernels {
            #[cfg(target_arch = "x86_64")]
            Kernels::Avx2 => x86::avx2::$name($($argument),*),
            #[cfg(target_arch = "x86_64")]
            Kernels::Avx512Vnni => x86::avx512::$name($($argument),*),
            _ => portable::$name($($argument),*),
        }
    };
}

/// A set of instructions that the processor is known to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chosen(Kernels);

impl Chosen {
    pub(crate) fn new(kernels: Kernels) -> Self {
        Self(kernels.or_detect())
    }

    pub(crate) fn kernels(self) -> Kernels {
        self.0
    }

    /// Writes `from`, less the removed rows of `weights` and plus the added ones, to `to`.
    ///
    /// # Panics
    ///
    /// Panics if the lengths differ, are not multiples of 32, or a row reaches beyond the weights.
    #[inline]
    pub(crate) fn accumulate(self, to: &mut [i16], from: &[i16], weights: &[i16], rows: Rows<'_>) {
        assert!(to.len() == from.len() && to.len().is_multiple_of(32), "vectors of one width");
        for &row in rows.removed.iter().chain(rows.added) {
            assert!(row < weights.len() && weights.len() - row >= to.len(), "rows of the table");
        }
        dispatch!(self.0, accumulate(to, from, weights, rows));
    }

    /// Clips sums to 0 … 127.
    ///
    /// # Panics
    ///
    /// Panics if the lengths differ or are not multiples of 32.
    #[inline]
    pub(crate) fn clip(self, sums: &[i16], outputs: &mut [u8]) {
        assert!(sums.len() == outputs.len() && sums.len().is_multiple_of(32), "one width");
        dispatch!(self.0, clip(sums, outputs));
    }

    /// Multiplies the first half of the sums, clipped to 0 … 254, with the second half, and divides
    /// by 512.
    ///
    /// # Panics
    ///
    /// Panics if the lengths do not fit or are not multiples of 64.
    #[inline]
    pub(crate) fn multiply_doubled(self, sums: &[i16], outputs: &mut [u8]) {
        assert!(sums.len() == 2 * outputs.len() && sums.len().is_multiple_of(64), "two halves");
        dispatch!(self.0, multiply_doubled(sums, outputs));
    }

    /// Multiplies the first half of the sums, clipped to 0 … 127, with the second half, and divides
    /// by 128.
    ///
    /// # Panics
    ///
    /// Panics if the lengths do not fit or are not multiples of 64.
    #[inline]
    pub(crate) fn multiply(self, sums: &[i16], outputs: &mut [u8]) {
        assert!(sums.len() == 2 * outputs.len() && sums.len().is_multiple_of(64), "two halves");
        dispatch!(self.0, multiply(sums, outputs));
    }

    /// Sums the squares of the sums, clipped to 0 … 255, times the weights, which are at most 127
    /// in size.
    ///
    /// The caller has checked that the weights cannot let the sum overflow.
    ///
    /// # Panics
    ///
    /// Panics if the lengths differ or are not multiples of 32.
    #[inline]
    pub(crate) fn square_dot(self, sums: &[i16], weights: &[i16]) -> i32 {
        assert!(sums.len() == weights.len() && sums.len().is_multiple_of(32), "one width");
        dispatch!(self.0, square_dot(sums, weights))
    }

    /// Computes a dense layer. Inputs are at most 127.
    ///
    /// # Panics
    ///
    /// Panics if the lengths do not fit the layer.
    #[inline]
    pub(crate) fn dense(self, layer: DenseView<'_>, inputs: &[u8], outputs: &mut [i32]) {
        assert!(
            outputs.len() == layer.biases.len()
                && outputs.len().is_multiple_of(8)
                && inputs.len().is_multiple_of(4)
                && layer.weights.len() == inputs.len() * outputs.len()
                && layer.rows.len() == layer.weights.len(),
            "the shape of the layer"
        );
        dispatch!(self.0, dense(layer, inputs, outputs));
    }
}

#[cfg(test)]
mod tests;
