//! The scale of an evaluation: how far apart its values are.
//!
//! Evaluations call different amounts "a centipawn": the values of one network can be half as far
//! apart as those of another for the same positions. A search compares values with margins, and a
//! margin that suits one evaluation prunes good moves with another. [`spread`] measures an
//! evaluation on positions of real games, and [`Evaluator::scale`](crate::Evaluator::scale) is the
//! ratio to the evaluation with which the margins of `komadai-search` were tuned.
//!
//! # Examples
//!
//! ```
//! use komadai_core::Position;
//! use komadai_eval::{Evaluator, Material, from_fn};
//!
//! // Values twice as far apart have twice the scale.
//! let double = from_fn(|position: &Position| 2 * Material.evaluate_position(position).raw());
//! assert_eq!(double.scale(), 2.0 * Material.scale());
//! ```

use std::sync::LazyLock;

use komadai_core::{PackedSfen, Position, Score};

/// The spread of the network of `komadai-weights`, with which the margins of `komadai-search` were
/// tuned.
pub const REFERENCE_SPREAD: f64 = 67_849.0 / 346.0;

/// The share of the values that count for the spread, the smallest ones: values of decided games
/// differ between evaluations because of their limits, and no margin matters there.
const COUNTED: f64 = 0.75;

/// The limits of a scale.
const LIMITS: (f64, f64) = (1.0 / 64.0, 64.0);

/// Returns the positions by which evaluations are scaled: six of each of 77 real games, from the
/// opening to the end, none in check.
///
/// Source: the tournament games of `komadai-grow`.
pub fn sample() -> &'static [Position] {
    static SAMPLE: LazyLock<Vec<Position>> = LazyLock::new(|| {
        let packed = include_bytes!("scale/sample.bin").as_chunks::<32>().0;
        packed.iter().filter_map(|&bytes| PackedSfen::from_bytes(bytes).position().ok()).collect()
    });
    &SAMPLE
}

/// Returns the spread of a function of a position: the mean of the absolute values on the
/// [`sample()`], without the largest quarter of them, in the function's unit.
pub fn spread(value: impl FnMut(&Position) -> f64) -> f64 {
    let mut sizes: Vec<f64> = sample().iter().map(value).map(f64::abs).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.truncate((sizes.len() as f64 * COUNTED) as usize);
    sizes.iter().sum::<f64>() / sizes.len().max(1) as f64
}

/// Returns the scale of an evaluation with this spread in centipawns: its ratio to
/// [`REFERENCE_SPREAD`], between 1/64 and 64. An evaluation without any spread has the scale 1.
///
/// # Examples
///
/// ```
/// use komadai_eval::scale::{REFERENCE_SPREAD, from_spread};
///
/// assert_eq!(from_spread(1.5 * REFERENCE_SPREAD), 1.5);
/// assert_eq!(from_spread(0.0), 1.0);
/// ```
pub fn from_spread(spread: f64) -> f64 {
    if spread > 0.0 { (spread / REFERENCE_SPREAD).clamp(LIMITS.0, LIMITS.1) } else { 1.0 }
}

/// Measures the scale of an evaluation on the [`sample()`]: some 460 calls of `evaluate`.
pub fn measure(mut evaluate: impl FnMut(&Position) -> Score) -> f64 {
    from_spread(spread(|position| f64::from(evaluate(position).raw())))
}
