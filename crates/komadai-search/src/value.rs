//! Values inside the search: the numbers of [`Score`], as plain integers.

use komadai_core::{Bound, Score};

/// The number of a [`Score`], for the side to move. Mates are counted from the root.
pub(crate) type Value = i32;

/// Largest number of plies from the root, quiescence included.
pub(crate) const MAX_PLY: usize = 246;

/// The deepest iteration. Extensions and quiescence may search on to [`MAX_PLY`].
pub(crate) const MAX_DEPTH: i32 = 120;

/// A number above every value.
pub(crate) const INFINITE: Value = Score::INFINITE.raw();

/// The value of a game won by a rule other than mate: a declaration, or the opponent's perpetual
/// check.
pub(crate) const WON_BY_RULE: Value = Score::MAX_CP;

/// The value of the same board as earlier in the line with more in hand (a superior repetition).
///
/// The opponent would not have allowed it with another move, so it is nearly a win. But it ends no
/// game: the value lies between evaluations and decided games.
pub(crate) const SUPERIOR: Value = 25_000;

/// The largest evaluation: larger ones are cut, so that none is taken for a decided game.
pub(crate) const MAX_EVALUATION: Value = 20_000;

/// Returns the value of being mated `ply` plies from the root.
#[inline]
pub(crate) const fn mated(ply: usize) -> Value {
    Score::mated_in(ply as u32).raw()
}

/// Returns the value of mating `ply` plies from the root.
#[inline]
pub(crate) const fn mating(ply: usize) -> Value {
    Score::mate_in(ply as u32).raw()
}

/// Checks whether a value is beyond evaluations: a mate, or decided by a rule.
#[inline]
pub(crate) const fn is_decided(value: Value) -> bool {
    value.abs() > MAX_EVALUATION
}

/// Converts a value whose mates are counted from the root to one whose mates are counted from the
/// node `ply` plies below it.
///
/// The transposition table keeps values in this form, because a position occurs at several plies.
#[inline]
pub(crate) fn to_ply(value: Value, ply: usize) -> Value {
    if may_be_mate(value) { Score::from_raw(value).to_ply(ply as u32).raw() } else { value }
}

/// Converts a value of the transposition table: the reverse of [`to_ply`].
#[inline]
pub(crate) fn from_ply(value: Value, ply: usize) -> Value {
    if may_be_mate(value) { Score::from_raw(value).from_ply(ply as u32).raw() } else { value }
}

/// A quick test, because hardly any value is a mate.
#[inline]
const fn may_be_mate(value: Value) -> bool {
    value.abs() > Score::MAX_CP
}

/// The search window of a node: the open interval of values that it distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    /// The value that the side to move has already.
    pub(crate) alpha: Value,
    /// The value that the opponent will not allow.
    pub(crate) beta: Value,
}

impl Window {
    /// The window of all values.
    pub(crate) const FULL: Self = Self { alpha: -INFINITE, beta: INFINITE };

    /// Returns the zero window, with which a search only tests for a value above `alpha`.
    #[inline]
    pub(crate) const fn zero(alpha: Value) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Returns the window from the opponent's point of view.
    #[inline]
    pub(crate) const fn reversed(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// Returns the relation of a search value to the true value, given the window of the search.
#[inline]
pub(crate) fn bound_of(value: Value, window: Window) -> Bound {
    if value >= window.beta {
        Bound::Lower
    } else if value <= window.alpha {
        Bound::Upper
    } else {
        Bound::Exact
    }
}
