//! A mate solver inside a search: its share of the nodes, and the positions that it has seen.

use core::fmt;
use std::collections::HashMap;

use komadai_core::{Budget, Position};
use komadai_movegen::{CheckClass, MateReport, MateResult, MateSolver};

use crate::techniques::Techniques;

/// The fewest nodes of a call: with less, little more than a mate in three is found.
const MIN_NODES: u64 = 50;

/// Ratio of the nodes of a call to those of an earlier one for the same position.
///
/// A solver without memory between its calls begins anew each time.
const GROWTH: u64 = 3;

/// Any solver, which owns what it uses.
type AnySolver = dyn MateSolver + Send + 'static;

/// The solver that the user has handed to a searcher, if there is one.
#[derive(Default)]
pub(crate) struct Solver(pub(crate) Option<Box<AnySolver>>);

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "MateSolver" } else { "None" })
    }
}

impl Solver {
    /// Begins the use in a new search, if the techniques contain one.
    pub(crate) fn start(&mut self, techniques: Techniques) -> Option<SolverUse<'_>> {
        let is_used = techniques.intersects(Techniques::ANY_MATE_SOLVER);
        self.0.as_deref_mut().filter(|_| is_used).map(SolverUse::new)
    }
}

/// The place of a call in the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The root.
    Root,
    /// Another node of the principal variation.
    Variation,
    /// Any other node, after the evaluation has risen much.
    Swing,
    /// Any node whose position looks like a mate.
    Predicted,
}

impl Place {
    /// The technique that allows calls at this place.
    pub(super) const fn technique(self) -> Techniques {
        match self {
            Self::Root => Techniques::MATE_SOLVER,
            Self::Variation => Techniques::PV_MATE_SOLVER,
            Self::Swing => Techniques::SWING_MATE_SOLVER,
            Self::Predicted => Techniques::PREDICTED_MATE_SOLVER,
        }
    }

    /// The checks to try: all at the root, those near the king elsewhere.
    pub(super) const fn checks(self) -> CheckClass {
        match self {
            Self::Root => CheckClass::All,
            Self::Variation | Self::Swing | Self::Predicted => CheckClass::Near,
        }
    }

    /// The solver gets one node for this number of nodes of the search. Untuned.
    const fn nodes_per_solver_node(self) -> u64 {
        match self {
            Self::Root => 4,
            Self::Variation | Self::Swing | Self::Predicted => 32,
        }
    }

    /// The most nodes of one call. Untuned.
    const fn most_nodes(self) -> u64 {
        match self {
            Self::Root => u64::MAX,
            Self::Variation => 1_000,
            Self::Swing | Self::Predicted => 100,
        }
    }
}

/// A solver and its use in one search.
pub(crate) struct SolverUse<'a> {
    solver: &'a mut AnySolver,
    /// The nodes that it has spent at each [`Place`].
    spent: [u64; 4],
    /// The nodes of the last call for a position, by its key; the largest number if there is no
    /// mate.
    tried: HashMap<u64, u64>,
}

impl<'a> SolverUse<'a> {
    /// Begins the use in a new search. What the solver finds stays in its memory until the next one
    /// begins.
    fn new(solver: &'a mut AnySolver) -> Self {
        solver.forget();
        Self { solver, spent: [0; 4], tried: HashMap::new() }
    }

    /// Returns the nodes of the next call for a position, if it is worth one.
    pub(super) fn nodes_to_spend(&self, key: u64, searched: u64, place: Place) -> Option<u64> {
        let own = searched.saturating_sub(self.spent.iter().sum());
        let share = own / place.nodes_per_solver_node();
        let nodes = share.saturating_sub(self.spent[place as usize]).min(place.most_nodes());
        if nodes < MIN_NODES {
            return None;
        }
        let last = self.tried.get(&key).copied().unwrap_or(0);
        (nodes >= last.saturating_mul(GROWTH)).then_some(nodes)
    }

    /// Calls the solver and notes what it has spent, and on which position.
    pub(super) fn solve(
        &mut self,
        position: &Position,
        budget: &Budget,
        place: Place,
    ) -> MateReport {
        let report = self.solver.solve(position, budget, place.checks());
        self.spent[place as usize] += report.nodes;
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
