//! Medians, correlations and means with intervals.

use komadai::core::SplitMix64;

/// Returns the middle of the values, 0 without any.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Returns Pearson's coefficient of correlation.
pub fn pearson(pairs: &[(f64, f64)]) -> f64 {
    let count = pairs.len() as f64;
    let (x, y) = pairs.iter().fold((0.0, 0.0), |(x, y), pair| (x + pair.0, y + pair.1));
    let (x, y) = (x / count, y / count);
    let sum =
        |f: fn(f64, f64) -> f64| pairs.iter().map(|pair| f(pair.0 - x, pair.1 - y)).sum::<f64>();
    sum(|x, y| x * y) / (sum(|x, _| x * x) * sum(|_, y| y * y)).sqrt()
}

/// Returns Spearman's coefficient of rank correlation.
pub fn spearman(pairs: &[(f64, f64)]) -> f64 {
    let first = ranks(pairs.iter().map(|pair| pair.0));
    let second = ranks(pairs.iter().map(|pair| pair.1));
    pearson(&first.into_iter().zip(second).collect::<Vec<_>>())
}

/// Returns the rank of each value; equal values share the mean of their ranks.
fn ranks(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<(usize, f64)> = values.enumerate().collect();
    sorted.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut ranks = vec![0.0; sorted.len()];
    let mut start = 0;
    for equal in sorted.chunk_by(|a, b| a.1 == b.1) {
        let mean = start as f64 + (equal.len() - 1) as f64 / 2.0;
        equal.iter().for_each(|&(index, _)| ranks[index] = mean);
        start += equal.len();
    }
    ranks
}

/// A mean and its 95 % interval by the bootstrap.
#[derive(Debug, Clone, Copy)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Returns the mean of samples with its interval from 2,000 resamples; zero without samples.
///
/// Source: B. Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7,
/// 1979.
pub fn bootstrap(samples: &[f64]) -> Mean {
    let count = samples.len().max(1) as f64;
    let mut random = SplitMix64::new(1);
    let mut resample = || {
        let pick = |_| samples[random.below(samples.len() as u64) as usize];
        (0..samples.len()).map(pick).sum::<f64>() / count
    };
    let mut means: Vec<f64> = (0..2_000).map(|_| resample()).collect();
    means.sort_by(f64::total_cmp);
    Mean { mean: samples.iter().sum::<f64>() / count, low: means[50], high: means[1_949] }
}

/// Returns the probability of a split of `one + other` pairs at least as uneven if both sides were
/// equally likely: the exact form of McNemar's test.
///
/// Source: Q. McNemar, "Note on the sampling error of the difference between correlated proportions
/// or percentages", Psychometrika 12, 1947.
pub fn sign_test(one: u32, other: u32) -> f64 {
    let (count, least) = (one + other, one.min(other));
    // The logarithm of the number of ways to choose `k` of the pairs.
    let mut ways = 0.0;
    let mut tail = 0.0;
    for k in 0..=least {
        tail += (ways - f64::from(count) * core::f64::consts::LN_2).exp();
        ways += (f64::from(count - k) / f64::from(k + 1)).ln();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_test_is_exact() {
        assert!((sign_test(0, 5) - 0.0625).abs() < 1e-12);
        assert!((sign_test(8, 2) - 2.0 * 56.0 / 1024.0).abs() < 1e-12);
        assert!((sign_test(3, 3) - 1.0).abs() < 1e-12);
        assert!((sign_test(0, 0) - 1.0).abs() < 1e-12);
    }
}
