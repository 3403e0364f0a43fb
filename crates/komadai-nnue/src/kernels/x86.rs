//! Versions for vector instructions of x86.
//!
//! The caller has checked all lengths, so that the pointers below stay inside their slices; debug
//! builds check again at each access.
//!
//! The compiler's own vectors, for the processors that every build runs on, take several times as
//! long (`komadai-lab nnue-speed`).
#![expect(unsafe_code, reason = "vectors beyond those of the build need a call that is unsafe")]

use core::arch::x86_64::*;

use super::arguments::{DenseView, Rows};

pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
}

pub(super) fn has_avx512_vnni() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vnni")
}

/// Reads a vector that starts at `values[at]`.
///
/// # Safety
///
/// The vector must end inside the slice.
#[inline(always)]
unsafe fn read<T, V>(values: &[T], at: usize) -> V {
    debug_assert!(size_of_val(values) >= at * size_of::<T>() + size_of::<V>());
    // SAFETY: the vector lies inside the slice, as the caller guarantees; no alignment is needed.
    unsafe { values.as_ptr().add(at).cast::<V>().read_unaligned() }
}

/// Writes a vector that starts at `values[at]`.
///
/// # Safety
///
/// The vector must end inside the slice.
#[inline(always)]
unsafe fn write<T, V>(values: &mut [T], at: usize, vector: V) {
    debug_assert!(size_of_val(values) >= at * size_of::<T>() + size_of::<V>());
    // SAFETY: the vector lies inside the slice, as the caller guarantees; no alignment is needed.
    unsafe { values.as_mut_ptr().add(at).cast::<V>().write_unaligned(vector) }
}

/// Four inputs as one number.
///
/// # Safety
///
/// There must be four inputs from `4 * index`.
#[inline(always)]
unsafe fn four(inputs: &[u8], index: usize) -> i32 {
    // SAFETY: as the caller guarantees.
    unsafe { read::<u8, i32>(inputs, 4 * index) }
}

pub(super) mod avx2 {
    use super::*;

    #[inline]
    pub(in super::super) fn accumulate(
        to: &mut [i16],
        from: &[i16],
        weights: &[i16],
        rows: Rows<'_>,
    ) {
        // SAFETY: `Chosen` holds only sets of instructions that the processor has.
        unsafe { accumulate_vectors(to, from, weights, rows) }
    }

    #[target_feature(enable = "avx2")]
    fn accumulate_vectors(to: &mut [i16], from: &[i16], weights: &[i16], rows: Rows<'_>) {
        let mut at = 0;
        while at + 128 <= to.len() {
            tile::<8>(to, from, weights, rows, at);
            at += 128;
        }
        while at < to.len() {
            tile::<2>(to, from, weights, rows, at);
            at += 32;
        }
    }

    /// Computes `16 * N` sums, which stay in registers.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn tile<const N: usize>(
        to: &mut [i16],
        from: &[i16],
        weights: &[i16],
        rows: Rows<'_>,
        at: usize,
    ) {
        let mut sums = [_mm256_setzero_si256(); N];
        for (index, sum) in sums.iter_mut().enumerate() {
            // SAFETY: the tile lies inside the vector, whose length is a multiple of 32.
            *sum = unsafe { read(from, at + 16 * index) };
        }
        for &row in rows.removed {
            for (index, sum) in sums.iter_mut().enumerate() {
                // SAFETY: the row has the length of the vector and lies inside the table.
                let weights = unsafe { read(weights, row + at + 16 * index) };
                *sum = _mm256_sub_epi16(*sum, weights);
            }
        }
        for &row in rows.added {
            for (index, sum) in sums.iter_mut().enumerate() {
                // SAFETY: as above.
                let weights = unsafe { read(weights, row + at + 16 * index) };
                *sum = _mm256_add_epi16(*sum, weights);
            }
        }
        for (index, sum) in sums.into_iter().enumerate() {
            // SAFETY: as for `from`, which has the same length.
            unsafe { write(to, at + 16 * index, sum) };
        }
    }

    #[inline]
    pub(in super::super) fn clip(sums: &[i16], outputs: &mut [u8]) {
        // SAFETY: `Chosen` holds only sets of instructions that the processor has.
        unsafe { clip_vectors(sums, outputs) }
    }

    #[target_feature(enable = "avx2")]
    fn clip_vectors(sums: &[i16], outputs: &mut [u8]) {
        for at in (0..sums.len()).step_by(32) {
            // SAFETY: both lengths are the same multiple of 32.
            let (low, high) = unsafe { (read(sums, at), read(sums, at + 16)) };
            // Packing clips to 127, in halves of 128 bits.
            let packed = _mm256_permute4x64_epi64::<0xD8>(_mm256_packs_epi16(low, high));
            let clipped = _mm256_max_epi8(packed, _mm256_setzero_si256());
            // SAFETY: as above.
            unsafe { write(outputs, at, clipped) };
        }
    }

    #[inline]
    pub(in super::super) fn multiply_doubled(sums: &[i16], outputs: &mut [u8]) {
        // SAFETY: `Chosen` holds only sets of instructions that the processor has.
        unsafe { multiply_vectors::<254, 9>(sums, outputs) }
    }

    #[inline]
    pub(in super::super) fn multiply(sums: &[i16], outputs: &mut [u8]) {
        // SAFETY: `Chosen` holds only sets of instructions that the processor has.
        unsafe { multiply_vectors::<127, 7>(sums, outputs) }
    }

    #[target_feature(enable = "avx2")]
    fn multiply_vectors<const MOST: i16, const SHIFT: i32>(sums: &[i16], outputs: &mut [u8]) {
        let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(MOST));
        let len = outputs.len();
        let product = |at: usize| {
            // SAFETY: there are twice as many sums as outputs, and `at` is below these by 16 or
            // more.
            let (a, b) = unsafe { (read(sums, at), read(sums, len + at)) };
            let a = _mm256_min_epi16(_mm256_max_epi16(a, zero), most);
            let b = _mm256_min_epi16(_mm256_max_epi16(b, zero), most);
            _mm256_srli_epi16::<SHIFT>(_mm256_mullo_epi16(a, b))
        };
        for at in (0..len).step_by(32) {
            let packed = _mm256_packus_epi16(product(at), product(at + 16));
            let packed = _mm256_permute4x64_epi64::<0xD8>(packed);
            // SAFETY: the number of outputs is a multiple of 32.
            unsafe { write(outputs, at, packed) };
        }
    }

    #[inline]
    pub(in super::super) fn square_dot(sums: &[i16], weights: &[i16]) -> i32 {
        // SAFETY: `Chosen` holds only sets of instructions that the processor has.
        unsafe { square_dot_vectors(sums, weights) }
    }

    #[target_feature(enable = "avx2")]
    fn square_dot_vectors(sums: &[i16], weights: &[i16]) -> i32 {
        let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(255));
        let mut total = _mm256_setzero_si256();
        for at in (0..sums.len()).step_by(16) {
            // SAFETY: both lengths are the same multiple of 32.
            let (values, weights) = unsafe { (read(sums, at), read(weights, at)) };
            let values = _mm256_min_epi16(_mm256_max_epi16(values, zero), most);
            let products = _mm256_mullo_epi16(values, weights);
            total = _mm256_add_epi32(total, _mm256_madd_epi16(products, values));
        }
        let low = _mm256_castsi256_si128(total);
        let four = _mm_add_epi32(low, _mm256_extracti128_si256::<1>(total));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
    }

    #[inline]
    pub(in super::super) fn dense(layer: DenseView<'_>, inputs: &[u8], outputs: &mut [i32]) {
        // SAFETY: `Chosen` holds only sets of instructions that the processor has.
        unsafe { dense_vectors(layer, inputs, outputs) }
    }

    #[target_feature(enable = "avx2")]
    fn dense_vectors(layer: DenseView<'_>, inputs: &[u8], outputs: &mut [i32]) {
        let mut at = 0;
        while at + 32 <= outputs.len() {
            dense_tile::<4>(layer, inputs, outputs, at);
            at += 32;
        }
        while at < outputs.len() {
            dense_tile::<1>(layer, inputs, outputs, at);
            at += 8;
        }
    }

    /// Computes `8 * N` outputs from `at`.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn dense_tile<const N: usize>(
        layer: DenseView<'_>,
        inputs: &[u8],
        outputs: &mut [i32],
        at: usize,
    ) {
        let ones = _mm256_set1_epi16(1);
        let mut sums = [_mm256_setzero_si256(); N];
        for (index, sum) in sums.iter_mut().enumerate() {
            // SAFETY: there are as many biases as outputs, a multiple of 8.
            *sum = unsafe { read(layer.biases, at + 8 * index) };
        }
        for block in 0..inputs.len() / 4 {
            // SAFETY: `block` is less than a quarter of the inputs.
            let four = _mm256_set1_epi32(unsafe { four(inputs, block) });
            for (index, sum) in sums.iter_mut().enumerate() {
                // SAFETY: each block of weights has four for each output.
                let weights =
                    unsafe { read(layer.weights, 4 * (block * outputs.len() + at + 8 * index)) };
                // Inputs of at most 127 keep the sums of pairs within 16 bits.
                let pairs = _mm256_maddubs_epi16(four, weights);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
            }
        }
        for (index, sum) in sums.into_iter().enumerate() {
            // SAFETY: the tile lies inside the outputs.
            unsafe { write(outputs, at + 8 * index, sum) };
        }
    }
}

pub(super) mod avx512 {
    use super::*;

    #[inline]
    pub(in super::super) fn accumulate(
        to: &mut [i16],
        from: &[i16],
        weights: &[i16],
        rows: Rows<'_>,
    ) {
        // SAFETY: `Chosen` holds only sets of instructions that the processor has.
        unsafe { accumulate_vectors(to, from, weights, rows) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn accumulate_vectors(to: &mut [i16], from: &[i16], weights: &[i16], rows: Rows<'_>) {
        let mut at = 0;
        while at + 256 <= to.len() {
            tile::<8>(to, from, weights, rows, at);
            at += 256;
        }
        while at + 128 <= to.len() {
            tile::<4>(to, from, weights, rows, at);
            at += 128;
        }
        while at < to.len() {
            tile::<1>(to, from, weights, rows, at);
            at += 32;
        }
    }

    /// Computes `32 * N` sums, which stay in registers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn tile<const N: usize>(
        to: &mut [i16],
        from: &[i16],
        weights: &[i16],
        rows: Rows<'_>,
        at: usize,
    ) {
        let mut sums = [_mm512_setzero_si512(); N];
        for (index, sum) in sums.iter_mut().enumerate() {
            // SAFETY: the tile lies inside the vector, whose length is a multiple of 32.
            *sum = unsafe { read(from, at + 32 * index) };
        }
        for &row in rows.removed {
            for (index, sum) in sums.iter_mut().enumerate() {
                // SAFETY: the row has the length of the vector and lies inside the table.
                let weights = unsafe { read(weights, row + at + 32 * index) };
                *sum = _mm512_sub_epi16(*sum, weights);
            }
        }
        for &row in rows.added {
            for (index, sum) in sums.iter_mut().enumerate() {
                // SAFETY: as above.
                let weights = unsafe { read(weights, row + at + 32 * index) };
                *sum = _mm512_add_epi16(*sum, weights);
            }
        }
        for (index, sum) in sums.into_iter().enumerate() {
            // SAFETY: as for `from`, which has the same length.
            unsafe { write(to, at + 32 * index, sum) };
        }
    }

    #[inline]
    pub(in super::super) fn clip(sums: &[i16], outputs: &mut [u8]) {
        // SAFETY: `Chosen` holds only sets of instructions that the processor has.
        unsafe { clip_vectors(sums, outputs) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn clip_vectors(sums: &[i16], outputs: &mut [u8]) {
        for at in (0..sums.len()).step_by(32) {
            // SAFETY: both lengths are the same multiple of 32.
            let sums = unsafe { read(sums, at) };
            let clipped = _mm512_cvtsepi16_epi8(_mm512_max_epi16(sums, _mm512_setzero_si512()));
            // SAFETY: as above.
            unsafe { write(outputs, at, clipped) };
        }
    }

    #[inline]
    pub(in super::super) fn multiply_doubled(sums: &[i16], outputs: &mut [u8]) {
        // SAFETY: `Chosen` holds only sets of instructions that the processor has.
        unsafe { multiply_vectors::<254, 9>(sums, outputs) }
    }

    #[inline]
    pub(in super::super) fn multiply(sums: &[i16], outputs: &mut [u8]) {
        // SAFETY: `Chosen` holds only sets of instructions that the processor has.
        unsafe { multiply_vectors::<127, 7>(sums, outputs) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn multiply_vectors<const MOST: i16, const SHIFT: u32>(sums: &[i16], outputs: &mut [u8]) {
        let (zero, most) = (_mm512_setzero_si512(), _mm512_set1_epi16(MOST));
        let len = outputs.len();
        for at in (0..len).step_by(32) {
            // SAFETY: there are twice as many sums as outputs, a multiple of 32.
            let (a, b) = unsafe { (read(sums, at), read(sums, len + at)) };
            let a = _mm512_min_epi16(_mm512_max_epi16(a, zero), most);
            let b = _mm512_min_epi16(_mm512_max_epi16(b, zero), most);
            let product = _mm512_srli_epi16::<SHIFT>(_mm512_mullo_epi16(a, b));
            // SAFETY: as above.
            unsafe { write(outputs, at, _mm512_cvtepi16_epi8(product)) };
        }
    }

    #[inline]
    pub(in super::super) fn square_dot(sums: &[i16], weights: &[i16]) -> i32 {
        // SAFETY: `Chosen` holds only sets of instructions that the processor has.
        unsafe { square_dot_vectors(sums, weights) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn square_dot_vectors(sums: &[i16], weights: &[i16]) -> i32 {
        let (zero, most) = (_mm512_setzero_si512(), _mm512_set1_epi16(255));
        let mut total = _mm512_setzero_si512();
        for at in (0..sums.len()).step_by(32) {
            // SAFETY: both lengths are the same multiple of 32.
            let (values, weights) = unsafe { (read(sums, at), read(weights, at)) };
            let values = _mm512_min_epi16(_mm512_max_epi16(values, zero), most);
            let products = _mm512_mullo_epi16(values, weights);
            total = _mm512_add_epi32(total, _mm512_madd_epi16(products, values));
        }
        _mm512_reduce_add_epi32(total)
    }

    #[inline]
    pub(in super::super) fn dense(layer: DenseView<'_>, inputs: &[u8], outputs: &mut [i32]) {
        // SAFETY: `Chosen` holds only sets of instructions that the processor has.
        unsafe { dense_vectors(layer, inputs, outputs) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn dense_vectors(layer: DenseView<'_>, inputs: &[u8], outputs: &mut [i32]) {
        let mut at = 0;
        while at + 32 <= outputs.len() {
            dense_tile::<2>(layer, inputs, outputs, at);
            at += 32;
        }
        while at + 16 <= outputs.len() {
            dense_tile::<1>(layer, inputs, outputs, at);
            at += 16;
        }
        if at < outputs.len() {
            dense_half(layer, inputs, outputs, at);
        }
    }

    /// Computes `16 * N` outputs from `at`.
    ///
    /// Four sums for each output: one alone would wait for the five cycles of each dot product.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn dense_tile<const N: usize>(
        layer: DenseView<'_>,
        inputs: &[u8],
        outputs: &mut [i32],
        at: usize,
    ) {
        let mut sums = [[_mm512_setzero_si512(); 4]; N];
        for (index, sums) in sums.iter_mut().enumerate() {
            // SAFETY: there are as many biases as outputs, and the tile lies inside them.
            sums[0] = unsafe { read(layer.biases, at + 16 * index) };
        }
        let blocks = inputs.len() / 4;
        let step = |sums: &mut [[__m512i; 4]; N], block: usize, chain: usize| {
            // SAFETY: `block` is less than a quarter of the inputs.
            let four = _mm512_set1_epi32(unsafe { four(inputs, block) });
            for (index, sums) in sums.iter_mut().enumerate() {
                // SAFETY: each block of weights has four for each output.
                let weights =
                    unsafe { read(layer.weights, 4 * (block * outputs.len() + at + 16 * index)) };
                sums[chain] = _mm512_dpbusd_epi32(sums[chain], four, weights);
            }
        };
        let mut block = 0;
        while block + 4 <= blocks {
            step(&mut sums, block, 0);
            step(&mut sums, block + 1, 1);
            step(&mut sums, block + 2, 2);
            step(&mut sums, block + 3, 3);
            block += 4;
        }
        while block < blocks {
            step(&mut sums, block, 0);
            block += 1;
        }
        for (index, [a, b, c, d]) in sums.into_iter().enumerate() {
            let sum = _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
            // SAFETY: the tile lies inside the outputs.
            unsafe { write(outputs, at + 16 * index, sum) };
        }
    }

    /// Computes eight outputs from `at`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn dense_half(layer: DenseView<'_>, inputs: &[u8], outputs: &mut [i32], at: usize) {
        let mut sums = [_mm256_setzero_si256(); 4];
        // SAFETY: there are as many biases as outputs, a multiple of 8.
        sums[0] = unsafe { read(layer.biases, at) };
        for block in 0..inputs.len() / 4 {
            // SAFETY: `block` is less than a quarter of the inputs.
            let four = _mm256_set1_epi32(unsafe { four(inputs, block) });
            // SAFETY: each block of weights has four for each output.
            let weights = unsafe { read(layer.weights, 4 * (block * outputs.len() + at)) };
            sums[block % 4] = _mm256_dpbusd_epi32(sums[block % 4], four, weights);
        }
        let [a, b, c, d] = sums;
        let sum = _mm256_add_epi32(_mm256_add_epi32(a, b), _mm256_add_epi32(c, d));
        // SAFETY: the outputs end a multiple of 8 after `at`.
        unsafe { write(outputs, at, sum) };
    }
}
