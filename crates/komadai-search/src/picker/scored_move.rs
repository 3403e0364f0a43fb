//! A move with its ordering score, packed into one integer.

use komadai_core::Move;

/// A move and its ordering score, higher first.
///
/// The score stands above the move's sixteen bits, so that one comparison of integers orders moves
/// and no two are equal: the order does not depend on the sorting algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScoredMove(i64);

/// The moves of all nodes of the current line, one node after another: no allocation and little
/// stack per node.
pub(crate) type MoveBuffer = Vec<ScoredMove>;

impl ScoredMove {
    /// The drop bit of a move. It is inverted, so that among equals board moves come before drops.
    const DROP: u16 = 1 << 14;

    /// No move; it is never read as one.
    pub(super) const NONE: Self = Self(0);

    #[inline]
    pub(crate) fn new(m: Move, score: i32) -> Self {
        Self(i64::from(score) << 16 | i64::from(m.to_bits() ^ Self::DROP))
    }

    #[inline]
    pub(crate) fn m(self) -> Move {
        Move::from_bits(self.0 as u16 ^ Self::DROP).expect("made from a move")
    }

    /// Returns whether this is the move `m`; cheaper than to compare [`m`](Self::m), which is
    /// checked.
    #[inline]
    pub(super) fn is(self, m: Option<Move>) -> bool {
        m.is_some_and(|m| self.0 as u16 ^ Self::DROP == m.to_bits())
    }

    pub(super) fn score(self) -> i32 {
        (self.0 >> 16) as i32
    }
}
