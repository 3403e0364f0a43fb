//! Prediction of mates (詰み予測) from features of the position: does the side to move mate by
//! checks?
//!
//! A mate solver knows, but to ask it at every node of a search costs more than its mates are
//! worth. The prediction, a logistic regression, tells where the question pays.
//!
//! `docs/threatmate.md` has the figures and the command that measured them.
//!
//! Source of the idea: "SVMによる将棋の詰みの予測とその応用" (prediction of mates in shogi by support
//! vector machines, and its application), a master's thesis of the University of Tokyo that the
//! glossary of computer shogi (2009) names. We know its title; the features are those of the
//! threatmate predictor, and logistic regression is in the place of the machine.

#[allow(clippy::approx_constant, reason = "a fitted number may be near some constant")]
mod coefficients;
mod features;
#[cfg(test)]
mod tests;

use komadai_core::Position;

pub use self::features::MateFeatures;
use crate::threatmate::numbers::product;

/// A logistic regression on [`MateFeatures`].
///
/// # Examples
///
/// A gold in front of the king mates; a gold far from it has nothing to support it.
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::MatePrediction;
///
/// let mate = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
/// let none = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b G 1")?;
/// let prediction = MatePrediction::default();
/// assert!(prediction.probability(&mate) > prediction.probability(&none));
/// assert_eq!(prediction.probability(&Position::hirate()), 0.0);
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatePrediction {
    /// The amounts that one unit of each feature adds to the logarithm of the odds, in the order of
    /// [`MateFeatures::to_array`].
    pub coefficients: [f32; MateFeatures::COUNT],
}

impl MatePrediction {
    /// The fit that ships, to positions of games in which the side to move has a check.
    pub const FITTED: Self = Self { coefficients: coefficients::FITTED };

    /// Returns the natural logarithm of the odds that the side to move has a mate by checks;
    /// negative infinity without a check.
    ///
    /// Sums and their comparison give the same result on every machine, exponentials do not.
    pub fn log_odds(&self, position: &Position) -> f32 {
        let features = MateFeatures::of(position);
        features
            .map_or(f32::NEG_INFINITY, |features| product(&features.to_array(), &self.coefficients))
    }

    /// Returns the probability of a mate by checks, 0 to 1.
    pub fn probability(&self, position: &Position) -> f32 {
        1.0 / (1.0 + (-self.log_odds(position)).exp())
    }
}

impl Default for MatePrediction {
    /// Returns [`FITTED`](Self::FITTED).
    fn default() -> Self {
        Self::FITTED
    }
}
