//! Activations: the inputs of a layer from the sums of the layer before.

use super::plain::{load, store};
use super::set::{CLIPPED, Set};

/// Clips sums of the first layer to 0 … 127. Their number is a multiple of 32.
#[inline(always)]
pub(crate) fn clip<S: Set>(set: S, sums: &[i16], outputs: &mut [u8]) {
    let sums = sums.as_chunks::<CLIPPED>().0;
    for (sums, outputs) in sums.iter().zip(outputs.as_chunks_mut::<CLIPPED>().0) {
        set.clip16(sums, outputs);
    }
}

/// Multiplies the first half of the sums, clipped to 0 … `MOST`, with the second half, and divides
/// by a power of 2, at least 2⁷. The number of products is a multiple of 32, and they are at most
/// 127.
#[inline(always)]
pub(crate) fn products<S: Set, const MOST: i16, const SHIFT: u32>(
    set: S,
    sums: &[i16],
    outputs: &mut [u8],
) {
    let (first, second) = sums.split_at(outputs.len());
    let (first, second) = (first.as_chunks::<CLIPPED>().0, second.as_chunks::<CLIPPED>().0);
    // The upper half of a product is the product divided by 2¹⁶, so that its factors are
    // multiplied by the rest: the first by at most 2⁷, which keeps 254 within 16 bits.
    let (zero, most) = (set.repeat16(0), set.repeat16(MOST));
    let factors = [set.repeat16(1 << 7), set.repeat16(1 << (9 - SHIFT))];
    for ((first, second), outputs) in
        first.iter().zip(second).zip(outputs.as_chunks_mut::<CLIPPED>().0)
    {
        let mut products = [0; CLIPPED];
        for at in (0..CLIPPED).step_by(S::BYTES / 2) {
            let a = set.min16(set.max16(load(&first[at..]), zero), most);
            let b = set.min16(set.max16(load(&second[at..]), zero), most);
            let product = set.mul_high16(set.mul16(a, factors[0]), set.mul16(b, factors[1]));
            store(&mut products[at..], product);
        }
        set.clip16(&products, outputs);
    }
}

/// Divides `len` sums of a hidden layer by 64 and clips them to 0 … 127, the inputs of the next
/// layer. Numbers after them are clipped as well, up to a multiple of 32, for which there is place.
#[inline(always)]
pub(crate) fn clip_sums<S: Set>(set: S, sums: &[i32], outputs: &mut [u8], len: usize) {
    let outputs = outputs.as_chunks_mut::<CLIPPED>().0.iter_mut();
    for (sums, outputs) in
        sums.as_chunks::<CLIPPED>().0.iter().zip(outputs).take(len.div_ceil(CLIPPED))
    {
        set.clip_sums32(sums, outputs);
    }
}

/// Sums the squares of the sums, clipped to 0 … 255, times the weights, which are at most 127 in
/// size.
///
/// The caller has checked that the weights cannot let the sum overflow. The number of sums is a
/// multiple of 32.
#[inline(always)]
pub(crate) fn square_dot<S: Set>(set: S, sums: &[i16], weights: &[i16]) -> i32 {
    let len = S::BYTES / 2;
    let (zero, most) = (set.repeat16(0), set.repeat16(255));
    let mut total = set.repeat32(0);
    for (sums, weights) in sums.chunks_exact(len).zip(weights.chunks_exact(len)) {
        let values = set.min16(set.max16(load(sums), zero), most);
        // The product with the weight fits 16 bits: 255 · 127 < 32,768.
        let products = set.mul16(values, load(weights));
        total = set.add32(total, set.dot16(products, values));
    }
    set.sum32(total)
}
