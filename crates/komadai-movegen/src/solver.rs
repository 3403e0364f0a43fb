//! The interface between callers that need mates and the solvers that find them.

use komadai_core::{Budget, Position, Pv};

use crate::checks::checks;
use crate::mate::mate_in_one;
use crate::sink::AnyMove;

/// A solver of forced mates (詰み) for the side to move.
///
/// A search calls a solver through this trait and does not depend on its implementation.
/// [`MateInOne`] is the smallest implementation; `komadai-tsume` has a df-pn solver.
///
/// # Examples
///
/// A function that takes any solver:
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_movegen::{CheckClass, MateInOne, MateResult, MateSolver};
///
/// fn is_mate(solver: &mut impl MateSolver, position: &Position) -> bool {
///     let report = solver.solve(position, &Budget::nodes(1_000), CheckClass::All);
///     matches!(report.result, MateResult::Mate { .. })
/// }
///
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
/// assert!(is_mate(&mut MateInOne, &position));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub trait MateSolver {
    /// Searches for a mate by the side to move that gives check with every move.
    ///
    /// Spends no more than `budget`; exhausting it is an ordinary result. The history of the
    /// position is ignored.
    fn solve(&mut self, position: &Position, budget: &Budget, checks: CheckClass) -> MateReport;

    /// Returns the memory set aside for results, in bytes. The default is 0.
    fn memory_bytes(&self) -> usize {
        0
    }
}

impl<S: MateSolver + ?Sized> MateSolver for Box<S> {
    fn solve(&mut self, position: &Position, budget: &Budget, checks: CheckClass) -> MateReport {
        (**self).solve(position, budget, checks)
    }

    fn memory_bytes(&self) -> usize {
        (**self).memory_bytes()
    }
}

/// The checks that a solver has to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum CheckClass {
    /// All checks.
    #[default]
    All,
    /// At least the checks that end next to the king to be mated. [`MateResult::NoMate`] then means
    /// only that these checks do not mate.
    Near,
}

/// The result of a solver and its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MateReport {
    /// The result.
    pub result: MateResult,
    /// The number of positions visited.
    pub nodes: u64,
}

/// The answer of a solver.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MateResult {
    /// There is a mate.
    Mate {
        /// The moves of both sides, from the mating side's first to its last.
        line: Pv,
        /// True if it is proved that no mate in fewer moves exists.
        shortest: bool,
    },
    /// There is no mate by continuous checks.
    NoMate,
    /// Neither is proved: the solver had to stop, or does not cover the position.
    Unknown,
}

/// A solver of mates in one move.
///
/// It finds every mate in one, and reports [`MateResult::NoMate`] if there is no check at all.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_movegen::{CheckClass, MateInOne, MateResult, MateSolver};
///
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
/// let report = MateInOne.solve(&position, &Budget::unlimited(), CheckClass::All);
/// assert_eq!(report.result, MateResult::Mate { line: "G*5b".parse()?, shortest: true });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MateInOne;

impl MateSolver for MateInOne {
    fn solve(&mut self, position: &Position, budget: &Budget, _: CheckClass) -> MateReport {
        if budget.is_exhausted(0) {
            return MateReport { result: MateResult::Unknown, nodes: 0 };
        }
        let result = match mate_in_one(position) {
            Some(m) => MateResult::Mate { line: [m].into_iter().collect(), shortest: true },
            None if checks::<true, _>(position, &mut AnyMove).is_continue() => MateResult::NoMate,
            None => MateResult::Unknown,
        };
        MateReport { result, nodes: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(sfen: &str, budget: &Budget) -> MateReport {
        let position = Position::from_sfen(sfen).unwrap();
        MateInOne.solve(&position, budget, CheckClass::All)
    }

    #[test]
    fn mate_in_one_reports_only_what_is_proved() {
        let unlimited = Budget::unlimited();
        let mate = solve("4k4/9/4P4/9/9/9/9/9/9 b G 1", &unlimited);
        assert!(
            matches!(mate.result, MateResult::Mate { shortest: true, ref line } if line.len() == 1)
        );
        assert_eq!(solve("4k4/9/9/9/9/9/9/9/9 b G 1", &unlimited).result, MateResult::Unknown);
        assert_eq!(solve("4k4/9/9/9/9/9/9/9/9 b P 1", &unlimited).result, MateResult::Unknown);
        assert_eq!(solve("4k4/9/9/9/9/4P4/9/9/9 b - 1", &unlimited).result, MateResult::NoMate);
        let spent = solve("4k4/9/4P4/9/9/9/9/9/9 b G 1", &Budget::nodes(0));
        assert_eq!(spent, MateReport { result: MateResult::Unknown, nodes: 0 });
    }
}
