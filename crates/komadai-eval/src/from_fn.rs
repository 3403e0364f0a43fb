//! Evaluators made from a function.

use core::fmt;

use komadai_core::{Position, Score};

use crate::evaluator::Evaluator;

/// Returns an evaluator that calls `evaluate` for each position.
///
/// The function returns centipawns, positive is good for the side to move. Values beyond
/// ±[`Score::MAX_CP`] are clamped. The quickest way to an evaluation of one's own; an evaluation
/// that updates data with each move implements [`Evaluator`].
///
/// # Examples
///
/// ```
/// use komadai_core::{PieceKind, Position, Score};
/// use komadai_eval::{Evaluator, from_fn};
///
/// // A hundred centipawns for each pawn in hand.
/// let pawns = from_fn(|position: &Position| {
///     let held = |color| position.hand(color).count(PieceKind::Pawn) as i32;
///     100 * (held(position.side()) - held(!position.side()))
/// });
/// let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 w Pp3p 1")?;
/// assert_eq!(pawns.evaluate_position(&position), Score::cp(300));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn from_fn<F: Fn(&Position) -> i32 + Send + Sync>(evaluate: F) -> FromFn<F> {
    FromFn { evaluate }
}

/// The evaluator that [`from_fn`] returns.
#[derive(Clone, Copy)]
pub struct FromFn<F> {
    evaluate: F,
}

impl<F> fmt::Debug for FromFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FromFn").finish_non_exhaustive()
    }
}

impl<F: Fn(&Position) -> i32 + Send + Sync> Evaluator for FromFn<F> {
    type State = ();

    fn refresh(&self, _: &Position) {}

    #[inline]
    fn evaluate(&self, position: &Position, (): &mut ()) -> Score {
        Score::cp((self.evaluate)(position))
    }
}
