//! The budgets of a node: what is left for the moves of each side.

use super::cost::{Cost, PLY};

/// The budgets of the side to move and of the other side.
///
/// A search by realization probability has one budget for both sides: the two are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Budgets {
    pub(super) own: Cost,
    pub(super) other: Cost,
}

impl Budgets {
    /// Returns the same budget for both sides.
    pub(super) const fn same(budget: Cost) -> Self {
        Self { own: budget, other: budget }
    }

    /// Returns what is left after a move, for whose side it is then not to move.
    pub(super) const fn after(self, own_cost: Cost, other_cost: Cost) -> Self {
        Self { own: self.other - other_cost, other: self.own - own_cost }
    }

    /// Checks whether nothing is left, or a side has had a free move beyond its budget: otherwise
    /// it could lose piece after piece, as long as the other one is forced to take them.
    ///
    /// A free move costs nearly a whole one, and rests are halves: more than half a move beyond a
    /// budget is a free move.
    pub(super) const fn are_spent(self) -> bool {
        self.own <= 0 && self.other <= 0 || self.own < -PLY / 2 || self.other < -PLY / 2
    }

    /// Returns the larger one. With [`difference`](Self::difference) it determines both.
    pub(super) fn largest(self) -> Cost {
        self.own.max(self.other)
    }

    pub(super) const fn difference(self) -> Cost {
        self.own - self.other
    }
}
