//! The layers after the first one.

use komadai_core::Position;

use crate::architecture::Architecture;
use crate::compact::Compact;
use crate::dense::{Dense, clip_sums};
use crate::kernels::Chosen;
use crate::progress_model::ProgressModel;
use crate::stack::Stack;
use crate::stack_choice::StackChoice;

/// The layers after the first one.
#[derive(Debug, Clone)]
pub(crate) enum Layers {
    /// Two hidden layers and the output, on clipped sums.
    Classical([Dense; 3]),
    /// Copies for classes of positions, on products of sums.
    Stacked(Stacked),
    /// The output alone, on squares of clipped sums.
    Compact(Compact),
}

/// The layers of a stacked network.
#[derive(Debug, Clone)]
pub(crate) struct Stacked {
    pub(crate) choice: StackChoice,
    /// Present if classes of progress are distinguished.
    pub(crate) progress: Option<ProgressModel>,
    pub(crate) stacks: Vec<Stack>,
    /// The number of outputs of the first hidden layer that the second one sees.
    pub(crate) hidden: usize,
}

/// Memory of one layer's results, which starts at a cache line.
#[repr(align(64))]
struct Scratch<T>(T);

const MAX_INPUTS: usize = 2 * Architecture::MAX_WIDTH;

impl Layers {
    /// Computes the output from the sums of the first layer, those of the side to move first.
    #[inline]
    pub(crate) fn output(
        &self,
        kernels: Chosen,
        position: &Position,
        own: &[i16],
        other: &[i16],
    ) -> i32 {
        let width = own.len();
        let mut inputs = Scratch([0; MAX_INPUTS]);
        match self {
            Self::Classical(layers) => {
                let inputs = &mut inputs.0[..2 * width];
                kernels.clip(own, &mut inputs[..width]);
                kernels.clip(other, &mut inputs[width..]);
                classical_output(layers, kernels, inputs)
            }
            Self::Stacked(stacked) => {
                let inputs = &mut inputs.0[..width];
                kernels.multiply(own, &mut inputs[..width / 2]);
                kernels.multiply(other, &mut inputs[width / 2..]);
                stacked.stack(position).output(kernels, inputs, stacked.hidden)
            }
            Self::Compact(compact) => compact.value(kernels, position, own, other),
        }
    }
}

fn classical_output(layers: &[Dense; 3], kernels: Chosen, inputs: &[u8]) -> i32 {
    const MAX: usize = Architecture::MAX_HIDDEN;
    let [first, second, last] = layers;
    let (mut sums, mut hidden) = (Scratch([0; MAX]), Scratch([0; MAX]));
    let (sums, hidden) = (&mut sums.0, &mut hidden.0);
    first.forward(kernels, inputs, &mut sums[..first.stored_outputs()]);
    let seen = second.stored_inputs();
    clip_sums(&sums[..seen], &mut hidden[..seen]);
    second.forward(kernels, &hidden[..seen], &mut sums[..second.stored_outputs()]);
    let seen = last.stored_inputs();
    clip_sums(&sums[..seen], &mut hidden[..seen]);
    last.forward(kernels, &hidden[..seen], &mut sums[..last.stored_outputs()]);
    sums[0]
}

impl Stacked {
    /// Returns the stack of a position.
    fn stack(&self, position: &Position) -> &Stack {
        let progress = self.progress.as_ref().map_or(0, |model| model.progress(position));
        &self.stacks[self.choice.index(position, progress)]
    }
}
