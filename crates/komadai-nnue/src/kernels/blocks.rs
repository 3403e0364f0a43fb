//! The steps of evaluations, written once for all sets of vector instructions.
//!
//! Every set gives the same bits: sums wrap around, and no step saturates. Plain loops are
//! vectorised by the compiler for the instructions of the set into whose code they are inlined.

use super::plain::{load, store};
use super::set::{Dots, Kernel, Set};

/// The inputs that a word has a bit for, one for four.
pub(crate) const WORD: usize = 4 * u64::BITS as usize;

/// Rows of a table of weights: the start of each row that is subtracted or added.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) removed: &'a [usize],
    pub(crate) added: &'a [usize],
}

/// Writes `from`, less the removed rows of `weights` and plus the added ones, to `to`.
///
/// Both have one length, a multiple of 32.
#[derive(Debug)]
pub(crate) struct Accumulate<'a> {
    pub(crate) to: &'a mut [i16],
    pub(crate) from: &'a [i16],
    pub(crate) weights: &'a [i16],
    pub(crate) rows: Rows<'a>,
}

/// The vectors of sums that stay in registers while rows are added.
const TILE: usize = 8;

impl Kernel for Accumulate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Set>(self, set: S) {
        let len = S::BYTES / 2;
        let width = self.to.len();
        assert!(self.from.len() == width && width.is_multiple_of(len), "vectors of one width");
        let mut at = 0;
        while at + TILE * len <= width {
            tile::<S, TILE>(set, &mut self.to[at..], &self.from[at..], self.weights, self.rows, at);
            at += TILE * len;
        }
        while at < width {
            tile::<S, 1>(set, &mut self.to[at..], &self.from[at..], self.weights, self.rows, at);
            at += len;
        }
    }
}

/// Computes `N` vectors, which stand at `at` in each row.
#[inline(always)]
fn tile<S: Set, const N: usize>(
    set: S,
    to: &mut [i16],
    from: &[i16],
    weights: &[i16],
    rows: Rows<'_>,
    at: usize,
) {
    let len = S::BYTES / 2;
    let (to, from) = (&mut to[..N * len], &from[..N * len]);
    let mut sums = [set.repeat16(0); N];
    for (index, sum) in sums.iter_mut().enumerate() {
        *sum = load(&from[index * len..]);
    }
    for &row in rows.removed {
        let weights = &weights[row + at..][..N * len];
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum = set.sub16(*sum, load(&weights[index * len..]));
        }
    }
    for &row in rows.added {
        let weights = &weights[row + at..][..N * len];
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum = set.add16(*sum, load(&weights[index * len..]));
        }
    }
    for (index, sum) in sums.into_iter().enumerate() {
        store(&mut to[index * len..], sum);
    }
}

/// Clips sums of the first layer to 0 … 127.
#[inline(always)]
pub(crate) fn clip(sums: &[i16], outputs: &mut [u8]) {
    for (output, sum) in outputs.iter_mut().zip(sums) {
        *output = (*sum).clamp(0, 127) as u8;
    }
}

/// Multiplies the first half of the sums, clipped to 0 … `MOST`, with the second half, and divides
/// by a power of 2.
#[inline(always)]
pub(crate) fn products<const MOST: i16, const SHIFT: u32>(sums: &[i16], outputs: &mut [u8]) {
    let (first, second) = sums.split_at(outputs.len());
    for (output, (a, b)) in outputs.iter_mut().zip(first.iter().zip(second)) {
        let product = (*a).clamp(0, MOST) as u16 * (*b).clamp(0, MOST) as u16;
        *output = (product >> SHIFT) as u8;
    }
}

/// Divides sums of a hidden layer by 64 and clips them to 0 … 127, the inputs of the next layer.
#[inline(always)]
pub(crate) fn clip_sums(sums: &[i32], outputs: &mut [u8]) {
    for (output, sum) in outputs.iter_mut().zip(sums) {
        *output = (sum >> 6).clamp(0, 127) as u8;
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

/// A dense layer: `outputs = biases + weights · inputs`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DenseView<'a> {
    /// One for each output: either one alone, or a multiple of 8 of them.
    pub(crate) biases: &'a [i32],
    /// `[tile][input / 4][output of the tile][input % 4]`; a multiple of [`WORD`] inputs.
    pub(crate) weights: &'a [i8],
}

/// The outputs of each tile of a layer: as many of 32 as there are, then perhaps 16 and 8.
pub(crate) fn tile_len(outputs_left: usize) -> usize {
    match outputs_left {
        32.. => 32,
        16.. => 16,
        8.. => 8,
        _ => 1,
    }
}

/// Computes a layer with more than one output. Inputs are at most 127; the first `used` count, and
/// there are enough for the last [`WORD`].
#[inline(always)]
pub(crate) fn dense<S: Set>(
    set: S,
    layer: DenseView<'_>,
    inputs: &[u8],
    used: usize,
    mut outputs: &mut [i32],
) {
    let inputs = &inputs[..used.next_multiple_of(WORD)];
    let DenseView { mut biases, mut weights } = layer;
    while biases.len() >= 8 {
        let len = tile_len(biases.len());
        let tile = DenseView { biases, weights };
        match len {
            32 => dense_tile::<S, 128>(set, tile, inputs, used, outputs),
            16 => dense_tile::<S, 64>(set, tile, inputs, used, outputs),
            _ => dense_tile::<S::Narrow, 32>(set.narrow(), tile, inputs, used, outputs),
        }
        (biases, weights, outputs) =
            (&biases[len..], &weights[len * inputs.len()..], &mut outputs[len..]);
    }
}

/// Adds to a quarter of `ROW` outputs the products of the inputs, four at a time, that are not 0.
#[inline(always)]
fn dense_tile<S: Dots, const ROW: usize>(
    set: S,
    layer: DenseView<'_>,
    inputs: &[u8],
    used: usize,
    outputs: &mut [i32],
) {
    let (vectors, len) = (ROW / S::BYTES, S::BYTES / 4);
    let (biases, outputs) = (&layer.biases[..ROW / 4], &mut outputs[..ROW / 4]);
    let mut sums = [[set.repeat32(0); 8]; 4];
    for index in 0..vectors {
        sums[0][index] = load(&biases[index * len..]);
    }
    let inputs = inputs.as_chunks::<WORD>().0;
    let weights = layer.weights.as_chunks::<ROW>().0.as_chunks::<{ WORD / 4 }>().0;
    for (index, (inputs, weights)) in inputs.iter().zip(weights).enumerate() {
        let mut mask = nonzero_fours(set, inputs, used - WORD * index);
        let fours = inputs.as_chunks::<4>().0;
        while mask != 0 {
            for sums in &mut sums[..S::CHAINS] {
                if mask == 0 {
                    break;
                }
                let at = mask.trailing_zeros() as usize % (WORD / 4);
                mask &= mask - 1;
                let (four, row) = (set.repeat8(fours[at]), &weights[at]);
                for index in 0..vectors {
                    sums[index] = set.dot8(sums[index], four, &row[index * S::BYTES..]);
                }
            }
        }
    }
    for index in 0..vectors {
        let mut sum = sums[0][index];
        for sums in &sums[1..S::CHAINS] {
            sum = set.add32(sum, sums[index]);
        }
        store(&mut outputs[index * len..], sum);
    }
}

/// Returns a bit for each four inputs that are not all 0, among the first `used`.
#[inline(always)]
fn nonzero_fours<S: Dots>(set: S, inputs: &[u8; WORD], used: usize) -> u64 {
    let mut mask = 0;
    if used >= WORD {
        for at in 0..WORD / S::BYTES {
            mask |= set.nonzero(&inputs[at * S::BYTES..]) << (at * S::BYTES / 4);
        }
        return mask;
    }
    for at in 0..used.div_ceil(S::BYTES) {
        mask |= set.nonzero(&inputs[at * S::BYTES..]) << (at * S::BYTES / 4);
    }
    mask & (u64::MAX >> (u64::BITS as usize - used.div_ceil(4)))
}

/// Computes a layer with one output. Inputs are at most 127; the first `used` count, and there are
/// enough for the last [`WORD`].
#[inline(always)]
pub(crate) fn dense_output<S: Set>(
    set: S,
    layer: DenseView<'_>,
    inputs: &[u8],
    used: usize,
) -> i32 {
    let mut sums = set.repeat32(0);
    for at in (0..used).step_by(S::BYTES) {
        sums = set.dot8(sums, load(&inputs[at..]), &layer.weights[at..]);
    }
    set.sum32(sums).wrapping_add(layer.biases[0])
}
