//! The predictor of threatmates with a layer of hidden units.

use komadai_core::Position;

use super::ThreatmatePredictor;
use super::checks::CheckFeatures;
use super::features::{ThreatmateFeatures, fill};
use super::network_weights::{CONSTANT, HIDDEN, HIDDEN_CHECKS, IN_GAMES, OUTPUT, UNITS};

/// A network of 16 rectified linear units on [`ThreatmateFeatures`] and [`CheckFeatures`].
///
/// It is more accurate than [`LogisticThreatmate::FULL`](super::LogisticThreatmate::FULL), the
/// regression on the same features, and takes somewhat longer: a predictor beside an analysis
/// rather than at the nodes of a search.
///
/// # Examples
///
/// Black drops a silver. White's king has one escape square, and Black holds two golds.
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::{NetworkThreatmate, ThreatmatePredictor};
///
/// let before = Position::from_sfen("6knl/7p1/5PP2/9/9/9/9/9/4K4 b S2G 1")?;
/// let position = before.after("S*5b".parse()?);
/// assert!(NetworkThreatmate::FULL.is_threatmate(&position));
/// assert!(NetworkThreatmate::FULL.for_games().probability(&position) > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetworkThreatmate {
    /// The constant of the logarithm of the odds.
    constant: f32,
}

impl NetworkThreatmate {
    /// The network as it was fitted, to threatmates and twice as many other moves: odds above 1 are
    /// right for such a mixture. [`for_games`](Self::for_games) has the odds of moves played in
    /// games.
    pub const FULL: Self = Self { constant: CONSTANT };

    /// Returns the network with the odds of moves played in games, of which fewer are threatmates
    /// than in the mixture of the fit.
    #[must_use]
    pub const fn for_games(self) -> Self {
        Self { constant: self.constant + IN_GAMES }
    }
}

impl ThreatmatePredictor for NetworkThreatmate {
    fn log_odds(&self, position: &Position) -> f32 {
        let mut values = [0.0; ThreatmateFeatures::COUNT];
        if !fill(&mut values, position) {
            return f32::NEG_INFINITY;
        }
        let Some(checks) = CheckFeatures::of(position) else { return f32::NEG_INFINITY };
        let mut sums = [0.0; UNITS];
        add_products(&mut sums, &values, &HIDDEN);
        add_products(&mut sums, &checks.to_array(), &HIDDEN_CHECKS);
        let terms = sums.iter().zip(&OUTPUT).map(|(sum, weight)| sum.max(0.0) * weight);
        terms.sum::<f32>() + self.constant
    }
}

/// Adds the product of each value and its weights.
fn add_products(sums: &mut [f32; UNITS], values: &[f32], weights: &[[f32; UNITS]]) {
    for (value, weights) in values.iter().zip(weights) {
        // Most values are 0.
        if *value != 0.0 {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
        }
    }
}
