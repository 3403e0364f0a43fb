//! Quick tests that most positions fail, before the judgement.

use komadai_core::{Budget, Move, Position};
use komadai_movegen::{MateResult, MateSolver as _, MoveGen as _, MoveList, generate_checks};
use komadai_tsume::{DfPn, DfPnOptions, Results};

use crate::judge::{Flaw, Judge};
use crate::problem::Problem;

/// A judge behind short searches, whose results are kept from one to the next.
#[derive(Debug)]
pub(crate) struct Sieve {
    solver: DfPn,
    step_nodes: u64,
    refutation_nodes: u64,
    judge: Judge,
}

impl Sieve {
    /// Creates the sieve. A search for a mate has `step_nodes` for each ply, the refutation of a check has
    /// `refutation_nodes`.
    pub(crate) fn new(step_nodes: u64, refutation_nodes: u64, judge: Judge) -> Self {
        let solver = DfPnOptions { hash_mib: 2, results: Results::Kept, ..DfPnOptions::default() };
        Self { solver: DfPn::new(solver), step_nodes, refutation_nodes, judge }
    }

    /// Forgets the results of all searches.
    pub(crate) fn forget(&mut self) {
        self.solver.forget();
    }

    /// Returns true if a short search finds a mate of at most `plies` plies.
    pub(crate) fn is_mate_within(&mut self, position: &Position, plies: u32) -> bool {
        let budget = Budget::nodes(self.step_nodes * u64::from(plies)).with_depth(plies);
        plies > 0 && self.solver.solve_mate(position, &budget).is_mate()
    }

    /// Judges a position, after a quick look whether all checks but one are refuted.
    ///
    /// # Errors
    ///
    /// The first flaw found. A check whose refutation takes too many nodes counts as a second solution.
    pub(crate) fn judge(&mut self, position: &Position) -> Result<Problem, Flaw> {
        let mut checks = MoveList::new();
        generate_checks(position, &mut checks);
        let open = checks.into_iter().filter(|&m| !self.is_refuted(position, m));
        if open.take(2).count() > 1 {
            return Err(Flaw::Cook { ply: 1 });
        }
        self.judge.examine(position)
    }

    /// Returns true if short searches find a reply to the check after which there is no mate.
    pub(crate) fn is_refuted(&mut self, position: &Position, check: Move) -> bool {
        /// Nodes of a first look at each reply: most refutations are simple.
        const FIRST_LOOK: u64 = 40;
        let after = position.after(check);
        let mut open = Vec::new();
        for reply in &after.legal_moves() {
            let next = after.after(reply);
            match self.solver.solve_mate(&next, &Budget::nodes(FIRST_LOOK)).result {
                MateResult::NoMate => return true,
                MateResult::Mate { .. } => {}
                _ => open.push(next),
            }
        }
        let mut left = self.refutation_nodes;
        open.iter().any(|next| {
            let report = self.solver.solve_mate(next, &Budget::nodes(left));
            left = left.saturating_sub(report.nodes);
            report.result == MateResult::NoMate
        })
    }
}
