//! The interface between callers that need mates and the solvers that find them.

use std::time::Duration;

use komadai_core::{Budget, Move, Position, Pv};

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

    /// Searches as [`solve`](Self::solve) does, and shows `watch` the state of the search now and
    /// then: what is proven so far, and the moves from the root to the position being searched.
    ///
    /// The result does not depend on `watch`. The default never calls it.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Budget, Position};
    /// use komadai_movegen::{CheckClass, MateInOne, MateSolver};
    ///
    /// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
    /// let budget = Budget::nodes(1_000);
    /// let report = MateInOne.solve_watched(&position, &budget, CheckClass::All, &mut |report, line| {
    ///     println!("{} nodes, now {} plies deep", report.nodes, line.len());
    /// });
    /// assert!(report.is_mate());
    /// # Ok::<(), komadai_core::SfenError>(())
    /// ```
    fn solve_watched(
        &mut self,
        position: &Position,
        budget: &Budget,
        checks: CheckClass,
        _watch: &mut dyn FnMut(&MateReport, &[Move]),
    ) -> MateReport {
        self.solve(position, budget, checks)
    }

    /// Forgets what earlier calls have found. The default does nothing: a solver need not keep
    /// anything.
    ///
    /// A caller whose results have to be reproducible calls this before a search that makes many
    /// calls.
    fn forget(&mut self) {}

    /// Returns the memory set aside for results, in bytes. The default is 0.
    fn memory_bytes(&self) -> usize {
        0
    }
}

impl<S: MateSolver + ?Sized> MateSolver for Box<S> {
    fn solve(&mut self, position: &Position, budget: &Budget, checks: CheckClass) -> MateReport {
        (**self).solve(position, budget, checks)
    }

    fn solve_watched(
        &mut self,
        position: &Position,
        budget: &Budget,
        checks: CheckClass,
        watch: &mut dyn FnMut(&MateReport, &[Move]),
    ) -> MateReport {
        (**self).solve_watched(position, budget, checks, watch)
    }

    fn forget(&mut self) {
        (**self).forget();
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
    /// only that these checks do not mate, and [`MateReport::no_mate_within`] is 0 unless other
    /// checks were refuted as well.
    Near,
}

/// The result of a solver, what it has proven on the way, and its cost.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_movegen::{CheckClass, MateInOne, MateSolver};
///
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
/// let report = MateInOne.solve(&position, &Budget::unlimited(), CheckClass::All);
/// assert_eq!((report.nodes, report.mate_within), (1, Some(1)));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MateReport {
    /// The result.
    pub result: MateResult,
    /// The number of positions visited.
    pub nodes: u64,
    /// The attacker mates within this many plies; `None` if no mate is proven.
    ///
    /// The number may be larger than the length of the line of [`MateResult::Mate`], in which the
    /// defender need not have played the longest defence.
    pub mate_within: Option<u32>,
    /// No mate within this many plies exists; 0 if nothing is proven. [`u32::MAX`] for
    /// [`MateResult::NoMate`], if all checks were searched.
    pub no_mate_within: u32,
    /// The limit that ended an unfinished search; `None` for a finished one.
    pub limit: Option<MateLimit>,
    /// The time taken; zero where there is no clock (`wasm32-unknown-unknown`), and from solvers
    /// that do not measure it.
    pub time: Duration,
    /// The memory that results of this call take in the solver's tables, in bytes.
    pub memory_bytes: usize,
}

impl MateReport {
    /// Returns a report with this result and its cost. What the result itself proves is filled in.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_movegen::{MateReport, MateResult};
    ///
    /// assert_eq!(MateReport::new(MateResult::NoMate, 7).no_mate_within, u32::MAX);
    /// assert_eq!(MateReport::new(MateResult::Unknown, 7).no_mate_within, 0);
    /// ```
    pub fn new(result: MateResult, nodes: u64) -> Self {
        let (mate_within, no_mate_within) = match &result {
            MateResult::Mate { line, shortest } => {
                let plies = u32::try_from(line.len()).unwrap_or(u32::MAX);
                (Some(plies), if *shortest { plies.saturating_sub(1) } else { 0 })
            }
            MateResult::NoMate => (None, u32::MAX),
            MateResult::MateWithoutLine { .. } | MateResult::Unknown => (None, 0),
        };
        let limit = None;
        let time = Duration::ZERO;
        let memory_bytes = 0;
        Self { result, nodes, mate_within, no_mate_within, limit, time, memory_bytes }
    }

    /// Returns true if a mate is proven, with its moves or without.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_movegen::{MateReport, MateResult};
    ///
    /// assert!(MateReport::new(MateResult::MateWithoutLine { first: None }, 7).is_mate());
    /// assert!(!MateReport::new(MateResult::NoMate, 7).is_mate());
    /// ```
    pub fn is_mate(&self) -> bool {
        matches!(self.result, MateResult::Mate { .. } | MateResult::MateWithoutLine { .. })
    }
}

/// The limit that ended a search for a mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MateLimit {
    /// The nodes of the budget are spent.
    Nodes,
    /// The deadline of the budget has passed.
    Time,
    /// The stop flag of the budget was set.
    Stop,
    /// No mate within the depth of the budget exists, but longer ones are not refuted.
    Depth,
    /// The memory of the solver is full.
    Memory,
    /// The solver does not cover the position.
    Method,
}

impl MateLimit {
    /// Returns the limit that a budget has reached after this number of nodes: the stop flag before
    /// the nodes, and the time if it is neither.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Budget;
    /// use komadai_movegen::MateLimit;
    ///
    /// assert_eq!(MateLimit::of(&Budget::nodes(7), 7), MateLimit::Nodes);
    /// ```
    pub fn of(budget: &Budget, nodes: u64) -> Self {
        if budget.is_stopped() {
            Self::Stop
        } else if budget.is_out_of_nodes(nodes) {
            Self::Nodes
        } else {
            Self::Time
        }
    }
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
    /// There is a mate, but the solver had to stop before it had collected the moves.
    MateWithoutLine {
        /// The mating side's first move, if it is still known.
        first: Option<Move>,
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
            let limit = Some(MateLimit::of(budget, 0));
            return MateReport { limit, ..MateReport::new(MateResult::Unknown, 0) };
        }
        let (result, limit, no_mate_within) = match mate_in_one(position) {
            Some(m) => {
                let line = [m].into_iter().collect();
                (MateResult::Mate { line, shortest: true }, None, 0)
            }
            None if checks::<true, _>(position, &mut AnyMove).is_continue() => {
                (MateResult::NoMate, None, u32::MAX)
            }
            None => (MateResult::Unknown, Some(MateLimit::Method), 1),
        };
        MateReport { limit, no_mate_within, ..MateReport::new(result, 1) }
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
        assert_eq!((spent.result, spent.nodes), (MateResult::Unknown, 0));
        assert_eq!((spent.limit, spent.no_mate_within), (Some(MateLimit::Nodes), 0));
        let quiet = solve("4k4/9/9/9/9/9/9/9/9 b G 1", &unlimited);
        assert_eq!((quiet.limit, quiet.no_mate_within), (Some(MateLimit::Method), 1));
    }
}
