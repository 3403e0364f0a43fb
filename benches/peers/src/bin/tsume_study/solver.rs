//! The interface of all solvers of the study, and their answers.

use std::time::Duration;

use komadai_core::Move;

use crate::problems::Problem;
use crate::suite::{Goal, SetSpec};

/// A solver that takes part.
pub(crate) trait Solver {
    /// Returns the name in the tables.
    fn name(&self) -> &str;

    /// Returns true if the solver can search for this kind of mate.
    fn takes(&self, goal: Goal) -> bool;

    /// Prepares the solver for the problems of a set.
    fn begin(&mut self, set: &SetSpec) -> anyhow::Result<()>;

    /// Solves one problem within the limits of the set that was passed to [`begin`](Self::begin).
    ///
    /// A solver that crashes or hangs gives the answer [`Verdict::Failed`]; an error ends the
    /// study.
    fn solve(&mut self, problem: &Problem, set: &SetSpec) -> anyhow::Result<Answer>;
}

/// The answer of a solver to one problem, and its cost.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) verdict: Verdict,
    /// The positions that the solver counted; 0 if it reported none.
    pub(crate) nodes: u64,
    /// The processor time of all threads, user and system.
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
}

/// The result that a solver reported for a problem.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A mate with its moves; `shortest` if the solver claims that no mate is shorter.
    Mate { line: Vec<Move>, shortest: bool },
    /// A mate without moves.
    MateWithoutLine,
    /// No mate.
    NoMate,
    /// Neither, within the limits.
    Unknown,
    /// The line of moves cannot be read, or the program ended or did not stop.
    Failed(&'static str),
}
