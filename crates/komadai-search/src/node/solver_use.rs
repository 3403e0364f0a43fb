//! A mate solver inside a search: its share of the nodes, and the positions that it has seen.

use std::collections::HashMap;

use komadai_core::{Budget, Position};
use komadai_movegen::{CheckClass, MateReport, MateResult, MateSolver};

/// The solver gets one node for this number of nodes of the search. Untuned.
const NODES_PER_SOLVER_NODE: u64 = 4;

/// The fewest nodes of a call: with less, little more than a mate in three is found.
const MIN_NODES: u64 = 50;

/// Ratio of the nodes of a call to those of an earlier one for the same position.
///
/// A solver without memory between its calls begins anew each time.
const GROWTH: u64 = 3;

/// Any solver, which owns what it uses.
type AnySolver = dyn MateSolver + Send + 'static;

/// A solver and its use in one search.
pub(crate) struct SolverUse<'a> {
    solver: &'a mut AnySolver,
    /// The nodes that it has spent.
    spent: u64,
    /// The nodes of the last call for a position, by its key; the largest number if there is no mate.
    tried: HashMap<u64, u64>,
}

impl<'a> SolverUse<'a> {
    pub(crate) fn new(solver: &'a mut AnySolver) -> Self {
        Self { solver, spent: 0, tried: HashMap::new() }
    }

    /// Returns the nodes of the next call for a position, if it is worth one.
    pub(super) fn nodes_to_spend(&self, key: u64, searched: u64, most: u64) -> Option<u64> {
        let own = searched.saturating_sub(self.spent);
        let nodes = (own / NODES_PER_SOLVER_NODE).saturating_sub(self.spent).min(most);
        let last = self.tried.get(&key).copied().unwrap_or(0);
        (nodes >= MIN_NODES.max(last.saturating_mul(GROWTH))).then_some(nodes)
    }

    /// Calls the solver and notes what it has spent, and on which position.
    pub(super) fn solve(
        &mut self,
        position: &Position,
        budget: &Budget,
        checks: CheckClass,
    ) -> MateReport {
        let report = self.solver.solve(position, budget, checks);
        self.spent += report.nodes;
        let nodes = match report.result {
            // The node is visited again in the next iteration, and needs the line again.
            MateResult::Mate { .. } => 0,
            MateResult::NoMate => u64::MAX,
            _ => budget.nodes.unwrap_or(u64::MAX),
        };
        self.tried.insert(position.key(), nodes);
        report
    }
}
