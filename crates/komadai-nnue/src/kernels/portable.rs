//! Plain versions: the reference for all others.

use super::{DenseView, Rows};

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

pub(super) fn dense(layer: DenseView<'_>, inputs: &[u8], outputs: &mut [i32]) {
    outputs.copy_from_slice(layer.biases);
    let blocks = layer.weights.chunks_exact(4 * outputs.len());
    for (inputs, block) in inputs.as_chunks::<4>().0.iter().zip(blocks) {
        let inputs = inputs.map(i16::from);
        for (output, weights) in outputs.iter_mut().zip(block.as_chunks::<4>().0) {
            // Products of two pairs fit 16 bits each: 2 · 127 · 128 < 32,768.
            let [a, b, c, d] = weights.map(i16::from);
            let first = inputs[0] * a + inputs[1] * b;
            let second = inputs[2] * c + inputs[3] * d;
            *output = output.wrapping_add(i32::from(first) + i32::from(second));
        }
    }
}
