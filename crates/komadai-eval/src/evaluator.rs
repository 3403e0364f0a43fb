//! The trait of evaluators, and evaluators made from a function.

use core::fmt;
use core::fmt::Debug;
use std::sync::Arc;

use komadai_core::{Move, Position, Score};

use crate::scale;

/// A static evaluation: the score of a position without search.
///
/// The weights are behind `&self`, so that threads share one evaluator. The data that change with
/// each move are in a [`State`](Self::State), one per thread and position. A state belongs to one
/// position: [`refresh`](Self::refresh) creates it, [`do_move`](Self::do_move) and
/// [`undo_move`](Self::undo_move) update it. A null move changes no piece and leaves the state
/// unchanged, so that a state holds nothing that depends on the side to move.
///
/// `State`, `refresh` and [`evaluate`](Self::evaluate) suffice: by default `do_move` and
/// `undo_move` refresh the state. An evaluation without a state is a function, see
/// [`from_fn()`](crate::from_fn()).
///
/// Every implementation guarantees two properties, which the tests of this crate check for its own
/// evaluators:
///
/// - an updated state gives the same score as a fresh one;
/// - a board rotated by 180 degrees with exchanged colours has the same score for the side to move.
///
/// # Examples
///
/// ```
/// use komadai_core::{Move, Position, Score, Square};
/// use komadai_eval::{Evaluator, Material};
///
/// let mut position = Position::from_sfen("4k4/9/9/9/4p4/9/9/4L4/4K4 b - 1")?;
/// let mut state = Material.refresh(&position);
/// let before = Material.evaluate(&position, &mut state);
///
/// Material.do_move(&mut position, Move::new(Square::S58, Square::S55), &mut state);
/// let after = -Material.evaluate(&position, &mut state);
/// assert!(after > before);
/// assert_eq!(after, -Material.evaluate_position(&position));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
///
/// An evaluation of one's own, without incremental updates:
///
/// ```
/// use komadai_core::{Color, Position, Score};
/// use komadai_eval::{Evaluator, Material};
///
/// /// Material, and ten centipawns for each rank that a king has advanced.
/// struct EnteringKing;
///
/// impl Evaluator for EnteringKing {
///     /// The lead of Black's king in ranks.
///     type State = i32;
///
///     fn refresh(&self, position: &Position) -> i32 {
///         let rank = |color, home| {
///             position.king_square(color).map_or(home, |king| king.rank() as i32)
///         };
///         8 - rank(Color::Black, 8) - rank(Color::White, 0)
///     }
///
///     fn evaluate(&self, position: &Position, lead: &mut i32) -> Score {
///         let own_lead = if position.side() == Color::Black { *lead } else { -*lead };
///         Score::cp(Material.evaluate_position(position).raw() + 10 * own_lead)
///     }
/// }
///
/// let mut position = Position::hirate();
/// let mut lead = EnteringKing.refresh(&position);
/// EnteringKing.do_move(&mut position, "5i5h".parse()?, &mut lead);
/// assert_eq!(EnteringKing.evaluate(&position, &mut lead), Score::cp(-10));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
pub trait Evaluator: Send + Sync {
    /// The data of one position that are updated with every move.
    type State: Clone + Debug + Send;

    /// Computes the state of a position from scratch.
    fn refresh(&self, position: &Position) -> Self::State;

    /// Does `m`, which must be legal, on the position and updates the state.
    ///
    /// The default does the move and refreshes the state. An implementation has to do the move as
    /// well: by [`Position::do_move`], or by [`Position::do_move_with`] and an observer that
    /// updates the state.
    fn do_move(&self, position: &mut Position, m: Move, state: &mut Self::State) {
        position.do_move(m);
        *state = self.refresh(position);
    }

    /// Undoes the last move on the position and updates the state.
    ///
    /// The default undoes the move and refreshes the state. An implementation has to undo the move
    /// as well.
    fn undo_move(&self, position: &mut Position, state: &mut Self::State) {
        position.undo_move();
        *state = self.refresh(position);
    }

    /// Returns the score of a position in centipawns, positive is good for the side to move.
    ///
    /// `state` must belong to `position`. It is mutable so that an evaluator may compute its data
    /// only for positions that are evaluated. The score is never a mate score.
    fn evaluate(&self, position: &Position, state: &mut Self::State) -> Score;

    /// Returns the score of a single position, without a state to update.
    fn evaluate_position(&self, position: &Position) -> Score {
        self.evaluate(position, &mut self.refresh(position))
    }

    /// Returns the size of this evaluation's centipawn: how many of them a search takes for one of
    /// its own, in which its margins are.
    ///
    /// The default measures it on positions of real games ([`scale`](crate::scale)), with some 460
    /// calls of `evaluate_position`. A searcher asks once, when it is made. An implementation may
    /// return a number that it knows or keeps; 1 gives the values to the search as they are.
    fn scale(&self) -> f64 {
        scale::measure(|position| self.evaluate_position(position))
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
            fn evaluate(&self, position: &Position, state: &mut E::State) -> Score {
                (**self).evaluate(position, state)
            }

            fn evaluate_position(&self, position: &Position) -> Score {
                (**self).evaluate_position(position)
            }

            fn scale(&self) -> f64 {
                (**self).scale()
            }
        }
    };
}

shares_weights!(&E);
shares_weights!(Arc<E>);

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
