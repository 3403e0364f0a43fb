//! Logistic regression and its quality measures.

use core::fmt;

use komadai::eval::ThreatmateFeatures;

use crate::fit_threatmate::samples::Sample;

const COUNT: usize = ThreatmateFeatures::COUNT;
pub(crate) type Coefficients = [f64; COUNT];

/// Ridge penalty: small, but positive, so that a feature that never occurs does not make the system
/// singular.
const RIDGE: f64 = 1e-3;
/// Number of steps of Newton's method, which doubles the number of correct digits with each step.
const STEPS: usize = 25;

/// Computes the maximum-likelihood coefficients by Newton's method.
pub(crate) fn fit(samples: &[Sample]) -> Coefficients {
    let mut coefficients = [0.0; COUNT];
    for _ in 0..STEPS {
        let mut gradient = coefficients.map(|c| -RIDGE * c);
        let mut curvature = [[0.0; COUNT]; COUNT];
        for (i, row) in curvature.iter_mut().enumerate() {
            row[i] = RIDGE;
        }
        for sample in samples {
            let x = sample.features.map(f64::from);
            let p = 1.0 / (1.0 + (-log_odds(sample, &coefficients)).exp());
            let error = f64::from(u8::from(sample.is_threatmate)) - p;
            for i in 0..COUNT {
                gradient[i] += error * x[i];
                for j in 0..COUNT {
                    curvature[i][j] += p * (1.0 - p) * x[i] * x[j];
                }
            }
        }
        let step = solve(curvature, gradient);
        for (c, step) in coefficients.iter_mut().zip(step) {
            *c += step;
        }
    }
    coefficients
}

/// Solves a positive definite system of linear equations by Gaussian elimination, without pivoting.
fn solve(mut matrix: [[f64; COUNT]; COUNT], mut right: Coefficients) -> Coefficients {
    for i in 0..COUNT {
        let pivot = matrix[i];
        for j in i + 1..COUNT {
            let factor = matrix[j][i] / pivot[i];
            for (entry, pivot) in matrix[j].iter_mut().zip(pivot) {
                *entry -= factor * pivot;
            }
            right[j] -= factor * right[i];
        }
    }
    for i in (0..COUNT).rev() {
        let known: f64 = (i + 1..COUNT).map(|j| matrix[i][j] * right[j]).sum();
        right[i] = (right[i] - known) / matrix[i][i];
    }
    right
}

fn log_odds(sample: &Sample, coefficients: &Coefficients) -> f64 {
    sample.features.iter().zip(coefficients).map(|(&x, c)| f64::from(x) * c).sum()
}

/// The confusion matrix of the predictor.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// `[actual][predicted]`.
    counts: [[u32; 2]; 2],
}

impl Counts {
    pub(crate) fn of(samples: &[Sample], coefficients: &Coefficients) -> Self {
        let mut all = Self::default();
        for sample in samples {
            let predicted = log_odds(sample, coefficients) > 0.0;
            all.counts[usize::from(sample.is_threatmate)][usize::from(predicted)] += 1;
        }
        all
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [[correct_no, false_yes], [missed, correct_yes]] =
            self.counts.map(|c| c.map(f64::from));
        let (no, yes) = (correct_no + false_yes, correct_yes + missed);
        write!(f, "{yes} threatmates, {no} others, ")?;
        write!(f, "accuracy {:.4}, ", (correct_no + correct_yes) / (no + yes))?;
        write!(f, "TPR {:.4}, TNR {:.4}, ", correct_yes / yes, correct_no / no)?;
        write!(f, "precision {:.4}", correct_yes / (correct_yes + false_yes))
    }
}

/// Computes the area under the ROC curve: the probability that a threatmate has higher odds than
/// another move. Equal odds count half.
pub(crate) fn area_under_curve(samples: &[Sample], coefficients: &Coefficients) -> f64 {
    let mut ranked: Vec<_> =
        samples.iter().map(|s| (log_odds(s, coefficients), s.is_threatmate)).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut yes, mut won) = (0.0, 0.0, 0.0);
    for ties in ranked.chunk_by(|a, b| a.0 == b.0) {
        let of_those = ties.iter().filter(|(_, is)| *is).count() as f64;
        let others = ties.len() as f64 - of_those;
        won += of_those * (below + others / 2.0);
        below += others;
        yes += of_those;
    }
    won / (yes * below)
}
