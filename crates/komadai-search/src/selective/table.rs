//! The transposition table of the selective searches, whose entries hold for both budgets.

use komadai_core::Move;
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use super::budgets::Budgets;
use super::cost::{Cost, PLY};
use super::node::SelectiveSearch;
use crate::transposition_table::entry::NodeResult;
use crate::transposition_table::hit::TtHit;

impl<E: Evaluator> SelectiveSearch<'_, E> {
    /// Returns what the table holds of a position with budgets of the same difference.
    pub(super) fn probe(&self, budgets: Budgets, ply: usize) -> Option<TtHit> {
        self.probe_difference(budgets.difference(), ply)
    }

    fn probe_difference(&self, difference: Cost, ply: usize) -> Option<TtHit> {
        self.worker.look_up(self.key(difference), ply)
    }

    /// Stores a result of a node with these budgets.
    pub(super) fn store(&self, result: &NodeResult, budgets: Budgets, ply: usize) {
        self.worker.store_by_key(self.key(budgets.difference()), result, ply);
    }

    /// Returns the best move of the entry, or else of the last iteration's, whose budgets differed
    /// by a move more or less.
    pub(super) fn table_move(
        &self,
        hit: Option<TtHit>,
        budgets: Budgets,
        ply: usize,
    ) -> Option<Move> {
        let best = hit.and_then(|hit| hit.best());
        if best.is_some() || !self.charging.has_two_budgets() {
            return best;
        }
        let neighbours = [PLY, -PLY].map(|change| budgets.difference() + change);
        let mut found =
            neighbours.into_iter().filter_map(|it| self.probe_difference(it, ply)?.best());
        found.find(|&m| self.worker.position.is_legal(m))
    }

    /// Returns the key of the position for a difference of budgets: that of the position itself if
    /// they are equal.
    fn key(&self, difference: Cost) -> u64 {
        // A multiplier with many bits, from the golden ratio, spreads small numbers over the key.
        self.worker.position.key() ^ (difference as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}
