//! Logistic and exponential regression on a few terms.

/// Largest number of Newton's steps; the likelihood is concave and its maximum far from any edge.
const STEPS: usize = 25;
/// Largest change of a weight in a step that ends the fit. The next step would change about its
/// square.
const CONVERGED: f64 = 1e-8;
/// The same for steps with an old curvature, which converge by a factor only.
const CLOSE: f64 = 1e-6;

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
    ridge: f64,
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
        let mut fit = Self { link, ridge, weights: vec![0.0; count], curvature: Vec::new() };
        for _ in 0..STEPS {
            fit.curvature = fit.curvature_at_weights(rows);
            let step = solved(fit.curvature.clone(), fit.gradient(rows));
            if fit.add(&step) < CONVERGED {
                break;
            }
        }
        fit
    }

    /// Fits the weights again with one of them left out, which becomes 0. `covariance` is that of
    /// this fit, whose rows are the same.
    ///
    /// The steps are those of Newton with the curvature of this fit: block elimination turns its
    /// inverse into that without the weight, so that a step costs one pass over the rows.
    pub(crate) fn without(
        &self,
        left_out: usize,
        covariance: &[Vec<f64>],
        rows: &[(Vec<f64>, f64)],
    ) -> Vec<f64> {
        let column = &covariance[left_out];
        let Self { link, ridge, .. } = *self;
        let mut fit = Self { link, ridge, weights: self.weights.clone(), curvature: Vec::new() };
        let mut step = vec![0.0; column.len()];
        for _ in 0..STEPS {
            // Along this column of the covariance, a weight of 0 costs the least likelihood.
            let wanted = -fit.weights[left_out];
            let excess = (wanted - step[left_out]) / column[left_out];
            step.iter_mut().zip(column).for_each(|(step, entry)| *step += excess * entry);
            if fit.add(&step) < CLOSE {
                break;
            }
            let gradient = fit.gradient(rows);
            step = covariance.iter().map(|row| product(row, &gradient)).collect();
        }
        fit.weights[left_out] = 0.0;
        fit.weights
    }

    /// Returns the covariances of the weights, the inverse of the curvature.
    pub(crate) fn covariance(&self) -> Vec<Vec<f64>> {
        let count = self.weights.len();
        (0..count).map(|index| solved(self.curvature.clone(), unit(count, index))).collect()
    }

    /// Returns the derivatives of the log-likelihood.
    fn gradient(&self, rows: &[(Vec<f64>, f64)]) -> Vec<f64> {
        let mut gradient: Vec<f64> = self.weights.iter().map(|w| -self.ridge * w).collect();
        for (terms, result) in rows {
            let error = result - self.expected(terms);
            gradient.iter_mut().zip(terms).for_each(|(slope, term)| *slope += term * error);
        }
        gradient
    }

    /// Returns the second derivatives of the log-likelihood, with the sign changed.
    fn curvature_at_weights(&self, rows: &[(Vec<f64>, f64)]) -> Vec<Vec<f64>> {
        let count = self.weights.len();
        let mut curvature = vec![vec![0.0; count]; count];
        (0..count).for_each(|i| curvature[i][i] = self.ridge);
        for (terms, _) in rows {
            let expected = self.expected(terms);
            let variance = match self.link {
                Link::Logistic => expected * (1.0 - expected),
                Link::Exponential => expected,
            };
            let used: Vec<usize> = (0..count).filter(|&i| terms[i] != 0.0).collect();
            for &i in &used {
                for &j in &used {
                    curvature[i][j] += terms[i] * terms[j] * variance;
                }
            }
        }
        curvature
    }

    /// Adds a step to the weights. Returns its largest change of a weight.
    fn add(&mut self, step: &[f64]) -> f64 {
        self.weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
        step.iter().fold(0.0, |most: f64, step| most.max(step.abs()))
    }

    /// Returns the expected result of a row of terms.
    pub(crate) fn expected(&self, terms: &[f64]) -> f64 {
        let sum = product(terms, &self.weights);
        match self.link {
            Link::Logistic => 1.0 / (1.0 + (-sum).exp()),
            Link::Exponential => sum.exp(),
        }
    }

    /// Returns the standard error of a weight.
    pub(crate) fn error(&self, index: usize) -> f64 {
        solved(self.curvature.clone(), unit(self.weights.len(), index))[index].sqrt()
    }

    /// Returns the first weights, less their mean.
    pub(crate) fn centred(&self, count: usize) -> Centred {
        let mean = self.weights[..count].iter().sum::<f64>() / count as f64;
        let error = |index: usize| {
            let share = 1.0 / count as f64;
            let part = |i| if i < count { f64::from(u8::from(i == index)) - share } else { 0.0 };
            let direction: Vec<f64> = (0..self.weights.len()).map(part).collect();
            let turned = solved(self.curvature.clone(), direction.clone());
            product(&direction, &turned).sqrt()
        };
        Centred {
            values: self.weights[..count].iter().map(|weight| weight - mean).collect(),
            errors: (0..count).map(error).collect(),
        }
    }
}

fn product(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(l, r)| l * r).sum()
}

/// Returns a list of zeros with a one.
fn unit(count: usize, index: usize) -> Vec<f64> {
    (0..count).map(|i| f64::from(u8::from(i == index))).collect()
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
    use komadai::core::SplitMix64;

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

    #[test]
    fn a_fit_without_a_term_is_that_of_the_other_terms() {
        let mut random = SplitMix64::new(1);
        let truth = [-1.0, 1.5, -0.5, 0.8, 0.0];
        let mut rows = Vec::new();
        for _ in 0..2_000 {
            let mut terms: Vec<f64> = (0..5).map(|_| random.below(3) as f64).collect();
            terms[0] = 1.0;
            // Related terms: leaving out one changes the weight of the other.
            terms[2] += terms[1];
            let probability = 1.0 / (1.0 + (-product(&terms, &truth)).exp());
            let is_one = (random.below(1_000) as f64) < 1_000.0 * probability;
            rows.push((terms, f64::from(u8::from(is_one))));
        }
        let fit = Fit::new(5, 0.01, &rows);
        let covariance = fit.covariance();
        for left_out in 1..5 {
            let without = fit.without(left_out, &covariance, &rows);
            assert_eq!(without[left_out], 0.0);
            let others: Vec<_> = rows
                .iter()
                .map(|(terms, result)| {
                    let mut terms = terms.clone();
                    terms.remove(left_out);
                    (terms, *result)
                })
                .collect();
            let mut again = Fit::new(4, 0.01, &others).weights;
            again.insert(left_out, 0.0);
            for (found, expected) in without.iter().zip(again) {
                assert!((found - expected).abs() < 1e-4, "{found} {expected}");
            }
        }
    }
}
