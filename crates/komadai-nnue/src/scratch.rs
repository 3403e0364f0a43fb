//! Memory of the results of one layer, kept between evaluations, so that it need not be cleared.

use crate::aligned::Aligned;
use crate::architecture::Architecture;
use crate::kernels::WORD;

/// The results of the layers of one evaluation.
#[derive(Debug, Clone)]
pub(crate) struct Scratch {
    /// A multiple of [`WORD`].
    pub(crate) inputs: Aligned<u8>,
    pub(crate) hidden: Box<Hidden>,
}

/// The results of a hidden layer: sums, and what the next layer sees of them.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(crate) struct Hidden {
    pub(crate) sums: [i32; Architecture::MAX_HIDDEN],
    pub(crate) values: [u8; Architecture::MAX_HIDDEN],
}

impl Scratch {
    pub(crate) fn new(width: usize) -> Self {
        let sums = [0; Architecture::MAX_HIDDEN];
        let values = [0; Architecture::MAX_HIDDEN];
        let inputs = Aligned::zeroed((2 * width).next_multiple_of(WORD));
        Self { inputs, hidden: Box::new(Hidden { sums, values }) }
    }
}
