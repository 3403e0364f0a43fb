use proptest::prelude::*;

use super::set::CLIPPED;
use super::*;
use crate::architecture::padded;
use crate::dense::Dense;

/// A function of two numbers that looks random.
fn mixed(seed: u64, index: usize) -> u64 {
    komadai_core::SplitMix64::new(seed ^ (index as u64) << 20).next_u64()
}

/// Small numbers and the whole range in turn.
fn sums(len: usize, shift: usize, seed: u64) -> Vec<i16> {
    (0..len).map(|i| mixed(seed, i) as i16 >> (shift * (i % 2))).collect()
}

/// The activations of the first layer, of each kind.
struct Activations<'a>(&'a [i16]);

impl Kernel for Activations<'_> {
    type Output = [Vec<u8>; 3];

    #[inline(always)]
    fn run<S: Set>(self, set: S) -> [Vec<u8>; 3] {
        let half = vec![0; self.0.len() / 2];
        let (mut clipped, mut doubled, mut plain) = (half.clone(), half.clone(), half);
        clip(set, &self.0[..clipped.len()], &mut clipped);
        products::<S, 254, 9>(set, self.0, &mut doubled);
        products::<S, 127, 7>(set, self.0, &mut plain);
        [clipped, doubled, plain]
    }
}

struct SquareDot<'a>(&'a [i16], &'a [i16]);

impl Kernel for SquareDot<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Set>(self, set: S) -> i32 {
        square_dot(set, self.0, self.1)
    }
}

/// A layer with its inputs: its outputs, and the inputs of the next layer.
struct Layer<'a>(&'a Dense, Inputs, &'a [u8], usize);

impl Kernel for Layer<'_> {
    type Output = (Vec<i32>, Vec<u8>);

    #[inline(always)]
    fn run<S: Set>(self, set: S) -> (Vec<i32>, Vec<u8>) {
        let Self(layer, which, inputs, outputs) = self;
        let stored = outputs.next_multiple_of(CLIPPED);
        let (mut sums, mut clipped) = (vec![0; stored], vec![0; stored]);
        if outputs == 1 {
            sums[0] = layer.output(set, inputs);
        } else {
            layer.forward(set, which, inputs, &mut sums);
        }
        clip_sums(set, &sums, &mut clipped, outputs);
        sums.truncate(outputs);
        clipped.truncate(outputs);
        (sums, clipped)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_set_accumulates_alike(
        width in (1_usize..=24).prop_map(|n| 32 * n),
        removed in proptest::collection::vec(0_usize..50, 0..5),
        added in proptest::collection::vec(0_usize..50, 0..5),
        seed: u64,
    ) {
        let weights: Vec<i16> = (0..50 * width).map(|i| mixed(seed, i) as i16).collect();
        let from: Vec<i16> = (0..width).map(|i| mixed(!seed, i) as i16).collect();
        let starts = |rows: Vec<usize>| rows.into_iter().map(|row| row * width).collect::<Vec<_>>();
        let (removed, added) = (starts(removed), starts(added));
        let expected: Vec<i16> = (0..width)
            .map(|i| {
                let add = |sum: i16, row: &usize| sum.wrapping_add(weights[row + i]);
                let sub = |sum: i16, row: &usize| sum.wrapping_sub(weights[row + i]);
                added.iter().fold(removed.iter().fold(from[i], sub), add)
            })
            .collect();
        for set in Chosen::available() {
            let mut found = vec![0; width];
            let rows = Rows { removed: &removed, added: &added };
            set.run(Accumulate { to: &mut found, from: &from, weights: &weights, rows });
            prop_assert_eq!(&found, &expected, "{}", set.kernels());
        }
    }

    #[test]
    fn every_set_clips_and_multiplies_alike(
        width in (1_usize..=64).prop_map(|n| 32 * n),
        shift in 7_usize..=8,
        seed: u64,
    ) {
        let sums = sums(2 * width, shift, seed);
        let clipped = |sum: i16, most: i16| sum.clamp(0, most) as u16;
        let products = |most: i16, divisor: u16| -> Vec<u8> {
            let (a, b) = sums.split_at(width);
            a.iter().zip(b).map(|(a, b)| (clipped(*a, most) * clipped(*b, most) / divisor) as u8).collect()
        };
        let first = sums[..width].iter().map(|sum| clipped(*sum, 127) as u8).collect();
        let expected = [first, products(254, 512), products(127, 128)];
        for set in Chosen::available() {
            prop_assert_eq!(&set.run(Activations(&sums)), &expected, "{}", set.kernels());
        }
    }

    #[test]
    fn every_set_sums_squares_alike(
        width in (1_usize..=8).prop_map(|n| 32 * n),
        extreme in 0..3,
        seed: u64,
    ) {
        let sums = sums(width, 6, seed);
        let weight = |i| match extreme {
            0 => mixed(!seed, i) as i8 as i16,
            1 => 127,
            _ => -127,
        };
        // Half of the weights of a class that is as large as it may be.
        let weights: Vec<i16> = (0..width).map(weight).map(|w| w.max(-127)).collect();
        let expected: i64 = sums
            .iter()
            .zip(&weights)
            .map(|(sum, weight)| i64::from((*sum).clamp(0, 255)).pow(2) * i64::from(*weight))
            .sum();
        for set in Chosen::available() {
            let found = set.run(SquareDot(&sums, &weights));
            prop_assert_eq!(i64::from(found), expected, "{}", set.kernels());
        }
    }

    #[test]
    fn every_set_computes_dense_layers_alike(
        inputs in 1_usize..=600,
        outputs in prop_oneof![Just(1_usize), 2_usize..=100],
        extreme: bool,
        // Up to 32, the sums of groups of four fours fit 16 bits, up to 16 those of eight.
        most in prop_oneof![Just(128_i32), Just(33), Just(32), Just(17), Just(16)],
        is_negative: bool,
        zeros in 0_u64..=4,
        seed: u64,
    ) {
        let row_len = padded(inputs);
        let rows: Vec<i8> = (0..row_len * outputs)
            .map(|i| {
                let sign = if is_negative { -1 } else { 1 };
                let random = (mixed(!seed, i) % (2 * most as u64)) as i32 - most;
                let weight = if extreme { sign * most } else { random };
                weight.clamp(-128, 127) as i8
            })
            .collect();
        let biases: Vec<i32> = (0..outputs).map(|i| mixed(seed ^ 7, i) as i32).collect();
        let layer = Dense::from_rows(inputs, &biases, &rows);
        // The numbers after the inputs do not count. Of the fours of inputs, some are zero.
        let values: Vec<u8> = (0..inputs.next_multiple_of(WORD))
            .map(|i| match mixed(!seed, i / 4) % 5 {
                four if four < zeros => 0,
                _ if extreme => 127,
                _ => mixed(seed, i) as u8 % 128,
            })
            .collect();
        // The definition, without regard to overflow of partial sums.
        let expected: Vec<i32> = rows
            .chunks_exact(row_len)
            .zip(&biases)
            .map(|(row, bias)| {
                row[..inputs].iter().zip(&values).fold(*bias, |sum, (weight, value)| {
                    sum.wrapping_add(i32::from(*value) * i32::from(*weight))
                })
            })
            .collect();
        let clipped = expected.iter().map(|sum| (sum >> 6).clamp(0, 127) as u8).collect();
        let expected = (expected, clipped);
        for set in Chosen::available() {
            for which in [Inputs::All, Inputs::Nonzero] {
                let found = set.run(Layer(&layer, which, &values, outputs));
                prop_assert_eq!(&found, &expected, "{} {:?}", set.kernels(), which);
            }
        }
    }
}
