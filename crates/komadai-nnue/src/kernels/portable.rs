//! Plain versions: the reference for all others.

use super::arguments::{DenseView, Rows};

pub(super) fn accumulate(to: &mut [i16], from: &[i16], weights: &[i16], rows: Rows<'_>) {
    to.copy_from_slice(from);
    for &row in rows.removed {
        for (sum, weight) in to.iter_mut().zip(&weights[row..]) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
    for &row in rows.added {
        for (sum, weight) in to.iter_mut().zip(&weights[row..]) {
            *sum = sum.wrapping_add(*weight);
        }
    }
}

pub(super) fn clip(sums: &[i16], outputs: &mut [u8]) {
    for (output, sum) in outputs.iter_mut().zip(sums) {
        *output = (*sum).clamp(0, 127) as u8;
    }
}

pub(super) fn multiply(sums: &[i16], outputs: &mut [u8]) {
    let (first, second) = sums.split_at(outputs.len());
    for (output, (a, b)) in outputs.iter_mut().zip(first.iter().zip(second)) {
        let product = (*a).clamp(0, 254) as u16 * (*b).clamp(0, 254) as u16;
        *output = (product >> 9) as u8;
    }
}

pub(super) fn square_dot(sums: &[i16], weights: &[i16]) -> i32 {
    // The product with the weight fits 16 bits: 255 · 127 < 32,768.
    let term = |(sum, weight): (&i16, &i16)| {
        let value = (*sum).clamp(0, 255);
        i32::from(value * *weight) * i32::from(value)
    };
    sums.iter().zip(weights).map(term).fold(0, i32::wrapping_add)
}

pub(super) fn dense(layer: DenseView<'_>, inputs: &[u8], outputs: &mut [i32]) {
    let stride = outputs.len();
    for (tile, outputs) in outputs.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        // One sum for each weight of a block, in the order of memory, which compilers turn into vectors.
        let mut sums = [0_i32; 32];
        for (inputs, block) in
            inputs.as_chunks::<4>().0.iter().zip(layer.weights.chunks_exact(4 * stride))
        {
            let inputs: [i16; 32] = core::array::from_fn(|at| i16::from(inputs[at % 4]));
            let weights = &block[32 * tile..][..32];
            for ((sum, input), weight) in sums.iter_mut().zip(&inputs).zip(weights) {
                *sum = sum.wrapping_add(i32::from(input * i16::from(*weight)));
            }
        }
        let biases = &layer.biases[8 * tile..];
        for ((output, sums), bias) in outputs.iter_mut().zip(sums.as_chunks::<4>().0).zip(biases) {
            *output = sums.iter().fold(*bias, |sum, part| sum.wrapping_add(*part));
        }
    }
}
