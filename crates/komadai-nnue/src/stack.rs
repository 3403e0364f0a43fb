//! The layers of stacked networks (SFNN).

use crate::aligned::Aligned;
use crate::architecture::{Architecture, padded};
use crate::dense::Dense;
use crate::kernels::{Inputs, Kernel, Set, clip_sums, products};
use crate::scratch::{Hidden, Scratch};

/// The hidden layers and the output of one class of positions.
#[derive(Debug, Clone)]
pub(crate) struct Stack {
    pub(crate) layers: [Dense; 3],
}

/// Arranges the parameters of the first hidden layer of a stack: weights are `[output][input]`, as a
/// file has them.
///
/// The inputs are two halves, one for each view, which take more place in memory than in the file if
/// their width is not what vector instructions take.
pub(crate) fn first_hidden_layer(
    architecture: Architecture,
    biases: &[i32],
    mut rows: Vec<i8>,
) -> Dense {
    let (width, stored) = (architecture.width(), architecture.stored_width());
    let row_len = padded(width);
    if let Some(shards) = architecture.shards() {
        shards.mask(&mut rows, row_len);
    }
    if stored == width {
        return Dense::from_rows(width, biases, &rows);
    }
    let mut wide = vec![0; biases.len() * stored];
    for (to, from) in wide.chunks_exact_mut(stored).zip(rows.chunks_exact(row_len)) {
        to[..width / 2].copy_from_slice(&from[..width / 2]);
        to[stored / 2..][..width / 2].copy_from_slice(&from[width / 2..width]);
    }
    Dense::from_rows(stored, biases, &wide)
}

/// Returns biases and rows of weights of the first hidden layer of a stack, as a file holds them.
pub(crate) fn first_hidden_rows(architecture: Architecture, layer: &Dense) -> (&[i32], Vec<i8>) {
    let (width, stored) = (architecture.width(), architecture.stored_width());
    let (biases, rows) = layer.to_rows();
    if stored == width {
        return (biases, rows);
    }
    let row_len = padded(width);
    let mut narrow = vec![0; biases.len() * row_len];
    for (to, from) in narrow.chunks_exact_mut(row_len).zip(rows.chunks_exact(stored)) {
        to[..width / 2].copy_from_slice(&from[..width / 2]);
        to[width / 2..width].copy_from_slice(&from[stored / 2..][..width / 2]);
    }
    (biases, narrow)
}

/// Moves the numbers of the first layer of a stacked network, `width` in a row, to where their two
/// halves stand in memory.
pub(crate) fn spread(architecture: Architecture, numbers: Aligned<i16>) -> Aligned<i16> {
    let (width, stored) = (architecture.width(), architecture.stored_width());
    if stored == width {
        return numbers;
    }
    let mut wide = Aligned::zeroed(numbers.len() / width * stored);
    for (to, from) in wide.chunks_exact_mut(stored).zip(numbers.chunks_exact(width)) {
        to[..width / 2].copy_from_slice(&from[..width / 2]);
        to[stored / 2..][..width / 2].copy_from_slice(&from[width / 2..]);
    }
    wide
}

/// Returns the numbers of the first layer as a file holds them.
pub(crate) fn gather(architecture: Architecture, numbers: &[i16]) -> Vec<i16> {
    let (width, stored) = (architecture.width(), architecture.stored_width());
    let mut narrow = vec![0; numbers.len() / stored * width];
    for (to, from) in narrow.chunks_exact_mut(width).zip(numbers.chunks_exact(stored)) {
        to[..width / 2].copy_from_slice(&from[..width / 2]);
        to[width / 2..].copy_from_slice(&from[stored / 2..][..width / 2]);
    }
    narrow
}

/// The output of a stack.
pub(crate) struct StackOutput<'a> {
    pub(crate) stack: &'a Stack,
    /// The number of outputs of the first hidden layer that the second one sees; one more, if there
    /// is one, is added to the output.
    pub(crate) hidden: usize,
    /// True if the sums are doubled.
    pub(crate) is_doubled: bool,
    /// The sums of the first layer, those of the side to move first.
    pub(crate) sums: [&'a [i16]; 2],
    pub(crate) scratch: &'a mut Scratch,
}

impl Kernel for StackOutput<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Set>(self, set: S) -> i32 {
        let ([first, second, last], hidden) = (&self.stack.layers, self.hidden);
        let Scratch { inputs, hidden: scratch } = self.scratch;
        let Hidden { sums, values } = &mut **scratch;
        let views = inputs.chunks_exact_mut(self.sums[0].len() / 2);
        for (sums, inputs) in self.sums.into_iter().zip(views) {
            if self.is_doubled {
                products::<S, 254, 9>(set, sums, inputs);
            } else {
                products::<S, 127, 7>(set, sums, inputs);
            }
        }
        first.forward(set, Inputs::Nonzero, inputs, sums);
        let shortcut = if hidden % 8 == 7 { sums[hidden] } else { 0 };
        let (squares, clipped) = values.split_at_mut(hidden);
        for (square, sum) in squares.iter_mut().zip(&*sums) {
            *square = ((i64::from(*sum) * i64::from(*sum)) >> 19).min(127) as u8;
        }
        clip_sums(set, sums, clipped, hidden);
        second.forward(set, Inputs::All, values, sums);
        clip_sums(set, sums, values, second.outputs());
        last.output(set, values).wrapping_add(shortcut)
    }
}
