//! Values inside the search: the numbers of [`Score`], as plain integers.

use komadai_core::Score;

/// A [`Score`]'s number. Mates are counted from the root.
pub(crate) type Value = i32;

/// The most plies from the root, quiescence included.
pub(crate) const MAX_PLY: usize = 246;

/// The deepest iteration. Extensions and quiescence may go on to [`MAX_PLY`].
pub(crate) const MAX_DEPTH: i32 = 120;

/// Above every value.
pub(crate) const INFINITE: Value = Score::INFINITE.raw();

/// A game won by a rule other than mate: a declaration, or the opponent's perpetual check.
pub(crate) const WON_BY_RULE: Value = Score::MAX_CP;

/// The same board with more in hand than earlier in the line. The opponent would not have allowed
/// it if there had been another way, so it is nearly a win; but it decides nothing by itself.
pub(crate) const SUPERIOR: Value = 25_000;

/// Evaluations are cut here, so that none looks like a decision.
pub(crate) const MAX_EVALUATION: Value = 20_000;

/// Mated after `ply` plies from the root.
#[inline]
pub(crate) const fn mated(ply: usize) -> Value {
    Score::mated_in(ply as u32).raw()
}

/// Mating after `ply` plies from the root.
#[inline]
pub(crate) const fn mating(ply: usize) -> Value {
    Score::mate_in(ply as u32).raw()
}

/// Whether a value is more than an evaluation: a mate, or decided by a rule.
#[inline]
pub(crate) const fn is_decided(value: Value) -> bool {
    value.abs() > MAX_EVALUATION
}

/// The open interval of values that matter to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    /// What the side to move has already.
    pub(crate) alpha: Value,
    /// What the opponent will not allow.
    pub(crate) beta: Value,
}

impl Window {
    /// All values.
    pub(crate) const FULL: Self = Self { alpha: -INFINITE, beta: INFINITE };

    /// The window in which a node only says whether it is better than `alpha`.
    #[inline]
    pub(crate) const fn zero(alpha: Value) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The window as the opponent sees it.
    #[inline]
    pub(crate) const fn reversed(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}
