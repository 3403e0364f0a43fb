//! The seam between positions and whoever wants to know their worth.

use core::fmt::Debug;
use std::sync::Arc;

use komadai_core::{Move, Position, Score};

/// Judges positions without looking ahead.
///
/// The weights lie behind `&self`, so that one evaluator serves any number of threads; what changes
/// from move to move lies in a [`State`](Self::State), of which each thread keeps its own beside its
/// position. A state belongs to one position: it starts with [`refresh`](Self::refresh) and follows
/// through [`do_move`](Self::do_move) and [`undo_move`](Self::undo_move). A null move changes no
/// piece, so the state stays as it is.
///
/// Every implementation keeps two promises, which this crate's tests check for its own:
///
/// - the state that has followed the moves gives the same score as a fresh one;
/// - turning the board by 180 degrees and exchanging the colours changes nothing for the side to
///   move.
///
/// # Examples
///
/// ```
/// use komadai_core::{Move, Position, Score, Square};
/// use komadai_eval::{Evaluator, Material};
///
/// let mut position = Position::from_sfen("4k4/9/9/9/4p4/9/9/4L4/4K4 b - 1")?;
/// let mut state = Material.refresh(&position);
/// let before = Material.evaluate(&position, &state);
///
/// Material.do_move(&mut position, Move::new(Square::S58, Square::S55), &mut state);
/// let after = -Material.evaluate(&position, &state);
/// assert!(after > before);
/// assert_eq!(after, -Material.judge(&position));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub trait Evaluator: Send + Sync {
    /// What one thread keeps about one position and updates with every move.
    type State: Clone + Debug + Send;

    /// Builds the state of a position from nothing.
    fn refresh(&self, position: &Position) -> Self::State;

    /// Does `m`, which must be legal, on both the position and its state.
    fn do_move(&self, position: &mut Position, m: Move, state: &mut Self::State);

    /// Undoes the last move on both.
    fn undo_move(&self, position: &mut Position, state: &mut Self::State);

    /// The worth of a position in centipawns, positive is good for the side to move.
    ///
    /// `state` must belong to `position`. The score is never a mate.
    fn evaluate(&self, position: &Position, state: &Self::State) -> Score;

    /// The worth of a single position, for callers that do not move on.
    fn judge(&self, position: &Position) -> Score {
        self.evaluate(position, &self.refresh(position))
    }
}

macro_rules! shares_weights {
    ($pointer:ty) => {
        /// Shares one set of weights.
        impl<E: Evaluator> Evaluator for $pointer {
            type State = E::State;

            #[inline]
            fn refresh(&self, position: &Position) -> E::State {
                (**self).refresh(position)
            }

            #[inline]
            fn do_move(&self, position: &mut Position, m: Move, state: &mut E::State) {
                (**self).do_move(position, m, state);
            }

            #[inline]
            fn undo_move(&self, position: &mut Position, state: &mut E::State) {
                (**self).undo_move(position, state);
            }

            #[inline]
            fn evaluate(&self, position: &Position, state: &E::State) -> Score {
                (**self).evaluate(position, state)
            }
        }
    };
}

shares_weights!(&E);
shares_weights!(Arc<E>);
