//! Proven mates and threats of mate.

use komadai_core::{Budget, Move, Position, Pv};
use komadai_movegen::{MateReport, MateResult, MoveGen as _, Repetition};
use komadai_tsume::{DfPn, DfPnOptions, Goal, threatmate};

/// Memory of the solver of a worker in MiB.
const HASH_MIB: usize = 16;

/// A mate solver with its budget for each question.
pub(super) struct MateFinder {
    solver: DfPn,
    budget: Budget,
}

impl MateFinder {
    /// Creates a finder that spends this many nodes on each question; 0 answers none.
    pub(super) fn new(nodes: u64) -> Self {
        let options =
            DfPnOptions { hash_mib: HASH_MIB, goal: Goal::ShortestMate, ..DfPnOptions::default() };
        Self { solver: DfPn::new(options), budget: Budget::nodes(nodes) }
    }

    /// Returns a mate for the side to move.
    pub(super) fn mate(&mut self, position: &Position) -> Option<Pv> {
        if self.budget.nodes == Some(0) {
            return None;
        }
        let line = line(self.solver.solve_mate(position, &self.budget))?;
        // The solver ignores the game before: the first check may repeat a position for the fourth
        // time.
        let first = *line.first()?;
        (position.after(first).repetition() == Repetition::None).then_some(line)
    }

    /// Returns the length of the mate that a move keeps or begins, in plies without the move
    /// itself: the longest of the mates after all replies. `None` unless the move gives check and
    /// all of them are proven.
    pub(super) fn kept_mate(&mut self, position: &Position, m: Move) -> Option<usize> {
        let mut after = position.after(m);
        if !after.in_check() || after.repetition() != Repetition::None {
            return None;
        }
        let mut longest = 0;
        for reply in after.legal_moves().iter().copied() {
            after.do_move(reply);
            let line = self.mate(&after);
            after.undo_move();
            longest = longest.max(1 + line?.len());
        }
        Some(longest)
    }

    /// Returns a mate for the opponent after a pass.
    pub(super) fn threatmate(&mut self, position: &Position) -> Option<Pv> {
        if self.budget.nodes == Some(0) {
            return None;
        }
        line(threatmate::find(&mut self.solver, position, &self.budget)?)
    }
}

/// Returns the moves of the mate that a report has.
fn line(report: MateReport) -> Option<Pv> {
    match report.result {
        MateResult::Mate { line, .. } => Some(line),
        _ => None,
    }
}
