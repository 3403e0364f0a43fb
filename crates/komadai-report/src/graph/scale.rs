//! The compressed scale of values.

use core::f64::consts::FRAC_2_PI;

use komadai_core::Score;

/// The value, in centipawns, at half of the height. With it, 300, 1,000 and 3,000 centipawns are at
/// 23 %, 57 % and 83 %, so that their labels have room, and a mate is beyond all centipawns.
const HALF_CP: f64 = 800.0;

/// The values at which the scale has lines, besides zero and mates.
pub(super) const GRID_CP: [i32; 3] = [300, 1_000, 3_000];

/// Returns the height of a value: 0 for an even position, 1 for a mate by Black, −1 for one by
/// White.
pub(super) fn height(score: Score) -> f64 {
    match score.to_cp() {
        Some(cp) => FRAC_2_PI * (f64::from(cp) / HALF_CP).atan(),
        None => f64::from(score.raw().signum()),
    }
}

/// The centipawns at which a side wins `1 / (1 + e⁻¹)` = 73 % of the games: the usual scale of
/// shogi engines, a convention.
const WIN_SCALE_CP: f64 = 600.0;

/// Returns the probability that Black wins, which a value for Black means.
pub(super) fn win_probability(score: Score) -> f64 {
    match score.to_cp() {
        Some(cp) => 1.0 / (1.0 + (-f64::from(cp) / WIN_SCALE_CP).exp()),
        None if score > Score::ZERO => 1.0,
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_grows_and_ends_at_mates() {
        let scores = [-Score::MATE, Score::cp(-30_000), Score::cp(-300), Score::ZERO];
        let more = [Score::cp(1), Score::cp(300), Score::cp(30_000), Score::mate_in(1_998)];
        let heights: Vec<f64> = scores.into_iter().chain(more).map(height).collect();
        assert!(heights.is_sorted_by(|one, other| one < other), "{heights:?}");
        assert_eq!((heights[0], heights[3], heights[7]), (-1.0, 0.0, 1.0));
        let percent = GRID_CP.map(|cp| (100.0 * height(Score::cp(cp))).round());
        assert_eq!(percent, [23.0, 57.0, 83.0]);
        assert_eq!(height(Score::INFINITE), 1.0);
        assert_eq!(win_probability(Score::ZERO), 0.5);
        assert!((win_probability(Score::cp(600)) - 0.731).abs() < 0.001);
        assert_eq!([Score::MATE, -Score::MATE].map(win_probability), [1.0, 0.0]);
    }
}
