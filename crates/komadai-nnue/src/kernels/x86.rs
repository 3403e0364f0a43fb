//! Vector instructions of x86.
#![expect(unsafe_code, reason = "vectors beyond those of the build need a call that is unsafe")]

use core::arch::x86_64::*;

use super::plain::{load, store};
use super::set::{CLIPPED, Dots, Kernel, Set};

/// Instructions on 128 bits, which nearly every processor of this kind has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sse41(());

/// Instructions on 256 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Avx2(());

/// Instructions on 512 bits with dot products of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Avx512(());

/// Those on 256 bits of the same.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx512Narrow(());

impl Sse41 {
    /// Returns the set if the processor has it.
    pub(super) fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("ssse3");
        has_all.then_some(Self(()))
    }
}

impl Avx2 {
    /// Returns the set if the processor has it.
    pub(super) fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }
}

impl Avx512 {
    /// Returns the set if the processor has it.
    pub(super) fn detect() -> Option<Self> {
        let has_all = Avx2::detect().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vnni");
        has_all.then_some(Self(()))
    }
}

/// Writes operations, each with its instructions.
macro_rules! operations {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $instructions:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, $($argument: $type),*) -> $result {
            // SAFETY: a value of the type exists only if the processor has the instructions.
            unsafe { $instructions }
        }
    )*};
}

/// Writes the function that runs kernels with these instructions.
macro_rules! run {
    ($features:literal) => {
        #[inline]
        fn run<K: Kernel>(self, kernel: K) -> K::Output {
            #[target_feature(enable = $features)]
            fn inside<K: Kernel>(set: impl Set, kernel: K) -> K::Output {
                kernel.run(set)
            }
            // SAFETY: as for the operations.
            unsafe { inside(self, kernel) }
        }
    };
}

type V128 = __m128i;
type V256 = __m256i;
type V512 = __m512i;

impl Dots for Sse41 {
    const BYTES: usize = 16;
    const IS_EXACT: bool = false;
    type Bytes = V128;
    type Longs = V128;
    type Partial = V128;

    operations! {
        repeat32(number: i32) -> V128 = _mm_set1_epi32(number);
        add32(a: V128, b: V128) -> V128 = _mm_add_epi32(a, b);
        repeat8(four: [u8; 4]) -> V128 = _mm_set1_epi32(i32::from_ne_bytes(four));
        nonzero(from: &[u8]) -> u64 = {
            let is_nonzero = _mm_cmpgt_epi32(load(from), _mm_setzero_si128());
            _mm_movemask_ps(_mm_castsi128_ps(is_nonzero)) as u64
        };
        no_products() -> V128 = _mm_setzero_si128();
        // Inputs of at most 127 keep the sum of two products within 16 bits.
        dot8(pairs: V128, inputs: V128, weights: &[i8]) -> V128
            = _mm_add_epi16(pairs, _mm_maddubs_epi16(inputs, load(weights)));
        widen(sums: V128, pairs: V128) -> V128
            = _mm_add_epi32(sums, _mm_madd_epi16(pairs, _mm_set1_epi16(1)));
    }
}

impl Set for Sse41 {
    type Narrow = Self;
    type Words = V128;

    #[inline(always)]
    fn narrow(self) -> Self {
        self
    }

    run!("sse4.1,ssse3");

    operations! {
        repeat16(number: i16) -> V128 = _mm_set1_epi16(number);
        add16(a: V128, b: V128) -> V128 = _mm_add_epi16(a, b);
        sub16(a: V128, b: V128) -> V128 = _mm_sub_epi16(a, b);
        min16(a: V128, b: V128) -> V128 = _mm_min_epi16(a, b);
        max16(a: V128, b: V128) -> V128 = _mm_max_epi16(a, b);
        mul16(a: V128, b: V128) -> V128 = _mm_mullo_epi16(a, b);
        mul_high16(a: V128, b: V128) -> V128 = _mm_mulhi_epi16(a, b);
        clip16(from: &[i16], to: &mut [u8]) -> () = {
            for at in [0, 16] {
                let bytes = _mm_packus_epi16(load(&from[at..]), load(&from[at + 8..]));
                store(&mut to[at..], _mm_min_epu8(bytes, _mm_set1_epi8(127)));
            }
        };
        dot16(a: V128, b: V128) -> V128 = _mm_madd_epi16(a, b);
        sum32(vector: V128) -> i32 = {
            let two = _mm_add_epi32(vector, _mm_shuffle_epi32::<0b01_00_11_10>(vector));
            _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
        };
    }
}

impl Dots for Avx2 {
    const BYTES: usize = 32;
    const IS_EXACT: bool = false;
    type Bytes = V256;
    type Longs = V256;
    type Partial = V256;

    operations! {
        repeat32(number: i32) -> V256 = _mm256_set1_epi32(number);
        add32(a: V256, b: V256) -> V256 = _mm256_add_epi32(a, b);
        repeat8(four: [u8; 4]) -> V256 = _mm256_set1_epi32(i32::from_ne_bytes(four));
        nonzero(from: &[u8]) -> u64 = {
            let is_nonzero = _mm256_cmpgt_epi32(load(from), _mm256_setzero_si256());
            _mm256_movemask_ps(_mm256_castsi256_ps(is_nonzero)) as u64
        };
        no_products() -> V256 = _mm256_setzero_si256();
        // Inputs of at most 127 keep the sum of two products within 16 bits.
        dot8(pairs: V256, inputs: V256, weights: &[i8]) -> V256
            = _mm256_add_epi16(pairs, _mm256_maddubs_epi16(inputs, load(weights)));
        widen(sums: V256, pairs: V256) -> V256
            = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    }
}

impl Set for Avx2 {
    type Narrow = Self;
    type Words = V256;

    #[inline(always)]
    fn narrow(self) -> Self {
        self
    }

    run!("avx2,bmi1,bmi2,popcnt");

    operations! {
        repeat16(number: i16) -> V256 = _mm256_set1_epi16(number);
        add16(a: V256, b: V256) -> V256 = _mm256_add_epi16(a, b);
        sub16(a: V256, b: V256) -> V256 = _mm256_sub_epi16(a, b);
        min16(a: V256, b: V256) -> V256 = _mm256_min_epi16(a, b);
        max16(a: V256, b: V256) -> V256 = _mm256_max_epi16(a, b);
        mul16(a: V256, b: V256) -> V256 = _mm256_mullo_epi16(a, b);
        mul_high16(a: V256, b: V256) -> V256 = _mm256_mulhi_epi16(a, b);
        clip16(from: &[i16], to: &mut [u8]) -> () = {
            // Halves of vectors are packed, so that the middle quarters are exchanged.
            let bytes = _mm256_packus_epi16(load(from), load(&from[16..]));
            let ordered = _mm256_permute4x64_epi64::<0b11_01_10_00>(bytes);
            store(to, _mm256_min_epu8(ordered, _mm256_set1_epi8(127)));
        };
        clip_sums32(from: &[i32; CLIPPED], to: &mut [u8; CLIPPED]) -> () = {
            // Sums beyond 16 bits are clipped anyway.
            let low = _mm256_packs_epi32(load(from), load(&from[8..]));
            let high = _mm256_packs_epi32(load(&from[16..]), load(&from[24..]));
            let (low, high) = (_mm256_srai_epi16::<6>(low), _mm256_srai_epi16::<6>(high));
            let bytes = _mm256_max_epi8(_mm256_packs_epi16(low, high), _mm256_setzero_si256());
            let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
            store(to, _mm256_permutevar8x32_epi32(bytes, order));
        };
        dot16(a: V256, b: V256) -> V256 = _mm256_madd_epi16(a, b);
        sum32(vector: V256) -> i32 = {
            let (low, high) = (_mm256_castsi256_si128(vector), _mm256_extracti128_si256::<1>(vector));
            Sse41(()).sum32(_mm_add_epi32(low, high))
        };
    }
}

impl Dots for Avx512Narrow {
    const BYTES: usize = 32;
    const IS_EXACT: bool = true;
    type Bytes = V256;
    type Longs = V256;
    type Partial = V256;

    operations! {
        repeat32(number: i32) -> V256 = _mm256_set1_epi32(number);
        add32(a: V256, b: V256) -> V256 = _mm256_add_epi32(a, b);
        repeat8(four: [u8; 4]) -> V256 = _mm256_set1_epi32(i32::from_ne_bytes(four));
        nonzero(from: &[u8]) -> u64 = {
            let inputs = load(from);
            u64::from(_mm256_test_epi32_mask(inputs, inputs))
        };
        no_products() -> V256 = _mm256_setzero_si256();
        // Sums of a group start at 0, so that they need not wait for those of the group before.
        dot8(fours: V256, inputs: V256, weights: &[i8]) -> V256
            = _mm256_dpbusd_epi32(fours, inputs, load(weights));
        widen(sums: V256, fours: V256) -> V256 = _mm256_add_epi32(sums, fours);
    }
}

impl Dots for Avx512 {
    const BYTES: usize = 64;
    const IS_EXACT: bool = true;
    type Bytes = V512;
    type Longs = V512;
    type Partial = V512;

    operations! {
        repeat32(number: i32) -> V512 = _mm512_set1_epi32(number);
        add32(a: V512, b: V512) -> V512 = _mm512_add_epi32(a, b);
        repeat8(four: [u8; 4]) -> V512 = _mm512_set1_epi32(i32::from_ne_bytes(four));
        nonzero(from: &[u8]) -> u64 = {
            let inputs = load(from);
            u64::from(_mm512_test_epi32_mask(inputs, inputs))
        };
        no_products() -> V512 = _mm512_setzero_si512();
        // Sums of a group start at 0, so that they need not wait for those of the group before.
        dot8(fours: V512, inputs: V512, weights: &[i8]) -> V512
            = _mm512_dpbusd_epi32(fours, inputs, load(weights));
        widen(sums: V512, fours: V512) -> V512 = _mm512_add_epi32(sums, fours);
    }
}

impl Set for Avx512 {
    type Narrow = Avx512Narrow;
    type Words = V512;

    #[inline(always)]
    fn narrow(self) -> Avx512Narrow {
        Avx512Narrow(())
    }

    run!("avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vl,avx512vnni");

    operations! {
        repeat16(number: i16) -> V512 = _mm512_set1_epi16(number);
        add16(a: V512, b: V512) -> V512 = _mm512_add_epi16(a, b);
        sub16(a: V512, b: V512) -> V512 = _mm512_sub_epi16(a, b);
        min16(a: V512, b: V512) -> V512 = _mm512_min_epi16(a, b);
        max16(a: V512, b: V512) -> V512 = _mm512_max_epi16(a, b);
        mul16(a: V512, b: V512) -> V512 = _mm512_mullo_epi16(a, b);
        mul_high16(a: V512, b: V512) -> V512 = _mm512_mulhi_epi16(a, b);
        clip16(from: &[i16], to: &mut [u8]) -> () = {
            let bytes = _mm512_cvtsepi16_epi8(load(from));
            store(to, _mm256_max_epi8(bytes, _mm256_setzero_si256()));
        };
        dot16(a: V512, b: V512) -> V512 = _mm512_madd_epi16(a, b);
        sum32(vector: V512) -> i32 = _mm512_reduce_add_epi32(vector);
    }
}
