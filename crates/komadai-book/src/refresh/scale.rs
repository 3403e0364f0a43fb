//! How the values of one engine follow from those of another.

/// What two engines think of the same move, in centipawns for the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValuePair {
    /// The value by the engine of before.
    pub old: f64,
    /// The value by the engine of now.
    pub new: f64,
}

/// A straight line: `new = intercept + slope · old`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineFit {
    /// How much larger the new values are.
    pub slope: f64,
    /// The new value of what was even, in centipawns.
    pub intercept: f64,
    /// How far the new values are from the line, as a standard deviation in centipawns.
    pub spread: f64,
}

/// How the values of one engine follow from those of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScaleShift {
    /// The number of pairs.
    pub pairs: usize,
    /// The correlation of old and new values, −1 to 1; 0 if all new values are equal.
    pub correlation: f64,
    /// The line of least squares through all pairs.
    pub least_squares: LineFit,
    /// A line that pairs far off do not turn: its slope is the median of the slopes between pairs (of a
    /// sample of at most 1,000 pairs), its intercept and spread come from medians over the
    /// sample.
    pub robust: LineFit,
}

/// The most pairs that the robust line looks at: it compares each with each.
const SAMPLE: usize = 1_000;

impl LineFit {
    /// The value on the new scale that an old one stands for.
    #[must_use]
    pub fn apply(&self, old: f64) -> f64 {
        self.intercept + self.slope * old
    }
}

/// Fits lines through pairs of values; `None` if there are fewer than three, or all old values are
/// equal. Pairs with a value that is no finite number are left out.
///
/// The sample of the robust line is drawn with a fixed seed, so the same pairs give the same line.
/// Takes time proportional to the number of pairs, and a bounded time for the robust line.
///
/// # Examples
///
/// ```
/// use komadai_book::refresh::{ValuePair, fit_scale};
///
/// let pairs: Vec<_> = (-50..50)
///     .map(|old| ValuePair { old: f64::from(old), new: 12.0 + 1.5 * f64::from(old) })
///     .collect();
/// let shift = fit_scale(&pairs).expect("the old values differ");
/// assert!((shift.least_squares.slope - 1.5).abs() < 1e-9);
/// assert!((shift.robust.intercept - 12.0).abs() < 1e-9);
/// assert!(shift.correlation > 0.999);
/// ```
///
/// Sources: H. Theil, *A rank-invariant method of linear and polynomial regression analysis* (1950);
/// P. K. Sen, *Estimates of the regression coefficient based on Kendall's tau*, JASA 63 (1968). The
/// spread of the robust line is 1.4826 times the median absolute deviation, which is the standard
/// deviation where errors are normal.
#[must_use]
pub fn fit_scale(pairs: &[ValuePair]) -> Option<ScaleShift> {
    let is_finite = |pair: &&ValuePair| pair.old.is_finite() && pair.new.is_finite();
    let pairs: Vec<ValuePair> = pairs.iter().filter(is_finite).copied().collect();
    if pairs.len() < 3 {
        return None;
    }
    let (least_squares, correlation) = least_squares(&pairs)?;
    let robust = theil_sen(&sample(&pairs)).unwrap_or(least_squares);
    Some(ScaleShift { pairs: pairs.len(), correlation, least_squares, robust })
}

/// The line and the correlation; `None` if all old values are equal.
fn least_squares(pairs: &[ValuePair]) -> Option<(LineFit, f64)> {
    let count = pairs.len() as f64;
    let mean = |of: fn(&ValuePair) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (old, new) = (mean(|pair| pair.old), mean(|pair| pair.new));
    let (mut old_old, mut old_new, mut new_new) = (0.0, 0.0, 0.0);
    for pair in pairs {
        let (from_old, from_new) = (pair.old - old, pair.new - new);
        old_old += from_old * from_old;
        old_new += from_old * from_new;
        new_new += from_new * from_new;
    }
    if old_old <= 0.0 {
        return None;
    }
    let slope = old_new / old_old;
    let line = LineFit { slope, intercept: new - slope * old, spread: 0.0 };
    let squares: f64 = pairs.iter().map(|pair| (pair.new - line.apply(pair.old)).powi(2)).sum();
    let correlation = if new_new > 0.0 { old_new / (old_old * new_new).sqrt() } else { 0.0 };
    Some((LineFit { spread: (squares / (count - 2.0)).sqrt(), ..line }, correlation))
}

/// A pair out of each of [`SAMPLE`] stretches of equal length. Where in the stretch is drawn: pairs at
/// equal distances might all be of one kind.
fn sample(pairs: &[ValuePair]) -> Vec<ValuePair> {
    let count = pairs.len().min(SAMPLE);
    let mut state = 0_u64;
    let mut below = |end: usize| {
        // The constants of Knuth's MMIX generator.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % end as u64) as usize
    };
    let stretch = |at: usize| at * pairs.len() / count..(at + 1) * pairs.len() / count;
    (0..count).map(stretch).map(|range| pairs[range.start + below(range.len())]).collect()
}

/// `None` if all old values of the sample are equal.
fn theil_sen(pairs: &[ValuePair]) -> Option<LineFit> {
    let mut slopes = Vec::with_capacity(pairs.len() * pairs.len().saturating_sub(1) / 2);
    for (at, one) in pairs.iter().enumerate() {
        for other in &pairs[at + 1..] {
            if other.old != one.old {
                slopes.push((other.new - one.new) / (other.old - one.old));
            }
        }
    }
    let slope = median(slopes)?;
    let intercept = median(pairs.iter().map(|pair| pair.new - slope * pair.old).collect())?;
    let line = LineFit { slope, intercept, spread: 0.0 };
    let deviations = pairs.iter().map(|pair| (pair.new - line.apply(pair.old)).abs());
    Some(LineFit { spread: 1.4826 * median(deviations.collect())?, ..line })
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    if numbers.is_empty() {
        return None;
    }
    let middle = numbers.len() / 2;
    let (below, &mut upper, _) = numbers.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = below.iter().copied().max_by(f64::total_cmp);
    match lower {
        Some(lower) if numbers.len().is_multiple_of(2) => Some(f64::midpoint(lower, upper)),
        _ => Some(upper),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A sequence of numbers that look random, between −1 and 1.
    fn noise(seed: u64) -> impl Iterator<Item = f64> {
        let mut state = seed;
        std::iter::repeat_with(move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        })
    }

    /// A synthetic engine with a known scale: 1.25 times the old one and 8 centipawns more, give or
    /// take 30.
    fn synthetic(count: usize) -> Vec<ValuePair> {
        let values = noise(7).zip(noise(99)).take(count);
        values
            .map(|(value, error)| {
                let old = 400.0 * value;
                ValuePair { old, new: 8.0 + 1.25 * old + 30.0 * error }
            })
            .collect()
    }

    #[test]
    fn a_known_scale_is_found_again() {
        let shift = fit_scale(&synthetic(20_000)).unwrap();
        for line in [shift.least_squares, shift.robust] {
            assert!((line.slope - 1.25).abs() < 0.01, "{line:?}");
            assert!((line.intercept - 8.0).abs() < 3.0, "{line:?}");
        }
        // A uniform error of ±30 has the standard deviation 30 / √3, and the median 15.
        assert!((shift.least_squares.spread - 17.32).abs() < 0.3, "{shift:?}");
        assert!((shift.robust.spread - 1.4826 * 15.0).abs() < 2.0, "{shift:?}");
        assert!(shift.correlation > 0.99);
        assert_eq!(shift.pairs, 20_000);
    }

    #[test]
    fn a_tenth_of_nonsense_turns_only_the_line_of_least_squares() {
        let mut pairs = synthetic(5_000);
        for pair in pairs.iter_mut().step_by(10) {
            pair.new = -20_000.0 * pair.old.signum();
        }
        let shift = fit_scale(&pairs).unwrap();
        assert!((shift.robust.slope - 1.25).abs() < 0.1, "{shift:?}");
        assert!((shift.robust.intercept - 8.0).abs() < 6.0, "{shift:?}");
        assert!(shift.least_squares.slope < 0.0, "{shift:?}");
    }

    #[test]
    fn what_has_no_line_gets_none() {
        let pair = |old, new| ValuePair { old, new };
        assert_eq!(fit_scale(&[]), None);
        assert_eq!(fit_scale(&[pair(1.0, 1.0), pair(2.0, 2.0)]), None);
        assert_eq!(fit_scale(&[pair(5.0, 1.0), pair(5.0, 2.0), pair(5.0, 3.0)]), None);
        let with_nonsense = [pair(1.0, 1.0), pair(2.0, 2.0), pair(f64::NAN, 3.0)];
        assert_eq!(fit_scale(&with_nonsense), None);
        let flat = fit_scale(&[pair(1.0, 4.0), pair(2.0, 4.0), pair(3.0, 4.0)]).unwrap();
        assert_eq!((flat.least_squares.slope, flat.correlation), (0.0, 0.0));
    }

    proptest! {
        #[test]
        fn the_median_is_the_middle_one(mut numbers in prop::collection::vec(-9.0..9.0, 1..40)) {
            let found = median(numbers.clone()).unwrap();
            numbers.sort_by(f64::total_cmp);
            let (half, odd) = (numbers.len() / 2, numbers.len() % 2 == 1);
            let expected =
                if odd { numbers[half] } else { (numbers[half - 1] + numbers[half]) / 2.0 };
            prop_assert!((found - expected).abs() < 1e-12);
        }
    }
}
