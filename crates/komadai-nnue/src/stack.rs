//! The layers of stacked networks (SFNN).

use crate::dense::{Dense, clip_sums};
use crate::kernels::Chosen;

/// The hidden layers and the output of one class of positions.
#[derive(Debug, Clone)]
pub(crate) struct Stack {
    pub(crate) layers: [Dense; 3],
}

/// The largest number of outputs of a hidden layer, and twice as many inputs of the second one.
const MAX: usize = 256;

impl Stack {
    /// Computes the output from products of the first layer. `hidden` is the number of outputs of
    /// the first hidden layer that the second one sees; one more, if there is one, is added to the
    /// output.
    pub(crate) fn output(&self, kernels: Chosen, products: &[u8], hidden: usize) -> i32 {
        let [first, second, last] = &self.layers;
        let mut sums = [0; MAX];
        let mut inputs = [0; MAX];
        first.forward(kernels, products, &mut sums[..first.stored_outputs()]);
        let shortcut = if hidden % 8 == 7 { sums[hidden] } else { 0 };
        let (squares, clipped) = inputs[..2 * hidden].split_at_mut(hidden);
        for (square, sum) in squares.iter_mut().zip(&sums) {
            *square = ((i64::from(*sum) * i64::from(*sum)) >> 19).min(127) as u8;
        }
        clip_sums(&sums[..hidden], clipped);
        let seen = second.stored_inputs();
        second.forward(kernels, &inputs[..seen], &mut sums[..second.stored_outputs()]);
        let seen = last.stored_inputs();
        clip_sums(&sums[..seen], &mut inputs[..seen]);
        last.forward(kernels, &inputs[..seen], &mut sums[..last.stored_outputs()]);
        sums[0].wrapping_add(shortcut)
    }
}
