//! The arguments of kernels.

/// Rows of a table of weights: the start of each row that is subtracted or added.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) removed: &'a [usize],
    pub(crate) added: &'a [usize],
}

/// A dense layer: `outputs = biases + weights · inputs`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DenseView<'a> {
    /// One for each output, a multiple of 8 of them.
    pub(crate) biases: &'a [i32],
    /// `[input / 4][output][input % 4]`.
    pub(crate) weights: &'a [i8],
    /// The same weights as `[output][input]`, for plain code.
    pub(crate) rows: &'a [i16],
}
