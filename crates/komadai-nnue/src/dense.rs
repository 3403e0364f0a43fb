//! Dense layers.

use crate::aligned::Aligned;
use crate::architecture::padded;
use crate::kernels::{Chosen, DenseView};

/// A dense layer of bytes: `outputs = biases + weights · inputs`, in 32 bits.
#[derive(Debug, Clone)]
pub(crate) struct Dense {
    inputs: usize,
    outputs: usize,
    /// Rounded up to a multiple of 8 with zeros.
    biases: Aligned<i32>,
    /// `[input / 4][output][input % 4]`.
    weights: Aligned<i8>,
    /// The same weights as `[output][input]`.
    rows: Aligned<i16>,
}

impl Dense {
    /// Arranges the parameters of a file: weights are `[output][input]`, rows padded.
    pub(crate) fn from_rows(inputs: usize, biases: &[i32], rows: &[i8]) -> Self {
        let outputs = biases.len();
        let stored = outputs.next_multiple_of(8);
        let width = inputs.next_multiple_of(4);
        let row_len = padded(inputs);
        let mut layer = Self {
            inputs,
            outputs,
            biases: Aligned::zeroed(stored),
            weights: Aligned::zeroed(width * stored),
            rows: Aligned::zeroed(width * stored),
        };
        layer.biases[..outputs].copy_from_slice(biases);
        for (output, row) in rows.chunks_exact(row_len).enumerate() {
            for (input, weight) in row[..inputs].iter().enumerate() {
                layer.weights[4 * (input / 4 * stored + output) + input % 4] = *weight;
                layer.rows[output * width + input] = i16::from(*weight);
            }
        }
        layer
    }

    /// Returns biases and rows of weights, as a file holds them.
    pub(crate) fn to_rows(&self) -> (&[i32], Vec<i8>) {
        let mut rows = vec![0; self.outputs * padded(self.inputs)];
        for (output, row) in rows.chunks_exact_mut(padded(self.inputs)).enumerate() {
            for (input, weight) in row[..self.inputs].iter_mut().enumerate() {
                *weight = self.weights[4 * (input / 4 * self.biases.len() + output) + input % 4];
            }
        }
        (&self.biases[..self.outputs], rows)
    }

    /// The number of inputs in memory: a multiple of 4.
    pub(crate) fn stored_inputs(&self) -> usize {
        self.inputs.next_multiple_of(4)
    }

    /// The number of outputs in memory: a multiple of 8.
    pub(crate) fn stored_outputs(&self) -> usize {
        self.biases.len()
    }

    /// Computes the outputs. Both slices have the lengths in memory.
    #[inline]
    pub(crate) fn forward(&self, kernels: Chosen, inputs: &[u8], outputs: &mut [i32]) {
        let layer = DenseView { biases: &self.biases, weights: &self.weights, rows: &self.rows };
        kernels.dense(layer, inputs, outputs);
    }
}

/// Divides sums by 64 and clips them to 0 … 127, the inputs of the next layer.
#[inline]
pub(crate) fn clip_sums(sums: &[i32], outputs: &mut [u8]) {
    for (output, sum) in outputs.iter_mut().zip(sums) {
        *output = (sum >> 6).clamp(0, 127) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_file_lead_back() {
        for (inputs, outputs) in [(512, 32), (16, 32), (8, 96), (32, 1), (30, 64)] {
            let biases: Vec<i32> = (0..outputs as i32).map(|n| 1_000 - 7 * n).collect();
            let rows: Vec<i8> = (0..outputs * padded(inputs))
                .map(|at| if at % padded(inputs) < inputs { (at * 37 % 251) as i8 } else { 0 })
                .collect();
            let layer = Dense::from_rows(inputs, &biases, &rows);
            assert_eq!(layer.to_rows(), (&biases[..], rows));
        }
    }
}
