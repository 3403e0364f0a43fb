//! Policy and value of positions from one model, such as a deep network, many positions at a time.

use core::fmt::Debug;
use std::error::Error;

use komadai_core::{Move, Position};
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use crate::move_probability::MoveProbability;
use crate::scaled::Scaled;

/// A model of positions: how probable each move is, and what result the side to move can expect.
///
/// The tree search collects positions and passes them on in batches, because the networks for which
/// this seam is made evaluate many positions in little more time than one. Several threads may call
/// one model at the same time.
///
/// # Examples
///
/// A model that knows nothing:
///
/// ```
/// use komadai_core::Position;
/// use komadai_search::monte_carlo::{PolicyRequest, PolicyValue, PolicyValueError};
///
/// #[derive(Debug)]
/// struct Ignorant;
///
/// impl PolicyValue for Ignorant {
///     fn batch_size(&self) -> usize {
///         16
///     }
///
///     fn evaluate(&self, requests: &mut [PolicyRequest]) -> Result<(), PolicyValueError> {
///         for request in requests {
///             request.set_value(0.5);
///             request.logits_mut().fill(0.0);
///         }
///         Ok(())
///     }
/// }
///
/// let mut requests = [PolicyRequest::new(Position::hirate())];
/// Ignorant.evaluate(&mut requests)?;
/// assert_eq!((requests[0].logits(), requests[0].value()), (&[0.0; 30][..], 0.5));
/// # Ok::<(), PolicyValueError>(())
/// ```
///
/// [`EvaluatorPolicy`] makes a model of an evaluator and a model of moves.
pub trait PolicyValue: Debug + Send + Sync {
    /// Returns the largest number of positions that one call should get, at least 1.
    fn batch_size(&self) -> usize;

    /// Sets the value and the logits of every request.
    ///
    /// # Errors
    ///
    /// Any failure of the model. It ends the search, which returns what it has found so far.
    fn evaluate(&self, requests: &mut [PolicyRequest]) -> Result<(), PolicyValueError>;
}

/// A position to be evaluated by a [`PolicyValue`], and the result.
#[derive(Debug, Clone)]
pub struct PolicyRequest {
    position: Position,
    moves: Vec<Move>,
    logits: Vec<f32>,
    value: f32,
}

impl PolicyRequest {
    /// Returns a request for all legal moves of a position.
    pub fn new(position: Position) -> Self {
        let moves = position.legal_moves().into_iter().collect();
        Self::with_moves(position, moves)
    }

    /// Returns a request for some legal moves.
    pub(super) fn with_moves(position: Position, moves: Vec<Move>) -> Self {
        // Without a number as long as the model has set none.
        let logits = vec![f32::NAN; moves.len()];
        Self { position, moves, logits, value: f32::NAN }
    }

    /// Returns the position, with the moves that led to it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the moves whose logits are wanted; all are legal.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the logits of the [moves](Self::moves), in their order: the logarithms of their
    /// probabilities plus a constant of the position. NaN until they are set.
    pub fn logits(&self) -> &[f32] {
        &self.logits
    }

    /// Returns the logits, for the model to set.
    pub fn logits_mut(&mut self) -> &mut [f32] {
        &mut self.logits
    }

    /// Returns the expected result of the side to move: 1 for a win, ½ for a draw, 0 for a loss.
    /// NaN until it is set.
    pub fn value(&self) -> f32 {
        self.value
    }

    /// Sets the expected result of the side to move, between 0 and 1.
    pub fn set_value(&mut self, value: f32) {
        self.value = value;
    }

    /// Checks the numbers that the model has set.
    pub(super) fn check(&self) -> Result<(), PolicyValueError> {
        let sfen = || self.position.to_string();
        if !(0.0..=1.0).contains(&self.value) {
            return Err(PolicyValueError::BadValue { value: self.value, sfen: sfen() });
        }
        match self.moves.iter().zip(&self.logits).find(|(_, logit)| !logit.is_finite()) {
            Some((&m, &logit)) => Err(PolicyValueError::BadLogit { m, logit, sfen: sfen() }),
            None => Ok(()),
        }
    }
}

/// The reason why a model has not evaluated positions.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyValueError {
    /// The model has failed; the source is its own error.
    #[error("the model failed on a batch of {positions} positions")]
    Failed {
        /// The number of positions.
        positions: usize,
        /// The error of the model.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The value of a position is no expected result.
    #[error("the model gave the value {value}, expected a number from 0 to 1, for {sfen}")]
    BadValue {
        /// The value; NaN if the model has set none.
        value: f32,
        /// The position.
        sfen: String,
    },
    /// The logit of a move is no finite number.
    #[error("the model gave {m} the logit {logit}, expected a finite number, for {sfen}")]
    BadLogit {
        /// The move.
        m: Move,
        /// The logit; NaN if the model has set none.
        logit: f32,
        /// The position.
        sfen: String,
    },
}

/// A [`PolicyValue`] of two parts: an evaluator for the value, a model of moves for the policy.
///
/// The value is the static evaluation, without quiescence search.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use komadai_core::{Budget, Position};
/// use komadai_eval::Classical;
/// use komadai_search::monte_carlo::{EvaluatorPolicy, MonteCarlo, MonteCarloOptions};
/// use komadai_search::{LogisticMoves, Searcher};
///
/// let mut model = EvaluatorPolicy::new(Classical::default(), LogisticMoves::default());
/// model.batch_size = 8;
/// let mut searcher = MonteCarlo::new(Classical::default(), MonteCarloOptions::modern());
/// searcher.set_policy_value(Some(Arc::new(model)));
/// let analysis = searcher.search(&Position::hirate(), &Budget::nodes(2_000), &mut |_| {});
/// assert!(analysis.best_move().is_some() && searcher.policy_value_error().is_none());
/// ```
#[derive(Debug, Clone)]
pub struct EvaluatorPolicy<E, M> {
    evaluator: Scaled<E>,
    model: M,
    /// The score in centipawns, for an evaluator of scale 1, at which a side wins *e* / (*e* + 1) of
    /// the games: 600 at first.
    pub scale_cp: f32,
    /// The preferred size of batches: one position at first.
    pub batch_size: usize,
}

impl<E: Evaluator, M: MoveProbability> EvaluatorPolicy<E, M> {
    /// Returns a model for batches of one position, in which a score of 600 centipawns, times the
    /// [scale](Evaluator::scale) of the evaluator, wins *e* / (*e* + 1) of the games.
    pub fn new(evaluator: E, model: M) -> Self {
        Self { evaluator: Scaled::new(evaluator), model, scale_cp: 600.0, batch_size: 1 }
    }
}

impl<E: Evaluator + Debug + Send + Sync, M: MoveProbability> PolicyValue for EvaluatorPolicy<E, M> {
    fn batch_size(&self) -> usize {
        self.batch_size
    }

    fn evaluate(&self, requests: &mut [PolicyRequest]) -> Result<(), PolicyValueError> {
        for request in requests {
            let value = self.evaluator.evaluate_position(&request.position);
            request.set_value(1.0 / (1.0 + (-value as f32 / self.scale_cp).exp()));
            let logits = self.model.scores(&request.position, &request.moves);
            // A model that returns fewer leaves the rest unset, which the search reports.
            request.logits.iter_mut().zip(logits).for_each(|(slot, logit)| *slot = logit);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
