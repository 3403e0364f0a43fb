//! Two ways to charge for moves: by their probability to one budget, or by their forcedness to that
//! of the side that makes them.

use std::sync::Arc;

use komadai_core::{Move, Position};

use super::abc_options::AbcOptions;
use super::budgets::Budgets;
use super::cost::{Cost, LARGEST_COST, MAX_STEPS, NAT, PLY};
use super::costed_moves::{CostedMoves, by_forcedness, by_probability};
use super::options::RealizationOptions;
use crate::move_probability::MoveProbability;

/// A model and the costs that come from it.
#[derive(Debug, Clone)]
pub(super) struct Charging {
    /// The model of the probability of moves, which orders them in any case.
    pub(super) model: Arc<dyn MoveProbability>,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// Realization probability, with the most that the table's move and a surprise cost.
    Probability { table_move: Cost, surprise: Cost },
    /// ABC, with the margin in hundredths of a pawn within which moves are as good as another.
    Forcedness { margin: i32 },
}

impl Charging {
    pub(super) fn of_realization(options: &RealizationOptions) -> Self {
        let at_most = |cost: u32| cost.min(LARGEST_COST as u32) as Cost;
        Self {
            model: options.model.bundled(),
            kind: Kind::Probability {
                table_move: at_most(options.table_move_cost),
                surprise: options.surprise_cost.map_or(LARGEST_COST, at_most),
            },
        }
    }

    pub(super) fn of_abc(options: &AbcOptions) -> Self {
        let kind = Kind::Forcedness { margin: options.margin };
        Self { model: options.order.bundled(), kind }
    }

    /// Returns moves with their costs, the table's move first and then the most probable.
    pub(super) fn costed_moves(
        &self,
        position: &Position,
        moves: &[Move],
        table_move: Option<Move>,
    ) -> CostedMoves {
        match self.kind {
            Kind::Probability { .. } => {
                by_probability(position, moves, &*self.model, table_move, self.table_move_cost())
            }
            Kind::Forcedness { margin } => {
                by_forcedness(position, moves, &*self.model, table_move, margin)
            }
        }
    }

    /// Checks whether each side has a budget of its own.
    pub(super) fn has_two_budgets(&self) -> bool {
        matches!(self.kind, Kind::Forcedness { .. })
    }

    /// Returns the most that the move of the transposition table costs.
    pub(super) fn table_move_cost(&self) -> Cost {
        match self.kind {
            Kind::Probability { table_move, .. } => table_move,
            Kind::Forcedness { .. } => LARGEST_COST,
        }
    }

    /// Returns the most that a move costs in its second search.
    pub(super) fn surprise_cost(&self) -> Cost {
        match self.kind {
            Kind::Probability { surprise, .. } => surprise,
            Kind::Forcedness { .. } => LARGEST_COST,
        }
    }

    /// Returns the budgets of the root in an iteration, which grow by a nat for both sides, or by a
    /// move for one of them.
    pub(super) fn budgets_of(&self, iteration: i32) -> Budgets {
        match self.kind {
            Kind::Probability { .. } => Budgets::same(iteration * NAT),
            Kind::Forcedness { .. } => {
                // A rest of half a move is none: in most positions some move loses a piece, and
                // all others cost a little less than a whole one.
                let of_moves = |moves: i32| (moves * PLY - PLY / 2).max(0);
                Budgets { own: of_moves((iteration + 1) / 2), other: of_moves(iteration / 2) }
            }
        }
    }

    /// Returns the number of the last iteration.
    pub(super) fn most_iterations(&self) -> i32 {
        match self.kind {
            Kind::Probability { .. } => MAX_STEPS,
            Kind::Forcedness { .. } => 2 * MAX_STEPS,
        }
    }

    /// Returns the budgets after a move of this cost.
    pub(super) fn after(&self, budgets: Budgets, cost: Cost) -> Budgets {
        match self.kind {
            Kind::Probability { .. } => budgets.after(cost, cost),
            Kind::Forcedness { .. } => budgets.after(cost, 0),
        }
    }

    /// Returns the budgets after a null move that is to save so many plies.
    pub(super) fn after_null_move(&self, budgets: Budgets, plies: i32) -> Budgets {
        match self.kind {
            Kind::Probability { .. } => budgets.after(plies * NAT, plies * NAT),
            Kind::Forcedness { .. } => budgets.after((plies + 1) / 2 * PLY, plies / 2 * PLY),
        }
    }

    /// Returns the budgets as a depth in plies, for rules that are shared with alpha-beta: a nat or
    /// a move each.
    pub(super) fn plies(&self, budgets: Budgets) -> i32 {
        match self.kind {
            Kind::Probability { .. } => budgets.own / NAT + 1,
            Kind::Forcedness { .. } => {
                let moves = |budget: Cost| (budget.max(0) + PLY - 1) / PLY;
                moves(budgets.own) + moves(budgets.other)
            }
        }
    }

    /// Returns the plies that are left after a move of this cost.
    pub(super) fn plies_after(&self, budgets: Budgets, cost: Cost) -> i32 {
        match self.kind {
            Kind::Probability { .. } => (budgets.own - cost) / NAT,
            Kind::Forcedness { .. } => self.plies(self.after(budgets, cost)),
        }
    }
}
