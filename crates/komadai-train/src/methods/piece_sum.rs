//! Piece values that are learned while their sum is kept.

use komadai_nnue::linear::LinearModel;

/// Steps of the piece values of a model that keep their sum.
///
/// Differences of values say which move is better, whatever their scale: if all values double, a
/// method that only compares moves has a smaller loss, and has learned nothing. The constraint on the
/// sum of the piece values sets the scale, as in the Bonanza method.
///
/// The gradient is projected onto the values with the same sum: its mean is subtracted. One rate for
/// all values falls with the sum of its squares. With a rate for each value, as Adagrad has it, kinds
/// that seldom occur would move most to make up for the others.
#[derive(Debug, Clone)]
pub(crate) struct PieceSum {
    /// The sum that is kept, in centipawns.
    sum: f64,
    /// The sum of the mean squares of the projected gradients.
    squares: f64,
    /// The root mean square of the first step in centipawns.
    rate: f32,
}

impl PieceSum {
    /// Keeps the sum of the values that the model has; there may be none.
    pub(crate) fn of(model: &LinearModel, rate: f32) -> Self {
        let values = &model.weights()[model.groups().piece_values()];
        Self { sum: sum(values), squares: 0.0, rate }
    }

    /// Takes a step against this gradient of the values.
    pub(crate) fn step(&mut self, values: &mut [f32], gradient: &[f64]) {
        let count = gradient.len() as f64;
        let mean = gradient.iter().sum::<f64>() / count;
        let square = gradient.iter().map(|slope| (slope - mean).powi(2)).sum::<f64>() / count;
        self.squares += square;
        if square > 0.0 {
            let rate = f64::from(self.rate) / self.squares.sqrt();
            // Rounding is mended by the next step, so that it does not add up.
            let excess = (sum(values) - self.sum) / count;
            for (value, slope) in values.iter_mut().zip(gradient) {
                *value -= (rate * (slope - mean) + excess) as f32;
            }
        }
    }
}

fn sum(values: &[f32]) -> f64 {
    values.iter().map(|value| f64::from(*value)).sum()
}

#[cfg(test)]
mod tests {
    use komadai_core::SplitMix64;
    use komadai_nnue::linear::FeatureGroups;

    use super::*;

    /// Takes steps down the loss `Σ curvature · (value − aim)²` from zero; the gradients have noise.
    fn descend(aims: &[f64; 13], curvatures: &[f64; 13], noise: f64) -> Vec<f32> {
        let mut model = LinearModel::new(FeatureGroups::V | FeatureGroups::P);
        let mut kept = PieceSum::of(&model, 20.0);
        let mut random = SplitMix64::new(7);
        let range = model.groups().piece_values();
        for _ in 0..4_000 {
            let values = &mut model.weights_mut()[range.clone()];
            let gradient: Vec<f64> = (0..13)
                .map(|at| {
                    let chance = random.below(2_001) as f64 / 1_000.0 - 1.0;
                    2.0 * curvatures[at] * (f64::from(values[at]) - aims[at]) + noise * chance
                })
                .collect();
            kept.step(values, &gradient);
            assert!(sum(values).abs() < 1e-3, "{}", sum(values));
        }
        model.weights()[range].to_vec()
    }

    #[test]
    fn the_least_loss_with_the_same_sum_is_found() {
        let aims: [f64; 13] = core::array::from_fn(|at| 10.0 * at as f64);
        let curvatures = core::array::from_fn(|at| 0.5 + at as f64 / 8.0);
        // The solution by the multiplier: value = aim − multiplier / curvature.
        let inverse: f64 = curvatures.iter().map(|curvature: &f64| 1.0 / curvature).sum();
        let multiplier = aims.iter().sum::<f64>() / inverse;
        for (noise, tolerance) in [(0.0, 0.5), (40.0, 3.0)] {
            let found = descend(&aims, &curvatures, noise);
            for (at, found) in found.iter().enumerate() {
                let expected = aims[at] - multiplier / curvatures[at];
                assert!(
                    (f64::from(*found) - expected).abs() < tolerance,
                    "{at} {found} {expected}"
                );
            }
        }
    }

    #[test]
    fn a_gradient_that_is_the_same_for_all_changes_nothing() {
        let mut values = [0.0; 13];
        let mut kept = PieceSum::of(&LinearModel::new(FeatureGroups::V), 20.0);
        kept.step(&mut values, &[3.0; 13]);
        assert_eq!(values, [0.0; 13]);
        kept.step(&mut values, &core::array::from_fn::<f64, 13, _>(|at| f64::from(at == 4)));
        assert!(values[4] < -10.0 && values[5] > 0.0, "{values:?}");
    }
}
