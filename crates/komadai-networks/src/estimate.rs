//! Numbers with their intervals.

use serde::Serialize;

/// The number of standard errors of a 95 % interval.
const Z: f64 = 1.959_964;

/// A number with its 95 % interval.
///
/// Intervals take positions for independent. Those of one game are not, so that intervals of data
/// with many positions a game are too narrow.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    pub(crate) fn new(value: f64, standard_error: f64) -> Self {
        Self { value, low: value - Z * standard_error, high: value + Z * standard_error }
    }

    /// Returns an estimate of the reciprocal; `None` if that is not bounded.
    pub(crate) fn reciprocal(self) -> Option<Self> {
        let Self { value, low, high } = self;
        (low > 0.0).then(|| Self { value: 1.0 / value, low: 1.0 / high, high: 1.0 / low })
    }
}

/// The mean of numbers that come one by one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    pub(crate) fn add(&mut self, number: f64) {
        self.count += 1.0;
        self.sum += number;
        self.squares += number * number;
    }

    /// Returns the mean; `None` of fewer than two numbers.
    pub(crate) fn estimate(self) -> Option<Estimate> {
        let Self { count, sum, squares } = self;
        if count < 2.0 {
            return None;
        }
        let mean = sum / count;
        let variance = ((squares - sum * mean) / (count - 1.0)).max(0.0);
        Some(Estimate::new(mean, (variance / count).sqrt()))
    }
}

/// Returns the share of `hits` among `count` with Wilson's interval; `None` of nothing.
pub(crate) fn share(hits: f64, count: u64) -> Option<Estimate> {
    if count == 0 {
        return None;
    }
    let (count, value) = (count as f64, hits / count as f64);
    let square = Z * Z / count;
    let middle = (value + square / 2.0) / (1.0 + square);
    let half = Z * (value * (1.0 - value) / count + square / (4.0 * count)).sqrt() / (1.0 + square);
    Some(Estimate { value, low: middle - half, high: middle + half })
}

/// Returns the factor `k` under which 1 / (1 + exp(−k · value)) makes the targets, from 0 to 1, most
/// likely. `None` if there is no such factor above 0, as where every value predicts its target.
///
/// The slope of the likelihood falls with the factor, so that bisection finds its zero; the error
/// follows from the curvature there.
pub(crate) fn logistic(points: &[(f64, f64)]) -> Option<Estimate> {
    let expected = |value: f64, factor: f64| 1.0 / (1.0 + (-value * factor).exp());
    let slope = |factor: f64| -> f64 {
        points.iter().map(|&(value, target)| value * (target - expected(value, factor))).sum()
    };
    let size = points.iter().map(|(value, _)| value.abs()).fold(0.0, f64::max);
    if size == 0.0 {
        return None;
    }
    let (mut low, mut high) = (0.0, 1.0 / size);
    if slope(low) <= 0.0 {
        return None;
    }
    while slope(high) > 0.0 {
        (low, high) = (high, 2.0 * high);
        if high * size > 1e4 {
            return None;
        }
    }
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    let factor = (low + high) / 2.0;
    let information: f64 = points
        .iter()
        .map(|&(value, _)| {
            let likely = expected(value, factor);
            value * value * likely * (1.0 - likely)
        })
        .sum();
    (information > 0.0).then(|| Estimate::new(factor, information.sqrt().recip()))
}

/// The sums of pairs from which a line and a correlation follow.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pairs {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Pairs {
    pub(crate) fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    /// Returns the correlation, with Fisher's interval.
    pub(crate) fn correlation(self) -> Option<Estimate> {
        let Self { count, x, y, xx, yy, xy } = self;
        let (vx, vy) = (xx - x * x / count, yy - y * y / count);
        if count < 4.0 || vx <= 0.0 || vy <= 0.0 {
            return None;
        }
        let value = ((xy - x * y / count) / (vx * vy).sqrt()).clamp(-1.0, 1.0);
        let (z, error) = (value.clamp(-0.999_999, 0.999_999).atanh(), Z / (count - 3.0).sqrt());
        Some(Estimate { value, low: (z - error).tanh(), high: (z + error).tanh() })
    }

    /// Returns the slope of the line through the origin that gives y of x.
    pub(crate) fn slope(self) -> Option<Estimate> {
        let Self { count, xx, yy, xy, .. } = self;
        if count < 2.0 || xx <= 0.0 {
            return None;
        }
        let slope = xy / xx;
        let residual = (yy - slope * xy).max(0.0) / (count - 1.0);
        Some(Estimate::new(slope, (residual / xx).sqrt()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_known_are_found() {
        let mut mean = Mean::default();
        [1.0, 2.0, 3.0, 4.0].into_iter().for_each(|number| mean.add(number));
        let found = mean.estimate().unwrap();
        // The variance is 5/3.
        assert!((found.high - 2.5 - Z * (5.0_f64 / 12.0).sqrt()).abs() < 1e-9);
        assert_eq!(found.value, 2.5);
        // Wilson's interval of 8 of 10.
        let found = share(8.0, 10).unwrap();
        assert!((found.low - 0.4902).abs() < 1e-3 && (found.high - 0.9433).abs() < 1e-3);
        let mut pairs = Pairs::default();
        for (x, y) in [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0), (-1.0, -2.0)] {
            pairs.add(x, y);
        }
        assert!((pairs.correlation().unwrap().value - 1.0).abs() < 1e-9);
        assert_eq!(pairs.slope().unwrap().value, 2.0);
    }

    #[test]
    fn the_factor_of_made_results_is_found() {
        for scale in [40.0, 600.0] {
            let expected = |value: f64| 1.0 / (1.0 + (-value / scale).exp());
            let points: Vec<_> = (-200..=200)
                .map(|n| f64::from(n) * scale / 50.0)
                .map(|v| (v, expected(v)))
                .collect();
            let found = logistic(&points).unwrap().reciprocal().unwrap();
            assert!((found.value / scale - 1.0).abs() < 1e-6);
            assert!(found.low < scale && scale < found.high);
        }
        assert_eq!(logistic(&[(-1.0, 1.0), (1.0, 0.0)]), None);
        assert_eq!(logistic(&[(0.0, 1.0)]), None);
        assert_eq!(logistic(&[(-5.0, 0.0), (7.0, 1.0)]), None);
    }
}
