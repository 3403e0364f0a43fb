//! Weights that made the choices are found again.

use komadai_core::SplitMix64;

use super::super::fitter::{Adam, Sample};

const FEATURES: usize = 6;
const PLANTED: [f32; FEATURES] = [1.5, -1.0, 0.5, 0.0, -0.25, 1.0];

/// Returns a choice among eight candidates, each with two features, at random by the planted
/// weights.
fn choice(random: &mut SplitMix64) -> Sample {
    let features: Vec<[u32; 2]> =
        (0..8).map(|_| [0; 2].map(|_| random.below(FEATURES as u64) as u32)).collect();
    let of = |chosen: usize| {
        let mut sample = Sample::new(chosen);
        for (candidate, features) in features.iter().enumerate() {
            features.iter().for_each(|&feature| sample.add(candidate, feature));
        }
        sample
    };
    let mut left = random.below(1 << 24) as f32 / (1 << 24) as f32;
    let probabilities = of(0).probabilities(&PLANTED);
    let chosen = probabilities.iter().position(|probability| {
        left -= probability;
        left < 0.0
    });
    of(chosen.unwrap_or(0))
}

#[test]
fn planted_weights_are_found() {
    let mut random = SplitMix64::new(11);
    let choices: Vec<Sample> = (0..20_000).map(|_| choice(&mut random)).collect();
    let mut adam = Adam::new(FEATURES);
    for pass in 0..6 {
        for batch in choices.chunks(200) {
            adam.gradient.fill(0.0);
            for sample in batch {
                let probabilities = sample.probabilities(&adam.weights);
                sample.add_gradient(&probabilities, &mut adam.gradient);
            }
            adam.step(batch.len(), 0.02 * (1.0 - pass as f32 / 6.0), 0.0);
        }
    }
    // Each candidate has two features, so that only the differences of weights count.
    let mean = |weights: &[f32]| weights.iter().sum::<f32>() / FEATURES as f32;
    for (weight, planted) in adam.weights.iter().zip(PLANTED) {
        let found = weight - mean(&adam.weights);
        let expected = planted - mean(&PLANTED);
        assert!((found - expected).abs() < 0.06, "{found} {expected}");
    }
}
