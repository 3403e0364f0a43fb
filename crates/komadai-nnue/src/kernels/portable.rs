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

pub(super) fn multiply_doubled(sums: &[i16], outputs: &mut [u8]) {
    products::<254, 9>(sums, outputs);
}

pub(super) fn multiply(sums: &[i16], outputs: &mut [u8]) {
    products::<127, 7>(sums, outputs);
}

fn products<const MOST: i16, const SHIFT: u32>(sums: &[i16], outputs: &mut [u8]) {
    let (first, second) = sums.split_at(outputs.len());
    for (output, (a, b)) in outputs.iter_mut().zip(first.iter().zip(second)) {
        let product = (*a).clamp(0, MOST) as u16 * (*b).clamp(0, MOST) as u16;
        *output = (product >> SHIFT) as u8;
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
    let rows = layer.rows.chunks_exact(inputs.len());
    for ((output, row), bias) in outputs.iter_mut().zip(rows).zip(layer.biases) {
        // Products of 16 bits in pairs are what every processor with vectors can add.
        let products = row
            .iter()
            .zip(inputs)
            .map(|(weight, input)| i32::from(*weight) * i32::from(i16::from(*input)));
        *output = products.fold(*bias, i32::wrapping_add);
    }
}
