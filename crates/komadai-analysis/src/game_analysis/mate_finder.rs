//! Proven mates and threats of mate.

use komadai_core::{Budget, Move, Position, Pv};
use komadai_eval::{LogisticThreatmate, ThreatmatePredictor as _};
use komadai_movegen::{MateReport, MateResult, MoveGen as _, Repetition};
use komadai_tsume::{DfPn, DfPnOptions, Goal, threatmate};

use super::two_move_threat::TwoMoveThreat;

/// Memory of the solver of a worker in MiB.
const HASH_MIB: usize = 16;

/// Largest number of moves that are tried as the first of a two-move threat.
const FIRST_MOVES: usize = 16;

/// Least logarithm of the odds of such a move, about one in a hundred. In an opening no move has
/// more, so that the question costs no call of the solver there.
const LEAST_ODDS: f32 = -4.5;

/// A mate solver with its budget for each question.
pub(super) struct MateFinder {
    solver: DfPn,
    budget: Budget,
    /// Nodes for all first moves of a two-move threat together.
    two_move_nodes: u64,
}

/// The answer to the question for a mate.
pub(super) enum Mate {
    /// A mate with its moves.
    Found(Pv),
    /// A proof that there is none.
    Refuted,
    /// The nodes did not suffice, or the mate would repeat a position.
    Unknown,
}

impl Mate {
    /// Returns the moves of the mate.
    pub(super) fn line(self) -> Option<Pv> {
        match self {
            Self::Found(line) => Some(line),
            Self::Refuted | Self::Unknown => None,
        }
    }
}

impl MateFinder {
    /// Creates a finder that spends these many nodes on each question for a mate, and on each for a
    /// two-move threat; 0 answers none.
    pub(super) fn new(nodes: u64, two_move_nodes: u64) -> Self {
        let options =
            DfPnOptions { hash_mib: HASH_MIB, goal: Goal::ShortestMate, ..DfPnOptions::default() };
        Self { solver: DfPn::new(options), budget: Budget::nodes(nodes), two_move_nodes }
    }

    /// Searches for a mate for the side to move.
    pub(super) fn mate(&mut self, position: &Position) -> Mate {
        if self.budget.nodes == Some(0) {
            return Mate::Unknown;
        }
        let report = self.solver.solve_mate(position, &self.budget);
        if matches!(report.result, MateResult::NoMate) {
            return Mate::Refuted;
        }
        let Some(line) = line(report) else { return Mate::Unknown };
        // The solver ignores the game before: the first check may repeat a position for the fourth
        // time.
        match line.first() {
            Some(&first) if position.after(first).repetition() == Repetition::None => {
                Mate::Found(line)
            }
            _ => Mate::Unknown,
        }
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
            let line = self.mate(&after).line();
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

    /// Returns a move that would threaten mate if the side to move passed, with that mate. Checks
    /// are none of these moves, because the opponent cannot pass a second time then.
    pub(super) fn two_move_threat(&mut self, position: &Position) -> Option<TwoMoveThreat> {
        if self.two_move_nodes == 0 || position.in_check() {
            return None;
        }
        let mut passed = position.without_history();
        passed.do_null_move();
        // A check has no odds at all.
        let mut moves: Vec<(f32, Move)> = passed
            .legal_moves()
            .iter()
            .map(|&m| (LogisticThreatmate::CHEAP.log_odds(&passed.after(m)), m))
            .filter(|&(odds, _)| odds >= LEAST_ODDS)
            .collect();
        moves.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut left = self.two_move_nodes;
        for (_, first) in moves.into_iter().take(FIRST_MOVES) {
            let budget = Budget::nodes(left.min(self.budget.nodes.unwrap_or(left)));
            let after = passed.after(first);
            let Some(report) = threatmate::find(&mut self.solver, &after, &budget) else {
                continue;
            };
            left = left.saturating_sub(report.nodes);
            if let Some(mate) = line(report) {
                return Some(TwoMoveThreat { first, mate });
            }
            if left == 0 {
                break;
            }
        }
        None
    }
}

/// Returns the moves of the mate that a report has.
fn line(report: MateReport) -> Option<Pv> {
    match report.result {
        MateResult::Mate { line, .. } => Some(line),
        _ => None,
    }
}
