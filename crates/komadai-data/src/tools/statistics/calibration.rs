//! The results of games against the scores of their positions.

use serde::Serialize;

/// The largest score that counts, in centipawns. Beyond it results hardly change.
const MOST: i32 = 3_000;
/// Width of a bin in centipawns.
const BIN: i32 = 100;

/// The results of games against the scores of their positions.
///
/// The expectation of a result, with a draw as half a win, is 1 / (1 + exp(−score / scale)).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibration {
    /// The scale in centipawns under which the results are most likely, from scores of at most
    /// 3,000.
    pub scale: f64,
    /// The mean results of scores within a hundred centipawns.
    pub bins: Vec<CalibrationBin>,
}

/// Records with scores that are nearly the same.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CalibrationBin {
    /// Number of records.
    pub records: u64,
    /// The mean score in centipawns.
    pub score: f64,
    /// The mean result of the side to move: 1 win, ½ draw, 0 loss.
    pub result: f64,
}

/// The number of records of a score, and the sum of their results in halves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ScoreCount {
    pub(super) records: u64,
    pub(super) halves: u64,
}

impl Calibration {
    /// Returns the calibration of counts by score; `None` if no scale is the most likely one.
    pub(super) fn of(counts: &[(i32, ScoreCount)]) -> Option<Self> {
        let counted: Vec<_> = counts.iter().filter(|(score, _)| score.abs() <= MOST).collect();
        let mut bins: Vec<CalibrationBin> = Vec::new();
        let middle = |score: i32| (score + BIN / 2).div_euclid(BIN);
        for bin in counted.chunk_by(|(a, _), (b, _)| middle(*a) == middle(*b)) {
            let records: u64 = bin.iter().map(|(_, count)| count.records).sum();
            let mean = |weight: fn(i32, &ScoreCount) -> f64| {
                bin.iter().map(|(score, count)| weight(*score, count)).sum::<f64>() / records as f64
            };
            let score = mean(|score, count| f64::from(score) * count.records as f64);
            let result = mean(|_, count| count.halves as f64 / 2.0);
            bins.push(CalibrationBin { records, score, result });
        }
        let points = counted.iter().map(|(score, count)| {
            let records = count.records as f64;
            (f64::from(*score), records, count.halves as f64 / 2.0)
        });
        let scale = scale(&points.collect::<Vec<_>>())?;
        Some(Self { scale, bins })
    }
}

/// Returns the scale of the largest likelihood for scores, numbers of records and sums of results.
///
/// The slope of the likelihood falls with the reciprocal of the scale, so that its zero is between
/// two reciprocals with slopes of different signs. It has none if every score predicts its result,
/// or no score does.
fn scale(points: &[(f64, f64, f64)]) -> Option<f64> {
    let slope = |reciprocal: f64| {
        let term = |&(score, records, result): &(f64, f64, f64)| {
            score * (result - records / (1.0 + (-score * reciprocal).exp()))
        };
        points.iter().map(term).sum::<f64>()
    };
    let (mut least, mut most) = (1e-6, 1.0);
    if slope(least) <= 0.0 || slope(most) >= 0.0 {
        return None;
    }
    for _ in 0..100 {
        let middle = (least + most) / 2.0;
        if slope(middle) > 0.0 { least = middle } else { most = middle }
    }
    Some(2.0 / (least + most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_of_the_data_is_found() {
        for expected in [300.0, 600.0, 1_200.0] {
            let count = |score: i32| {
                let likely = 1.0 / (1.0 + (-f64::from(score) / expected).exp());
                (
                    score,
                    ScoreCount { records: 100_000, halves: (200_000.0 * likely).round() as u64 },
                )
            };
            let counts: Vec<_> = (-3_500..=3_500).step_by(10).map(count).collect();
            let found = Calibration::of(&counts).expect("there is one");
            assert!((found.scale - expected).abs() < 0.1, "{}", found.scale);
            assert_eq!(found.bins.len(), 61);
            let even = found.bins[30];
            assert_eq!((even.records, even.score, even.result), (1_000_000, -5.0, even.result));
            assert!((even.result - 0.5).abs() < 0.005);
        }
    }

    #[test]
    fn data_without_a_scale_have_none() {
        let won =
            |score| (score, ScoreCount { records: 5, halves: if score > 0 { 10 } else { 0 } });
        assert_eq!(Calibration::of(&[won(-100), won(100)]), None);
        assert_eq!(Calibration::of(&[(0, ScoreCount { records: 5, halves: 5 })]), None);
        assert_eq!(Calibration::of(&[]), None);
    }
}
