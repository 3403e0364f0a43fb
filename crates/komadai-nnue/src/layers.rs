//! The layers after the first one.

use komadai_core::Position;

use crate::compact::Compact;
use crate::dense::{Dense, clip_sums};
use crate::kernels::Chosen;
use crate::progress_file::ProgressFile;
use crate::progress_model::ProgressModel;
use crate::psqt::Psqt;
use crate::scratch::{Hidden, Scratch};
use crate::stack::Stack;
use crate::stack_choice::StackChoice;

/// The layers after the first one.
#[derive(Debug, Clone)]
pub(crate) enum Layers {
    /// Two hidden layers and the output, on clipped sums.
    Classical(Box<[Dense; 3]>),
    /// Copies for classes of positions, on products of sums.
    Stacked(Stacked),
    /// The output alone, on squares of clipped sums.
    Compact(Compact),
}

/// The layers of a stacked network.
#[derive(Debug, Clone)]
pub(crate) struct Stacked {
    pub(crate) selector: Selector,
    pub(crate) stacks: Vec<Stack>,
    /// The number of outputs of the first hidden layer that the second one sees.
    pub(crate) hidden: usize,
    /// Values of the pieces beside the layers.
    pub(crate) psqt: Option<Psqt>,
}

/// The choice of a position's stack, with the data that it needs.
#[derive(Debug, Clone)]
pub(crate) enum Selector {
    /// Classes of YaneuraOu; the model is present if classes of progress are distinguished. The
    /// sums of the first layer are doubled.
    Classes(StackChoice, Option<ProgressModel>),
    /// Classes of both kings; the last stack serves for those beyond.
    KingRank9,
    /// Equal parts of the progress.
    Progress(ProgressFile),
}

impl Layers {
    /// Computes the output from the sums of the first layer, those of the side to move first.
    #[inline]
    pub(crate) fn output(
        &self,
        kernels: Chosen,
        position: &Position,
        [own, other]: [&[i16]; 2],
        scratch: &mut Scratch,
    ) -> i32 {
        let width = own.len();
        match self {
            Self::Classical(layers) => {
                let (inputs, scratch) = scratch.split(2 * width);
                kernels.clip(own, &mut inputs[..width]);
                kernels.clip(other, &mut inputs[width..]);
                classical_output(layers, kernels, inputs, scratch)
            }
            Self::Stacked(stacked) => {
                let (inputs, _) = scratch.split(width);
                if let Selector::Classes(..) = stacked.selector {
                    kernels.multiply_doubled(own, &mut inputs[..width / 2]);
                    kernels.multiply_doubled(other, &mut inputs[width / 2..]);
                } else {
                    kernels.multiply(own, &mut inputs[..width / 2]);
                    kernels.multiply(other, &mut inputs[width / 2..]);
                }
                stacked.output(kernels, position, inputs)
            }
            Self::Compact(compact) => compact.value(kernels, own, other),
        }
    }
}

fn classical_output(
    layers: &[Dense; 3],
    kernels: Chosen,
    inputs: &[u8],
    hidden: &mut Hidden,
) -> i32 {
    let [first, second, last] = layers;
    let Hidden { sums, values } = hidden;
    first.forward(kernels, inputs, &mut sums[..first.stored_outputs()]);
    let seen = second.stored_inputs();
    clip_sums(&sums[..seen], &mut values[..seen]);
    second.forward(kernels, &values[..seen], &mut sums[..second.stored_outputs()]);
    let seen = last.stored_inputs();
    clip_sums(&sums[..seen], &mut values[..seen]);
    last.forward(kernels, &values[..seen], &mut sums[..last.stored_outputs()]);
    sums[0]
}

impl Stacked {
    /// Computes the output from products of the first layer.
    #[inline]
    fn output(&self, kernels: Chosen, position: &Position, products: &[u8]) -> i32 {
        let index = self.index(position);
        let output = self.stacks[index].output(kernels, products, self.hidden);
        match &self.psqt {
            Some(psqt) => output.saturating_add(psqt.value(position, index)),
            None => output,
        }
    }

    /// Returns the number of a position's stack.
    #[inline]
    pub(crate) fn index(&self, position: &Position) -> usize {
        match &self.selector {
            Selector::Classes(choice, model) => {
                let progress = model.as_ref().map_or(0, |model| model.progress(position));
                choice.index(position, progress)
            }
            Selector::KingRank9 => StackChoice::K3K3.index(position, 0).min(self.stacks.len() - 1),
            Selector::Progress(file) => file.index(position, self.stacks.len()),
        }
    }
}
