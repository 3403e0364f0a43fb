//! Memory of the results of one layer, kept between evaluations, so that it need not be cleared.

use crate::aligned::Aligned;
use crate::architecture::Architecture;

/// The results of the layers of one evaluation.
#[derive(Debug, Clone)]
pub(crate) struct Scratch {
    inputs: Aligned<u8>,
    hidden: Box<Hidden>,
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
        Self { inputs: Aligned::zeroed(2 * width), hidden: Box::new(Hidden { sums, values }) }
    }

    /// Returns the first inputs and the rest.
    #[inline]
    pub(crate) fn split(&mut self, inputs: usize) -> (&mut [u8], &mut Hidden) {
        (&mut self.inputs[..inputs], &mut self.hidden)
    }
}
