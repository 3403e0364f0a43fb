//! Logistic and exponential regression on a few terms.

/// Largest number of Newton's steps; the likelihood is concave and its maximum far from any edge.
const STEPS: usize = 25;
/// Largest change of a weight in a step that ends the fit. The next step would change about its
/// square.
const CONVERGED: f64 = 1e-8;

/// The expected result as a function of the weighted sum of the terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    /// A probability, by the logistic function.
    Logistic,
    /// A number that is not negative, by the exponential function; its variance is in proportion
    /// to it, as that of a number of events (Poisson).
    Exponential,
}

/// Weights that make the expected results of rows most probable.
pub(crate) struct Fit {
    link: Link,
    pub(crate) weights: Vec<f64>,
    /// The second derivatives of the log-likelihood, with the sign changed.
    curvature: Vec<Vec<f64>>,
}

/// Some of the weights less their mean, with standard errors.
pub(crate) struct Centred {
    pub(crate) values: Vec<f64>,
    pub(crate) errors: Vec<f64>,
}

impl Fit {
    /// Fits `count` weights to rows of terms, each with a result from 0 to 1. `ridge` is the
    /// strength of the pull to zero, which determines weights that the rows leave open.
    pub(crate) fn new(count: usize, ridge: f64, rows: &[(Vec<f64>, f64)]) -> Self {
        Self::with_link(Link::Logistic, count, ridge, rows)
    }

    /// The same with another function. Results of [`Link::Exponential`] are at least 0, and their
    /// mean should not be far above 1.
    pub(crate) fn with_link(
        link: Link,
        count: usize,
        ridge: f64,
        rows: &[(Vec<f64>, f64)],
    ) -> Self {
        let mut fit = Self { link, weights: vec![0.0; count], curvature: Vec::new() };
        for _ in 0..STEPS {
            let mut gradient: Vec<f64> = fit.weights.iter().map(|weight| -ridge * weight).collect();
            let mut curvature = vec![vec![0.0; count]; count];
            (0..count).for_each(|i| curvature[i][i] = ridge);
            for (terms, result) in rows {
                let expected = fit.expected(terms);
                let variance = match link {
                    Link::Logistic => expected * (1.0 - expected),
                    Link::Exponential => expected,
                };
                let used: Vec<usize> = (0..count).filter(|&i| terms[i] != 0.0).collect();
                for &i in &used {
                    gradient[i] += terms[i] * (result - expected);
                    for &j in &used {
                        curvature[i][j] += terms[i] * terms[j] * variance;
                    }
                }
            }
            let step = solved(curvature.clone(), gradient);
            let largest = step.iter().fold(0.0, |most: f64, step| most.max(step.abs()));
            fit.weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
            fit.curvature = curvature;
            if largest < CONVERGED {
                break;
            }
        }
        fit
    }

    /// Returns the expected result of a row of terms.
    pub(crate) fn expected(&self, terms: &[f64]) -> f64 {
        let sum: f64 = terms.iter().zip(&self.weights).map(|(t, w)| t * w).sum();
        match self.link {
            Link::Logistic => 1.0 / (1.0 + (-sum).exp()),
            Link::Exponential => sum.exp(),
        }
    }

    /// Returns the standard error of a weight.
    pub(crate) fn error(&self, index: usize) -> f64 {
        let mut direction = vec![0.0; self.weights.len()];
        direction[index] = 1.0;
        solved(self.curvature.clone(), direction)[index].sqrt()
    }

    /// Returns the first weights, less their mean.
    pub(crate) fn centred(&self, count: usize) -> Centred {
        let mean = self.weights[..count].iter().sum::<f64>() / count as f64;
        let error = |index: usize| {
            let share = 1.0 / count as f64;
            let part = |i| if i < count { f64::from(u8::from(i == index)) - share } else { 0.0 };
            let direction: Vec<f64> = (0..self.weights.len()).map(part).collect();
            let turned = solved(self.curvature.clone(), direction.clone());
            direction.iter().zip(turned).map(|(d, t)| d * t).sum::<f64>().sqrt()
        };
        Centred {
            values: self.weights[..count].iter().map(|weight| weight - mean).collect(),
            errors: (0..count).map(error).collect(),
        }
    }
}

/// Solves a system of linear equations with a positive definite matrix.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for pivot in 0..count {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        let (first, known) = (&above[pivot], right[pivot]);
        for (row, value) in below.iter_mut().zip(&mut right[pivot + 1..]) {
            let factor = row[pivot] / first[pivot];
            row.iter_mut().zip(first).for_each(|(entry, term)| *entry -= factor * term);
            *value -= factor * known;
        }
    }
    for pivot in (0..count).rev() {
        let known: f64 =
            (pivot + 1..count).map(|column| matrix[pivot][column] * right[column]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_of_a_model_are_found_again() {
        // Expected results in place of results, so that the weights follow exactly but for the
        // pull.
        let truth = [0.8, -0.5, -0.3, 0.2];
        let mut rows = Vec::new();
        for (i, j) in [(0, 1), (1, 2), (2, 0), (0, 2)] {
            for turn in [1.0, -1.0] {
                let mut terms = vec![0.0; 4];
                (terms[i], terms[j], terms[3]) = (1.0, -1.0, turn);
                let sum: f64 = terms.iter().zip(truth).map(|(t, w)| t * w).sum();
                rows.extend((0..1_000).map(|_| (terms.clone(), 1.0 / (1.0 + (-sum).exp()))));
            }
        }
        let centred = Fit::new(4, 0.01, &rows).centred(3);
        for (found, expected) in centred.values.iter().zip(truth) {
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
        // 6,000 of 8,000 games with the first castle.
        assert!(centred.errors.iter().all(|&error| (0.01..0.1).contains(&error)));
    }
}
