//! Dense layers.

use super::plain::{load, store};
use super::set::{Dots, Set};

/// The inputs that a word has a bit for, one for four.
pub(crate) const WORD: usize = 4 * u64::BITS as usize;

/// The largest group of fours of inputs whose products are added before they are widened to 32
/// bits, where that is exact.
pub(crate) const LARGE_GROUP: usize = 8;

/// A smaller one.
pub(crate) const GROUP: usize = 4;

/// The groups of fours of inputs whose sums of products fit 16 bits, whatever the inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ExactGroups {
    /// The largest groups of neighbours that start at multiples of their size: [`LARGE_GROUP`],
    /// [`GROUP`] or 1.
    pub(crate) neighbours: usize,
    /// Those of any fours: [`GROUP`] or 1.
    pub(crate) any: usize,
}

/// A dense layer: `outputs = biases + weights · inputs`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DenseView<'a> {
    /// One for each output: either one alone, or a multiple of 8 of them.
    pub(crate) biases: &'a [i32],
    /// `[tile][input / 4][output of the tile][input % 4]`; a multiple of [`WORD`] inputs.
    pub(crate) weights: &'a [i8],
    pub(crate) exact: ExactGroups,
}

/// The inputs of a layer that are multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inputs {
    /// All: faster if most fours have a number that is not 0, because nothing is looked for.
    All,
    /// Those in fours that are not all 0.
    Nonzero,
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
    which: Inputs,
    inputs: &[u8],
    used: usize,
    outputs: &mut [i32],
) {
    let exact = layer.exact;
    match which {
        Inputs::All if !S::IS_EXACT && exact.neighbours == 1 => {
            tiles(set, layer, inputs, used, outputs, All::<1>);
        }
        Inputs::All if !S::IS_EXACT && exact.neighbours == GROUP => {
            tiles(set, layer, inputs, used, outputs, All::<GROUP>);
        }
        Inputs::All => tiles(set, layer, inputs, used, outputs, All::<LARGE_GROUP>),
        Inputs::Nonzero if !S::IS_EXACT && exact.any == 1 => {
            tiles(set, layer, inputs, used, outputs, Nonzero::<1>);
        }
        Inputs::Nonzero => tiles(set, layer, inputs, used, outputs, Nonzero::<GROUP>),
    }
}

/// Computes a layer tile by tile.
#[inline(always)]
fn tiles<S: Set>(
    set: S,
    layer: DenseView<'_>,
    inputs: &[u8],
    used: usize,
    mut outputs: &mut [i32],
    groups: impl Groups,
) {
    let inputs = &inputs[..used.next_multiple_of(WORD)];
    let DenseView { mut biases, mut weights, .. } = layer;
    while biases.len() >= 32 {
        tile::<S, 128>(set, biases, weights, inputs, used, outputs, groups);
        (biases, weights) = (&biases[32..], &weights[32 * inputs.len()..]);
        outputs = &mut outputs[32..];
    }
    if biases.len() >= 16 {
        tile::<S, 64>(set, biases, weights, inputs, used, outputs, groups);
        (biases, weights) = (&biases[16..], &weights[16 * inputs.len()..]);
        outputs = &mut outputs[16..];
    }
    if biases.len() >= 8 {
        tile::<S::Narrow, 32>(set.narrow(), biases, weights, inputs, used, outputs, groups);
    }
}

/// Computes a quarter of `ROW` outputs.
#[inline(always)]
fn tile<S: Dots, const ROW: usize>(
    set: S,
    biases: &[i32],
    weights: &[i8],
    inputs: &[u8],
    used: usize,
    outputs: &mut [i32],
    groups: impl Groups,
) {
    let (vectors, len) = (ROW / S::BYTES, S::BYTES / 4);
    let (biases, outputs) = (&biases[..ROW / 4], &mut outputs[..ROW / 4]);
    let mut sums = [set.repeat32(0); 8];
    for index in 0..vectors {
        sums[index] = load(&biases[index * len..]);
    }
    groups.add(set, weights.as_chunks::<ROW>().0, inputs, used, &mut sums);
    for index in 0..vectors {
        store(&mut outputs[index * len..], sums[index]);
    }
}

/// The order in which the products of a tile are added to its sums.
trait Groups: Copy {
    fn add<S: Dots, const ROW: usize>(
        self,
        set: S,
        rows: &[[i8; ROW]],
        inputs: &[u8],
        used: usize,
        sums: &mut [S::Longs; 8],
    );
}

/// All inputs, `N` fours at a time.
#[derive(Clone, Copy)]
struct All<const N: usize>;

/// The fours that are not 0, `N` at a time, then the rest of each word.
#[derive(Clone, Copy)]
struct Nonzero<const N: usize>;

impl<const N: usize> Groups for All<N> {
    #[inline(always)]
    fn add<S: Dots, const ROW: usize>(
        self,
        set: S,
        rows: &[[i8; ROW]],
        inputs: &[u8],
        used: usize,
        sums: &mut [S::Longs; 8],
    ) {
        let groups = inputs.as_chunks::<4>().0.as_chunks::<N>().0;
        let groups = &groups[..used.div_ceil(4 * N)];
        for (fours, rows) in groups.iter().zip(rows.as_chunks::<N>().0) {
            add_group(set, *fours, rows.each_ref(), sums);
        }
    }
}

impl<const N: usize> Groups for Nonzero<N> {
    #[inline(always)]
    fn add<S: Dots, const ROW: usize>(
        self,
        set: S,
        rows: &[[i8; ROW]],
        inputs: &[u8],
        used: usize,
        sums: &mut [S::Longs; 8],
    ) {
        let words = inputs.as_chunks::<WORD>().0;
        let rows = rows.as_chunks::<{ WORD / 4 }>().0;
        for (index, (inputs, rows)) in words.iter().zip(rows).enumerate() {
            let mut mask = nonzero_fours(set, inputs, used - WORD * index);
            let fours = inputs.as_chunks::<4>().0;
            let count = mask.count_ones() as usize;
            for _ in 0..count / N {
                let mut group = ([[0; 4]; N], [&rows[0]; N]);
                for index in 0..N {
                    let at = mask.trailing_zeros() as usize % (WORD / 4);
                    mask &= mask.wrapping_sub(1);
                    (group.0[index], group.1[index]) = (fours[at], &rows[at]);
                }
                add_group(set, group.0, group.1, sums);
            }
            while mask != 0 {
                let at = mask.trailing_zeros() as usize % (WORD / 4);
                mask &= mask - 1;
                add_group(set, [fours[at]], [&rows[at]], sums);
            }
        }
    }
}

/// Adds the products of `N` fours.
#[inline(always)]
fn add_group<S: Dots, const ROW: usize, const N: usize>(
    set: S,
    fours: [[u8; 4]; N],
    rows: [&[i8; ROW]; N],
    sums: &mut [S::Longs; 8],
) {
    let mut partial = [set.no_products(); 8];
    for (four, row) in fours.into_iter().zip(rows) {
        let inputs = set.repeat8(four);
        for index in 0..ROW / S::BYTES {
            partial[index] = set.dot8(partial[index], inputs, &row[index * S::BYTES..]);
        }
    }
    for index in 0..ROW / S::BYTES {
        sums[index] = set.widen(sums[index], partial[index]);
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
        let products = set.dot8(set.no_products(), load(&inputs[at..]), &layer.weights[at..]);
        sums = set.widen(sums, products);
    }
    set.sum32(sums).wrapping_add(layer.biases[0])
}
