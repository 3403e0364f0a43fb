//! One weight of the evaluation.

/// A weight at the two ends of a phase. Between the ends it is interpolated.
///
/// Unit: 1/4 centipawn ([`Parameters::UNIT`](crate::Parameters::UNIT)), positive is good for the
/// owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Weight {
    /// The value at phase 0: the opening, or a king without attackers.
    pub early: i16,
    /// The value at phase 1: the end of the game, or a king in great danger.
    pub late: i16,
}

/// Number of units in a centipawn. A unit finer than a centipawn keeps the rounding errors of many
/// small weights from adding up.
pub(crate) const UNIT: i32 = 4;

impl Weight {
    /// Creates a weight that does not depend on the phase.
    pub const fn constant(value: i16) -> Self {
        Self { early: value, late: value }
    }
}
