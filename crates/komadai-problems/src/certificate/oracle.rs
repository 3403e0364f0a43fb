//! A solver that is asked many questions within one budget.

use komadai_core::{Budget, Position};
use komadai_movegen::{CheckClass, MateReport, MateSolver};

/// The solver, the budget for all questions, and the part of it that is used up.
#[derive(Debug)]
pub(super) struct Oracle<'a, S: ?Sized> {
    pub(super) solver: &'a mut S,
    pub(super) budget: &'a Budget,
    pub(super) nodes: u64,
}

impl<S: MateSolver + ?Sized> Oracle<'_, S> {
    /// Asks for a mate with at most this many nodes, within a depth if there is one.
    pub(super) fn ask(
        &mut self,
        position: &Position,
        nodes: u64,
        depth: Option<u32>,
    ) -> MateReport {
        let mut budget = self.budget.clone().with_nodes(nodes.min(self.left()));
        budget.depth = depth;
        let report = self.solver.solve(position, &budget, CheckClass::All);
        // An answer without a search costs something, too.
        self.nodes = self.nodes.saturating_add(report.nodes.max(1));
        report
    }

    /// The number of nodes left.
    pub(super) fn left(&self) -> u64 {
        self.budget.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(self.nodes))
    }
}
