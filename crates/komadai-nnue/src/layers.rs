//! The layers after the first one.

use komadai_core::Position;

use crate::compact::{Compact, CompactOutput};
use crate::dense::Dense;
use crate::kernels::{Chosen, Inputs, Kernel, Set, clip, clip_sums};
use crate::progress_file::ProgressFile;
use crate::progress_model::ProgressModel;
use crate::psqt::Psqt;
use crate::scratch::{Hidden, Scratch};
use crate::stack::{Stack, StackOutput};
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
        sums: [&[i16]; 2],
        scratch: &mut Scratch,
    ) -> i32 {
        match self {
            Self::Classical(layers) => kernels.run(Classical { layers, sums, scratch }),
            Self::Stacked(stacked) => {
                let index = stacked.index(position);
                let is_doubled = matches!(stacked.selector, Selector::Classes(..));
                let (stack, hidden) = (&stacked.stacks[index], stacked.hidden);
                let output = kernels.run(StackOutput { stack, hidden, is_doubled, sums, scratch });
                match &stacked.psqt {
                    Some(psqt) => output.saturating_add(psqt.value(position, index)),
                    None => output,
                }
            }
            Self::Compact(compact) => kernels.run(CompactOutput { compact, sums }),
        }
    }
}

/// The output of classical layers.
struct Classical<'a> {
    layers: &'a [Dense; 3],
    sums: [&'a [i16]; 2],
    scratch: &'a mut Scratch,
}

impl Kernel for Classical<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Set>(self, set: S) -> i32 {
        let ([first, second, last], Scratch { inputs, hidden }) = (self.layers, self.scratch);
        let Hidden { sums, values } = &mut **hidden;
        let [own, other] = self.sums;
        let (own_inputs, other_inputs) = inputs.split_at_mut(own.len());
        clip(set, own, own_inputs);
        clip(set, other, other_inputs);
        first.forward(set, Inputs::All, inputs, sums);
        clip_sums(set, sums, values, first.outputs());
        second.forward(set, Inputs::All, values, sums);
        clip_sums(set, sums, values, second.outputs());
        last.output(set, values)
    }
}

impl Stacked {
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
