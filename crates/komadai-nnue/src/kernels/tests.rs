use proptest::prelude::*;

use super::*;

/// A function of two numbers that looks random.
fn mixed(seed: u64, index: usize) -> u64 {
    komadai_core::SplitMix64::new(seed ^ (index as u64) << 20).next_u64()
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
        let rows = Rows { removed: &removed, added: &added };
        let mut expected = vec![0; width];
        portable::accumulate(&mut expected, &from, &weights, rows);
        for kernels in Kernels::available() {
            let mut found = vec![0; width];
            Chosen::new(kernels).accumulate(&mut found, &from, &weights, rows);
            prop_assert_eq!(&found, &expected, "{}", kernels);
        }
    }

    #[test]
    fn every_set_clips_alike(width in (1_usize..=64).prop_map(|n| 32 * n), seed: u64) {
        // Small numbers and the whole range in turn.
        let sums: Vec<i16> =
            (0..width).map(|i| mixed(seed, i) as i16 >> (8 * (i % 2))).collect();
        let mut expected = vec![0; width];
        portable::clip(&sums, &mut expected);
        for kernels in Kernels::available() {
            let mut found = vec![0; width];
            Chosen::new(kernels).clip(&sums, &mut found);
            prop_assert_eq!(&found, &expected, "{}", kernels);
        }
    }

    #[test]
    fn every_set_multiplies_alike(width in (1_usize..=64).prop_map(|n| 64 * n), seed: u64) {
        let sums: Vec<i16> =
            (0..width).map(|i| mixed(seed, i) as i16 >> (7 * (i % 2))).collect();
        let (mut expected, mut plain) = (vec![0; width / 2], vec![0; width / 2]);
        portable::multiply_doubled(&sums, &mut expected);
        portable::multiply(&sums, &mut plain);
        for kernels in Kernels::available() {
            let mut found = vec![0; width / 2];
            Chosen::new(kernels).multiply_doubled(&sums, &mut found);
            prop_assert_eq!(&found, &expected, "{}", kernels);
            Chosen::new(kernels).multiply(&sums, &mut found);
            prop_assert_eq!(&found, &plain, "{}", kernels);
        }
    }

    #[test]
    fn every_set_sums_squares_alike(
        width in (1_usize..=8).prop_map(|n| 32 * n),
        extreme in 0..3,
        seed: u64,
    ) {
        let sums: Vec<i16> =
            (0..width).map(|i| mixed(seed, i) as i16 >> (6 * (i % 2))).collect();
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
        for kernels in Kernels::available() {
            let found = Chosen::new(kernels).square_dot(&sums, &weights);
            prop_assert_eq!(i64::from(found), expected, "{}", kernels);
        }
    }

    #[test]
    fn every_set_computes_dense_layers_alike(
        inputs in (1_usize..=40).prop_map(|n| 4 * n),
        outputs in (1_usize..=16).prop_map(|n| 8 * n),
        extreme: bool,
        seed: u64,
    ) {
        let values: Vec<u8> =
            (0..inputs).map(|i| if extreme { 127 } else { mixed(seed, i) as u8 % 128 }).collect();
        let weights: Vec<i8> = (0..inputs * outputs)
            .map(|i| if extreme { i8::MIN } else { mixed(!seed, i) as i8 })
            .collect();
        let biases: Vec<i32> = (0..outputs).map(|i| mixed(seed ^ 7, i) as i32).collect();
        let rows: Vec<i16> = (0..outputs)
            .flat_map(|output| {
                let weights = &weights;
                (0..inputs).map(move |input| {
                    weights[4 * (input / 4 * outputs + output) + input % 4].into()
                })
            })
            .collect();
        let layer = DenseView { biases: &biases, weights: &weights, rows: &rows };
        // The definition, without regard to overflow of partial sums.
        let expected: Vec<i32> = (0..outputs)
            .map(|output| {
                (0..inputs).fold(biases[output], |sum, input| {
                    let weight = weights[4 * (input / 4 * outputs + output) + input % 4];
                    sum.wrapping_add(i32::from(values[input]) * i32::from(weight))
                })
            })
            .collect();
        for kernels in Kernels::available() {
            let mut found = vec![0; outputs];
            Chosen::new(kernels).dense(layer, &values, &mut found);
            prop_assert_eq!(&found, &expected, "{}", kernels);
        }
    }
}
