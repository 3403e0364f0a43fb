//! A measured number with its interval and the size of its sample.

use komadai::core::SplitMix64;
use komadai_base::text::grouped;

use crate::statistics::{Mean, bootstrap};

/// A measured number, its 95 % interval, and the number of items that it was measured on.
///
/// A count of everything that there is has no sampling error: its interval is the number itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// The number.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Number of games, positions, books or problems.
    pub count: u64,
}

impl Figure {
    /// Returns a number without a sampling error, about `count` items.
    pub fn exact(value: f64, count: u64) -> Self {
        Self { value, low: value, high: value, count }
    }

    /// Returns a mean with its interval by the bootstrap; `None` without samples.
    pub(crate) fn mean_of(samples: &[f64]) -> Option<Self> {
        if samples.is_empty() {
            return None;
        }
        let Mean { mean, low, high } = bootstrap(samples);
        let (low, high) = (low.min(mean), high.max(mean));
        Some(Self { value: mean, low, high, count: samples.len() as u64 })
    }

    /// Returns a geometric mean of positive numbers with its interval; `None` without samples.
    pub(crate) fn geometric_mean_of(samples: &[f64]) -> Option<Self> {
        let logarithms: Vec<f64> = samples.iter().map(|sample| sample.ln()).collect();
        let Self { value, low, high, count } = Self::mean_of(&logarithms)?;
        Some(Self { value: value.exp(), low: low.exp(), high: high.exp(), count })
    }

    /// Returns the ratio of the means of two independent samples with its interval; `None` if one of
    /// them is empty.
    pub(crate) fn ratio_of_means(numerators: &[f64], denominators: &[f64]) -> Option<Self> {
        Self::of_two_means(numerators, denominators, |one, other| one / other)
    }

    /// Returns the difference of the means of two independent samples, likewise.
    pub(crate) fn difference_of_means(ones: &[f64], others: &[f64]) -> Option<Self> {
        Self::of_two_means(ones, others, |one, other| one - other)
    }

    fn of_two_means(ones: &[f64], others: &[f64], of: fn(f64, f64) -> f64) -> Option<Self> {
        const RESAMPLES: usize = 2_000;
        if ones.is_empty() || others.is_empty() {
            return None;
        }
        let mean = |samples: &[f64]| samples.iter().sum::<f64>() / samples.len() as f64;
        let mut random = SplitMix64::new(1);
        let mut resampled = |samples: &[f64]| {
            let pick = |_: &f64| samples[random.below(samples.len() as u64) as usize];
            samples.iter().map(pick).sum::<f64>() / samples.len() as f64
        };
        let mut values: Vec<f64> =
            (0..RESAMPLES).map(|_| of(resampled(ones), resampled(others))).collect();
        values.sort_by(f64::total_cmp);
        let value = of(mean(ones), mean(others));
        let (low, high) = (values[RESAMPLES / 40], values[RESAMPLES - 1 - RESAMPLES / 40]);
        let count = (ones.len() + others.len()) as u64;
        Some(Self { value, low: low.min(value), high: high.max(value), count })
    }

    /// Returns a share with its interval by Wilson's formula; `None` of nothing.
    pub(crate) fn share(part: u64, all: u64) -> Option<Self> {
        /// The quantile of a two-sided interval of 95 %.
        const Z: f64 = 1.96;
        if all == 0 {
            return None;
        }
        let (count, value) = (all as f64, part as f64 / all as f64);
        let middle = value + Z * Z / (2.0 * count);
        let half = Z * (value * (1.0 - value) / count + Z * Z / (4.0 * count * count)).sqrt();
        let scale = 1.0 + Z * Z / count;
        let low = ((middle - half) / scale).clamp(0.0, value);
        let high = ((middle + half) / scale).clamp(value, 1.0);
        Some(Self { value, low, high, count: all })
    }

    /// True if the number comes from a sample.
    pub(crate) fn has_interval(&self) -> bool {
        self.low < self.high
    }

    /// Writes the number, with its interval where it has one.
    pub(crate) fn text(&self, decimals: usize) -> String {
        let number = |number| number_text(number, decimals);
        let Self { value, low, high, .. } = *self;
        if self.has_interval() {
            format!("{} [{}, {}]", number(value), number(low), number(high))
        } else {
            number(value)
        }
    }
}

/// Writes a number: large ones in groups of three digits, and no minus before a zero.
pub(crate) fn number_text(number: f64, decimals: usize) -> String {
    /// Numbers below this have no groups.
    const GROUPED: f64 = 10_000.0;
    let text = format!("{:.decimals$}", number.abs());
    let sign = if number < 0.0 && text.contains(|c| ('1'..='9').contains(&c)) { "-" } else { "" };
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    match whole.parse() {
        Ok(whole) if number.abs() >= GROUPED => format!("{sign}{}{rest}", grouped(whole)),
        _ => format!("{sign}{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_wilson_s_interval() {
        let share = Figure::share(8, 10).expect("a share");
        assert!((share.low - 0.490).abs() < 0.001 && (share.high - 0.943).abs() < 0.001);
        let none = Figure::share(0, 10).expect("a share");
        assert_eq!((none.low, none.value), (0.0, 0.0));
        assert_eq!(Figure::share(0, 0), None);
    }

    #[test]
    fn figures_are_written_with_their_intervals() {
        let figure = Figure { value: 1.0, low: -0.04, high: 2.25, count: 3 };
        assert_eq!(figure.text(1), "1.0 [0.0, 2.2]");
        assert_eq!(figure.text(2), "1.00 [-0.04, 2.25]");
        assert_eq!(Figure::exact(12.0, 1).text(0), "12");
        assert_eq!(number_text(-5_000_000.04, 1), "-5,000,000.0");
        assert_eq!((number_text(9_999.0, 0), number_text(-0.4, 0)), ("9999".into(), "0".into()));
    }
}
