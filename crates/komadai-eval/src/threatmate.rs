//! Prediction of threatmates (詰めろ) from features of the position, without search.
//!
//! A threatmate is a move after which its player would mate if the opponent passed. A proof
//! requires a mate solver, which is too slow for every node of a search. The predictions here are a
//! logistic regression, with two sets of features: a cheap one without move generation, and a full
//! one that also counts the replies to every check after a pass; and a small network on the full
//! set.
//!
//! `docs/threatmate.md` has the figures and the commands that measured them.
//!
//! Sources: S. Takeuchi, T. Kaneko, S. Kawai, "An indicator of threatmates based on game records"
//! (棋譜に基づく詰めろの指標), 9th Game Programming Workshop, 2004, for the method; OpenShogiLib
//! (T. Kaneko and others) for the captures, the squares for drops and moves, and the attack on a
//! neighbour. The other features and all coefficients are our own.

mod checks;
#[allow(clippy::approx_constant, reason = "a fitted number may be near some constant")]
mod coefficients;
mod escapes;
pub(crate) mod features;
mod network;
#[allow(clippy::approx_constant, reason = "a fitted number may be near some constant")]
mod network_weights;
pub(crate) mod numbers;
pub(crate) mod surroundings;
#[cfg(test)]
mod tests;

use core::fmt::Debug;

use komadai_core::Position;

pub use self::checks::CheckFeatures;
pub use self::features::ThreatmateFeatures;
use self::features::fill;
pub use self::network::NetworkThreatmate;
use self::numbers::product;

/// A predictor of threatmates.
///
/// The odds are natural logarithms: sums and their comparison give the same result on every
/// machine, exponentials do not.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::{LogisticThreatmate, ThreatmatePredictor};
///
/// // The first move of a game threatens no mate.
/// let position = Position::hirate().after("7g7f".parse()?);
/// let predictor = LogisticThreatmate::default();
/// assert!(!predictor.is_threatmate(&position));
/// assert!(predictor.probability(&position) < 0.5);
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
pub trait ThreatmatePredictor: Debug + Send + Sync {
    /// Returns the logarithm of the odds that the last move of `position` was a threatmate.
    ///
    /// The result is negative infinity if the move cannot be a threatmate: after a null move,
    /// without a last move, and in check, because a side in check cannot pass.
    fn log_odds(&self, position: &Position) -> f32;

    /// Returns true if the last move was more probably a threatmate than not.
    fn is_threatmate(&self, position: &Position) -> bool {
        self.log_odds(position) > 0.0
    }

    /// Returns the probability that the last move was a threatmate, 0 to 1.
    fn probability(&self, position: &Position) -> f32 {
        1.0 / (1.0 + (-self.log_odds(position)).exp())
    }
}

/// A logistic regression on [`ThreatmateFeatures`], and on [`CheckFeatures`] if it has coefficients
/// for them.
///
/// # Examples
///
/// Black drops a silver. White's king has one escape square, and Black holds two golds.
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::{LogisticThreatmate, ThreatmatePredictor};
///
/// let mut position = Position::from_sfen("6knl/7p1/5PP2/9/9/9/9/9/4K4 b S2G 1")?;
/// for predictor in [LogisticThreatmate::CHEAP, LogisticThreatmate::FULL] {
///     assert!(!predictor.is_threatmate(&position), "nothing has been played");
///     position.do_move("S*4b".parse()?);
///     assert!(!predictor.is_threatmate(&position), "a check is no threatmate");
///     position.undo_move();
///     position.do_move("S*5b".parse()?);
///     assert!(predictor.is_threatmate(&position));
///     position.undo_move();
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogisticThreatmate {
    /// The amounts that one unit of each feature adds to the logarithm of the odds, in the order of
    /// [`ThreatmateFeatures::to_array`].
    pub coefficients: [f32; ThreatmateFeatures::COUNT],
    /// The same for [`CheckFeatures::to_array`]; `None` for a prediction without move generation.
    pub checks: Option<[f32; CheckFeatures::COUNT]>,
}

impl LogisticThreatmate {
    /// The predictor without move generation, fast enough for the nodes of a search.
    ///
    /// It was fitted to threatmates and twice as many other moves: odds above 1 are right for such
    /// a mixture. [`for_games`](Self::for_games) has the odds of moves played in games.
    pub const CHEAP: Self = Self { coefficients: coefficients::CHEAP, checks: None };

    /// The predictor that also counts the replies to every check after a pass. It is more accurate
    /// and takes tens of times as long.
    pub const FULL: Self =
        Self { coefficients: coefficients::FULL, checks: Some(coefficients::FULL_CHECKS) };

    /// Returns the predictor with the odds of moves played in games, of which fewer are threatmates
    /// than in the mixture of the fit.
    #[must_use]
    pub fn for_games(mut self) -> Self {
        self.coefficients[0] += match self.checks {
            None => coefficients::CHEAP_IN_GAMES,
            Some(_) => coefficients::FULL_IN_GAMES,
        };
        self
    }
}

impl Default for LogisticThreatmate {
    /// Returns [`CHEAP`](Self::CHEAP).
    fn default() -> Self {
        Self::CHEAP
    }
}

impl ThreatmatePredictor for LogisticThreatmate {
    fn log_odds(&self, position: &Position) -> f32 {
        // The numbers stay where they are filled in: copies would take a tenth of the time.
        let mut values = [0.0; ThreatmateFeatures::COUNT];
        if !fill(&mut values, position) {
            return f32::NEG_INFINITY;
        }
        let odds = product(&values, &self.coefficients);
        let Some(weights) = &self.checks else { return odds };
        CheckFeatures::of(position)
            .map_or(f32::NEG_INFINITY, |checks| odds + product(&checks.to_array(), weights))
    }
}
