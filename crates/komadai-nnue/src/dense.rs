//! Dense layers.

use crate::aligned::Aligned;
use crate::architecture::padded;
use crate::kernels::{
    DenseView, ExactGroups, GROUP, Inputs, LARGE_GROUP, Set, WORD, dense, dense_output, tile_len,
};

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
    exact: ExactGroups,
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
            exact: ExactGroups { neighbours: LARGE_GROUP, any: GROUP },
        };
        layer.biases[..outputs].copy_from_slice(biases);
        for (output, row) in rows.chunks_exact(padded(inputs)).enumerate() {
            let start = layer.start(output);
            for (input, weight) in row[..inputs].iter().enumerate() {
                layer.weights[start.of(input)] = *weight;
            }
            layer.exact = layer.exact.and(exact_groups(&row[..inputs]));
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

    /// The number of outputs.
    #[inline(always)]
    pub(crate) fn outputs(&self) -> usize {
        self.outputs
    }

    /// Computes more outputs than one. There are inputs for the last [`WORD`], and at least as many
    /// outputs as biases in memory.
    #[inline(always)]
    pub(crate) fn forward<S: Set>(
        &self,
        set: S,
        which: Inputs,
        inputs: &[u8],
        outputs: &mut [i32],
    ) {
        dense(set, self.view(), which, inputs, self.inputs, &mut outputs[..self.biases.len()]);
    }

    /// Computes the only output. There are inputs for the last [`WORD`].
    #[inline(always)]
    pub(crate) fn output<S: Set>(&self, set: S, inputs: &[u8]) -> i32 {
        dense_output(set, self.view(), inputs, self.inputs)
    }

    #[inline(always)]
    fn view(&self) -> DenseView<'_> {
        DenseView { biases: &self.biases, weights: &self.weights, exact: self.exact }
    }
}

/// Finds the groups of fours of inputs for which an output's sums of products fit 16 bits, for any
/// inputs from 0 to 127.
///
/// Products of two neighbours are added first, so that a four has two sums. Each is added to those
/// at its place in the other fours.
fn exact_groups(row: &[i8]) -> ExactGroups {
    const MOST: i32 = i16::MAX as i32 / 127;
    // `[first or second pair of a four][negative or positive weights]`: the sizes of sums.
    let mut sizes = [[(); 2]; 2].map(|signs| signs.map(|()| Vec::new()));
    for four in row.chunks(4) {
        for (pair, sizes) in four.chunks(2).zip(&mut sizes) {
            for (sizes, sign) in sizes.iter_mut().zip([-1, 1]) {
                let size = |weight: &i8| (sign * i32::from(*weight)).max(0);
                sizes.push(pair.iter().map(size).sum::<i32>());
            }
        }
    }
    let sizes = sizes.as_flattened_mut();
    let fits = |group: &[i32]| group.iter().sum::<i32>() <= MOST;
    let are_exact = |len: &usize| sizes.iter().all(|sizes| sizes.chunks(*len).all(fits));
    let neighbours = [LARGE_GROUP, GROUP].into_iter().find(are_exact).unwrap_or(1);
    let any = sizes.iter_mut().all(|sizes| {
        let len = sizes.len().min(GROUP);
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        fits(&sizes[..len])
    });
    ExactGroups { neighbours, any: if any { GROUP } else { 1 } }
}

impl ExactGroups {
    /// Returns the groups that are exact for both.
    fn and(self, other: Self) -> Self {
        Self { neighbours: self.neighbours.min(other.neighbours), any: self.any.min(other.any) }
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
    fn groups_are_exact_if_no_inputs_overflow_16_bits() {
        let row = |weights: &[(usize, i8)]| {
            let mut row = vec![0; 64];
            weights.iter().for_each(|(at, weight)| row[*at] = *weight);
            exact_groups(&row)
        };
        let groups = |neighbours, any| ExactGroups { neighbours, any };
        let of_pairs = |fours: usize, weight: i8| {
            let pairs = (0..fours).flat_map(|four| [4 * four, 4 * four + 1]);
            row(&pairs.map(|at| (at, weight)).collect::<Vec<_>>())
        };
        assert_eq!(of_pairs(8, 16), groups(LARGE_GROUP, GROUP));
        assert_eq!(of_pairs(8, -16), groups(LARGE_GROUP, GROUP));
        assert_eq!(of_pairs(8, 17), groups(GROUP, GROUP));
        assert_eq!(of_pairs(8, -17), groups(GROUP, GROUP));
        assert_eq!(of_pairs(4, 32), groups(LARGE_GROUP, GROUP));
        assert_eq!(of_pairs(4, -33), groups(1, 1));
        // The other pairs of the same fours have sums of their own.
        let both = (0..16).map(|at| (at, if at % 4 < 2 { 32 } else { -32 })).collect::<Vec<_>>();
        assert_eq!(row(&both), groups(LARGE_GROUP, GROUP));
        // Two that fit only if they do not meet.
        let two = |second: usize, weight: i8| {
            row(&[(0, 127), (1, 127), (second, weight), (second + 1, weight)])
        };
        assert_eq!(two(32, 127), groups(LARGE_GROUP, 1));
        assert_eq!(two(16, 127), groups(GROUP, 1));
        assert_eq!(two(4, 127), groups(1, 1));
        assert_eq!(two(4, -127), groups(LARGE_GROUP, GROUP));
        assert_eq!(two(18, 127), groups(LARGE_GROUP, GROUP));
    }

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
