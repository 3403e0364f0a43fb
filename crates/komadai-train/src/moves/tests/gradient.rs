//! The gradient of the loss.

use komadai_core::SplitMix64;

use super::super::fitter::Sample;

/// Returns a sample of five candidates with three of seven features each, one of them twice in one.
fn sample(random: &mut SplitMix64) -> Sample {
    let mut sample = Sample::new(2);
    for candidate in 0..5 {
        for _ in 0..3 {
            sample.add(candidate, random.below(7) as u32);
        }
    }
    sample.add(4, 6);
    sample.add(4, 6);
    sample
}

#[test]
fn the_gradient_is_that_of_finite_differences() {
    let mut random = SplitMix64::new(7);
    for _ in 0..20 {
        let sample = sample(&mut random);
        let weights: Vec<f32> = (0..7).map(|_| random.below(200) as f32 / 100.0 - 1.0).collect();
        let loss =
            |weights: &[f32]| sample.add_gradient(&sample.probabilities(weights), &mut [0.0; 7]);
        let mut gradient = [0.0; 7];
        sample.add_gradient(&sample.probabilities(&weights), &mut gradient);
        for (feature, slope) in gradient.into_iter().enumerate() {
            const STEP: f32 = 0.01;
            let moved = |by: f32| {
                let mut weights = weights.clone();
                weights[feature] += by;
                loss(&weights)
            };
            let expected = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP);
            assert!((f64::from(slope) - expected).abs() < 1e-3, "{slope} {expected}");
        }
    }
}

#[test]
fn probabilities_add_up_to_one() {
    let sample = sample(&mut SplitMix64::new(1));
    for weight in [0.0, 3.0, 1e4] {
        let probabilities = sample.probabilities(&[0.0, weight, -weight, 0.0, 1.0, 0.0, 0.0]);
        assert!((probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }
}
