//! The arithmetic of networks, for the vector instructions that the processor has.
//!
//! Kernels are written once over the operations of a [`Set`]; every set gives the same bits.

mod accumulate;
mod activations;
mod layer;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
mod plain;
mod portable;
mod set;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

use core::fmt;

pub(crate) use accumulate::{Accumulate, Rows};
pub(crate) use activations::{clip, clip_sums, products, square_dot};
pub(crate) use layer::{
    DenseView, ExactGroups, GROUP, Inputs, LARGE_GROUP, WORD, dense, dense_output, tile_len,
};
use portable::Portable;
pub(crate) use set::{Kernel, Set};

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
    /// Plain code, for processors that have none of the others.
    Portable,
    /// 128-bit vectors of x86.
    Sse41,
    /// 256-bit vectors of x86.
    Avx2,
    /// 512-bit vectors of x86 with dot products of bytes.
    Avx512Vnni,
    /// 128-bit vectors of AArch64.
    Neon,
    /// 128-bit vectors of WebAssembly, in builds with `-C target-feature=+simd128`.
    Simd128,
}

impl Kernels {
    /// Returns the fastest set that the processor has.
    pub fn detect() -> Self {
        Self::available().last().copied().unwrap_or(Self::Portable)
    }

    /// Returns the sets that the processor has, the slowest first.
    pub fn available() -> Vec<Self> {
        Chosen::available().into_iter().map(Chosen::kernels).collect()
    }
}

impl fmt::Display for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Portable => "portable",
            Self::Sse41 => "SSE4.1",
            Self::Avx2 => "AVX2",
            Self::Avx512Vnni => "AVX-512 VNNI",
            Self::Neon => "NEON",
            Self::Simd128 => "WebAssembly SIMD",
        })
    }
}

/// A set of instructions that the processor is known to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chosen {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Sse41(x86::Sse41),
    #[cfg(target_arch = "x86_64")]
    Avx2(x86::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(x86::Avx512),
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    Neon(neon::Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(wasm::Simd128),
}

impl Chosen {
    /// Returns the sets that the processor has, the slowest first.
    fn available() -> Vec<Self> {
        #[cfg_attr(
            not(any(target_arch = "x86_64", target_feature = "neon", target_feature = "simd128")),
            expect(unused_mut, reason = "there is no other set")
        )]
        let mut available = vec![Self::Portable(Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            available.extend(x86::Sse41::detect().map(Self::Sse41));
            available.extend(x86::Avx2::detect().map(Self::Avx2));
            available.extend(x86::Avx512::detect().map(Self::Avx512));
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        available.push(Self::Neon(neon::Neon));
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        available.push(Self::Simd128(wasm::Simd128));
        available
    }

    /// Returns this set if the processor has it, else the fastest one that it has.
    pub(crate) fn new(kernels: Kernels) -> Self {
        let available = Self::available();
        let wanted = available.iter().find(|set| set.kernels() == kernels);
        wanted.or(available.last()).copied().unwrap_or(Self::Portable(Portable))
    }

    pub(crate) fn kernels(self) -> Kernels {
        match self {
            Self::Portable(_) => Kernels::Portable,
            #[cfg(target_arch = "x86_64")]
            Self::Sse41(_) => Kernels::Sse41,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => Kernels::Avx2,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => Kernels::Avx512Vnni,
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            Self::Neon(_) => Kernels::Neon,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(_) => Kernels::Simd128,
        }
    }

    /// Runs a kernel.
    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Self::Portable(set) => set.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Self::Sse41(set) => set.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(set) => set.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(set) => set.run(kernel),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            Self::Neon(set) => set.run(kernel),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(set) => set.run(kernel),
        }
    }
}

#[cfg(test)]
mod tests;
