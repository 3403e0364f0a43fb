//! Dense layers.

use crate::aligned::Aligned;
use crate::architecture::padded;
use crate::kernels::{DenseView, Set, WORD, dense, dense_output, tile_len};

/// A dense layer of bytes: `outputs = biases + weights · inputs`, in 32 bits.
#[derive(Debug, Clone)]
pub(crate) struct Dense {
    inputs: usize,
    outputs: usize,
    /// Rounded up to a multiple of 8 with zeros, if there is more than one.
    biases: Aligned<i32>,
    /// `[tile][input / 4][output of the tile][input % 4]`, with zeros for inputs that only fill a
    /// [`WORD`].
    weights: Aligned<i8>,
}

impl Dense {
    /// Arranges the parameters of a file: weights are `[output][input]`, rows padded.
    pub(crate) fn from_rows(inputs: usize, biases: &[i32], rows: &[i8]) -> Self {
        let outputs = biases.len();
        let stored = if outputs == 1 { 1 } else { outputs.next_multiple_of(8) };
        let mut layer = Self {
            inputs,
            outputs,
            biases: Aligned::zeroed(stored),
            weights: Aligned::zeroed(inputs.next_multiple_of(WORD) * stored),
        };
        layer.biases[..outputs].copy_from_slice(biases);
        for (output, row) in rows.chunks_exact(padded(inputs)).enumerate() {
            let start = layer.start(output);
            for (input, weight) in row[..inputs].iter().enumerate() {
                layer.weights[start.of(input)] = *weight;
            }
        }
        layer
    }

    /// Returns biases and rows of weights, as a file holds them.
    pub(crate) fn to_rows(&self) -> (&[i32], Vec<i8>) {
        let mut rows = vec![0; self.outputs * padded(self.inputs)];
        for (output, row) in rows.chunks_exact_mut(padded(self.inputs)).enumerate() {
            let start = self.start(output);
            for (input, weight) in row[..self.inputs].iter_mut().enumerate() {
                *weight = self.weights[start.of(input)];
            }
        }
        (&self.biases[..self.outputs], rows)
    }

    /// Finds the weights of an output.
    fn start(&self, output: usize) -> RowStart {
        let (mut before, mut tile) = (0, tile_len(self.biases.len()));
        while before + tile <= output {
            before += tile;
            tile = tile_len(self.biases.len() - before);
        }
        let first = before * self.inputs.next_multiple_of(WORD) + 4 * (output - before);
        RowStart { first, step: 4 * tile }
    }

    /// Returns the outputs among the numbers that a [`Hidden`](crate::scratch::Hidden) has place
    /// for.
    #[inline(always)]
    pub(crate) fn seen<'a>(&self, sums: &'a [i32]) -> &'a [i32] {
        &sums[..self.outputs]
    }

    /// Computes more outputs than one. There are inputs for the last [`WORD`], and at least as many
    /// outputs as biases in memory.
    #[inline(always)]
    pub(crate) fn forward<S: Set>(&self, set: S, inputs: &[u8], outputs: &mut [i32]) {
        dense(set, self.view(), inputs, self.inputs, &mut outputs[..self.biases.len()]);
    }

    /// Computes the only output. There are inputs for the last [`WORD`].
    #[inline(always)]
    pub(crate) fn output<S: Set>(&self, set: S, inputs: &[u8]) -> i32 {
        dense_output(set, self.view(), inputs, self.inputs)
    }

    #[inline(always)]
    fn view(&self) -> DenseView<'_> {
        DenseView { biases: &self.biases, weights: &self.weights }
    }
}

/// The places of an output's weights.
#[derive(Debug, Clone, Copy)]
struct RowStart {
    first: usize,
    step: usize,
}

impl RowStart {
    fn of(self, input: usize) -> usize {
        self.first + input / 4 * self.step + input % 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_file_lead_back() {
        for (inputs, outputs) in
            [(512, 32), (16, 32), (8, 96), (32, 1), (30, 64), (300, 88), (8, 7)]
        {
            let biases: Vec<i32> = (0..outputs as i32).map(|n| 1_000 - 7 * n).collect();
            let rows: Vec<i8> = (0..outputs * padded(inputs))
                .map(|at| if at % padded(inputs) < inputs { (at * 37 % 251) as i8 } else { 0 })
                .collect();
            let layer = Dense::from_rows(inputs, &biases, &rows);
            assert_eq!(layer.to_rows(), (&biases[..], rows));
        }
    }
}
