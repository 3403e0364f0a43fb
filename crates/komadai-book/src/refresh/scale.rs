//! The relation between the values of two engines.

use komadai_core::SplitMix64;

/// The values of a move by two engines, in centipawns for the side that makes the move.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ValuePair {
    /// The value by the old engine.
    pub old: f64,
    /// The value by the new engine.
    pub new: f64,
}

/// A straight line: `new = intercept + slope · old`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LineFit {
    /// The factor by which the new values are larger.
    pub slope: f64,
    /// The new value for an old value of 0, in centipawns.
    pub intercept: f64,
    /// The standard deviation of the new values from the line, in centipawns.
    pub spread: f64,
}

/// The relation between the values of an old and a new engine.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ScaleShift {
    /// The number of pairs.
    pub pairs: usize,
    /// The correlation of old and new values, −1 to 1; 0 if all new values are equal.
    pub correlation: f64,
    /// The line of least squares through all pairs.
    pub least_squares: LineFit,
    /// A line that outliers hardly influence. Its slope is the median of the slopes between all
    /// pairs of a sample of at most 1,000; its intercept and spread are medians over the sample.
    pub robust: LineFit,
}

/// The 95 % intervals of a robust line.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ScaleInterval {
    /// The lower and the upper end for the slope.
    pub slope: [f64; 2],
    /// The lower and the upper end for the intercept, in centipawns.
    pub intercept: [f64; 2],
}

/// Number of resamples for an interval. Its ends are the fifth lowest and the fifth highest line.
const RESAMPLES: usize = 200;

/// Maximum number of pairs for the robust line, which compares each pair with each other: half a
/// million slopes, or 4 MB.
const SAMPLE: usize = 1_000;

impl LineFit {
    /// Returns the value on the new scale that corresponds to an old value.
    pub fn apply(&self, old: f64) -> f64 {
        self.intercept + self.slope * old
    }
}

/// Fits lines through pairs of values. Returns `None` if there are fewer than three pairs, or all
/// old values are equal. Pairs with a value that is not finite are skipped.
///
/// The sample of the robust line is drawn with a fixed seed, so the same pairs give the same line.
/// Takes time proportional to the number of pairs; the time for the robust line is bounded.
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
/// Sources: H. Theil, *A rank-invariant method of linear and polynomial regression analysis*
/// (1950); P. K. Sen, *Estimates of the regression coefficient based on Kendall's tau*, JASA 63
/// (1968). The spread of the robust line is 1.4826 times the median absolute deviation, which is
/// the standard deviation where errors are normal.
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

/// Estimates 95 % intervals of the robust line by resampling groups of pairs.
///
/// The pairs of a group depend on each other, such as the moves of one position. So whole groups
/// are drawn with replacement (the cluster bootstrap with percentiles). Returns `None` if there are
/// fewer than three groups, or resamples without a line. The same groups and seed give the same
/// intervals.
///
/// # Examples
///
/// ```
/// use komadai_book::refresh::{ValuePair, robust_interval};
///
/// let values = |old: i32| (0..2).map(move |m| f64::from(old + m));
/// let pairs = |old: i32| values(old).map(|old| ValuePair { old, new: 2.0 * old }).collect();
/// let groups: Vec<Vec<ValuePair>> = (-9..9).map(pairs).collect();
/// let interval = robust_interval(&groups, 1).expect("the old values differ");
/// assert_eq!(interval.slope, [2.0, 2.0]);
/// ```
///
/// Source: B. Efron and R. Tibshirani, *An Introduction to the Bootstrap* (1993), chapter 13.
pub fn robust_interval(groups: &[Vec<ValuePair>], seed: u64) -> Option<ScaleInterval> {
    if groups.len() < 3 {
        return None;
    }
    let mut random = SplitMix64::new(seed);
    let mut lines = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        let draw = |_| &groups[random.below(groups.len() as u64) as usize];
        let drawn: Vec<ValuePair> = (0..groups.len()).flat_map(draw).copied().collect();
        lines.push(theil_sen(&sample(&drawn))?);
    }
    let ends = |of: fn(&LineFit) -> f64| {
        let mut numbers: Vec<f64> = lines.iter().map(of).collect();
        numbers.sort_by(f64::total_cmp);
        let beyond = RESAMPLES / 40;
        [numbers[beyond], numbers[RESAMPLES - 1 - beyond]]
    };
    Some(ScaleInterval { slope: ends(|line| line.slope), intercept: ends(|line| line.intercept) })
}

/// Returns the line of least squares and the correlation, or `None` if all old values are equal.
fn least_squares(pairs: &[ValuePair]) -> Option<(LineFit, f64)> {
    let count = pairs.len() as f64;
    let mean = |of: fn(&ValuePair) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (old, new) = (mean(|pair| pair.old), mean(|pair| pair.new));
    let mut old_old = 0.0;
    let mut old_new = 0.0;
    let mut new_new = 0.0;
    for pair in pairs {
        let from_old = pair.old - old;
        let from_new = pair.new - new;
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
    // A line takes two degrees of freedom.
    Some((LineFit { spread: (squares / (count - 2.0)).sqrt(), ..line }, correlation))
}

/// Draws a pair from each of [`SAMPLE`] ranges of equal length. The place in a range is random,
/// because pairs at equal distances could all be of one kind.
fn sample(pairs: &[ValuePair]) -> Vec<ValuePair> {
    let count = pairs.len().min(SAMPLE);
    let mut state = 0_u64;
    let mut below = |end: usize| {
        // The generator of MMIX (D. E. Knuth, The Art of Computer Programming, volume 2, 3.3.4).
        // Its upper bits are used, because the lower bits of such a generator have short periods.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % end as u64) as usize
    };
    let stretch = |at: usize| at * pairs.len() / count..(at + 1) * pairs.len() / count;
    (0..count).map(stretch).map(|range| pairs[range.start + below(range.len())]).collect()
}

/// Returns the line of Theil and Sen, or `None` if all old values of the sample are equal.
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

/// Returns the median, or `None` without numbers.
fn median(mut numbers: Vec<f64>) -> Option<f64> {
    if numbers.is_empty() {
        return None;
    }
    let middle = numbers.len() / 2;
    let (below, &mut upper, _) = numbers.select_nth_unstable_by(middle, f64::total_cmp);
    // The numbers below the middle are not sorted: the largest of them is the other middle number.
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

    /// Returns pseudo-random numbers between −1 and 1.
    fn noise(seed: u64) -> impl Iterator<Item = f64> {
        let mut random = SplitMix64::new(seed);
        std::iter::repeat_with(move || {
            (random.next_u64() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        })
    }

    /// Returns pairs of a synthetic engine with a known scale: 1.25 times the old value plus 8
    /// centipawns, with a uniform error of ±30.
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
    fn a_known_scale_is_recovered() {
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
    fn a_tenth_of_outliers_turns_only_the_line_of_least_squares() {
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
    fn intervals_contain_the_known_scale_and_shrink_with_the_sample() {
        let groups = |pairs: &[ValuePair]| -> Vec<Vec<ValuePair>> {
            pairs.chunks(3).map(<[ValuePair]>::to_vec).collect()
        };
        let width = |[low, high]: [f64; 2]| high - low;
        let contains = |[low, high]: [f64; 2], value| low < value && value < high;
        let pairs = synthetic(3_600);
        // Nineteen of twenty intervals should contain the truth: at least 34 of 40 with a
        // probability of 99 %.
        let all: Vec<_> =
            pairs.chunks(90).map(|part| robust_interval(&groups(part), 1).unwrap()).collect();
        let right = |is_right: &dyn Fn(&ScaleInterval) -> bool| {
            all.iter().filter(|found| is_right(found)).count()
        };
        assert!(right(&|found| contains(found.slope, 1.25)) >= 34, "{all:?}");
        assert!(right(&|found| contains(found.intercept, 8.0)) >= 34, "{all:?}");
        let few_groups = groups(&pairs[..90]);
        let few = all[0];
        let many = robust_interval(&groups(&pairs[..900]), 1).unwrap();
        assert!(width(many.slope) < 0.5 * width(few.slope), "{few:?} {many:?}");
        assert!(width(many.intercept) < 0.5 * width(few.intercept), "{few:?} {many:?}");
        // Copies within a group bring no certainty.
        let copied: Vec<_> = few_groups.iter().map(|group| group.repeat(4)).collect();
        let copied = robust_interval(&copied, 1).unwrap();
        assert!(width(copied.slope) > 0.8 * width(few.slope), "{few:?} {copied:?}");
        assert_eq!(robust_interval(&few_groups, 1), Some(few));
        assert_eq!(robust_interval(&groups(&pairs[..6]), 1), None);
        let flat = vec![vec![ValuePair { old: 5.0, new: 1.0 }]; 9];
        assert_eq!(robust_interval(&flat, 1), None);
    }

    #[test]
    fn pairs_without_a_line_give_none() {
        let pair = |old, new| ValuePair { old, new };
        assert_eq!(fit_scale(&[]), None);
        assert_eq!(fit_scale(&[pair(1.0, 1.0), pair(2.0, 2.0)]), None);
        assert_eq!(fit_scale(&[pair(5.0, 1.0), pair(5.0, 2.0), pair(5.0, 3.0)]), None);
        let with_nan = [pair(1.0, 1.0), pair(2.0, 2.0), pair(f64::NAN, 3.0)];
        assert_eq!(fit_scale(&with_nan), None);
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
