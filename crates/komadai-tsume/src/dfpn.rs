//! The solver.

use komadai_core::{Budget, Move, Position};
use komadai_movegen::{CheckClass, MateReport, MateResult, MateSolver};

use crate::game::Tsume;
use crate::line::{Guide, is_mating_line};
use crate::loop_table::LoopTable;
use crate::meter::Meter;
use crate::options::{DfPnOptions, Goal};
use crate::plies::{MAX_PLIES, Plies};
use crate::search::{Memory, Outcome, Search};
use crate::shortest::{Shortest, shortest};
use crate::table::Table;

/// A mate solver: depth-first proof-number search (df-pn) in fixed memory.
///
/// It tells three things apart: a mate, with its moves; no mate, proven; and unknown, because the
/// [`Budget`] was spent first. A [`depth`](Budget::depth) in the budget restricts the search to mates
/// of that many plies; without one all mates of up to 4,095 plies are looked for. If none is found
/// within that limit, but longer ones were not excluded, the answer is unknown.
///
/// One node is one position whose moves are generated. With a budget of nodes only, the same
/// position gives the same report every time, whatever was solved before.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_movegen::{CheckClass, MateResult, MateSolver};
/// use komadai_tsume::{DfPn, DfPnOptions, Goal};
///
/// let options = DfPnOptions { hash_mib: 8, goal: Goal::ShortestMate };
/// let mut solver = DfPn::new(options);
/// let position = Position::from_sfen("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1")?;
/// let report = solver.solve(&position, &Budget::nodes(100_000), CheckClass::All);
/// let MateResult::Mate { line, shortest: true } = report.result else { panic!("{report:?}") };
/// assert_eq!(line.len(), 15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DfPn {
    options: DfPnOptions,
    memory: Memory,
}

impl DfPn {
    /// A solver with memory of its own.
    #[must_use]
    pub fn new(options: DfPnOptions) -> Self {
        let mib = options.hash_mib.clamp(1, DfPnOptions::MAX_HASH_MIB);
        Self::with_bytes(options, mib.saturating_mul(1 << 20))
    }

    /// As [`new`](Self::new), with a memory of any size.
    fn with_bytes(options: DfPnOptions, bytes: usize) -> Self {
        let loops = LoopTable::new(bytes / 8);
        let table = Table::new(bytes - bytes / 8);
        Self { options, memory: Memory { table, loops } }
    }

    /// What the solver was made with.
    #[must_use]
    pub fn options(&self) -> DfPnOptions {
        self.options
    }

    /// The memory for results, in bytes: what was asked for, or less if the system did not have it.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.memory.table.bytes() + self.memory.loops.bytes()
    }

    fn result(&mut self, position: &Position, limit: Plies, meter: &mut Meter<'_>) -> MateResult {
        let mut position = position.without_history();
        let memory = &mut self.memory;
        let found = match Search::new(memory, meter, Tsume::new(&mut position)).run(limit) {
            Outcome::Proven(plies, _) => plies,
            Outcome::Disproven(Plies::UNLIMITED) => return MateResult::NoMate,
            Outcome::Disproven(_) | Outcome::Spent => return MateResult::Unknown,
        };
        let found = match self.options.goal {
            Goal::AnyMate => Shortest { plies: found, is_proven: found.count() == 1 },
            Goal::ShortestMate => shortest(memory, meter, &mut position, found),
        };
        let Some((line, shortest)) = line(memory, meter, &position, found) else {
            return MateResult::Unknown;
        };
        // Whatever went wrong above, what is no mate is not called one.
        if !is_mating_line(&position, &line) {
            debug_assert!(false, "the line found for {position:?} is no mate: {line:?}");
            return MateResult::Unknown;
        }
        MateResult::Mate { line: line.into_iter().collect(), shortest }
    }
}

/// The best line the budget allows, and whether it is as long as the shortest mate.
fn line(
    memory: &mut Memory,
    meter: &mut Meter<'_>,
    position: &Position,
    found: Shortest,
) -> Option<(Vec<Move>, bool)> {
    let Shortest { plies, is_proven } = found;
    let mut start = position.clone();
    let mut guide = |build: fn(&mut Guide<'_, '_>, Plies) -> Option<Vec<Move>>| {
        start.clone_from(position);
        build(&mut Guide { memory, meter, position: &mut start }, plies)
    };
    let optimal = if is_proven { guide(|guide, plies| guide.optimal_line(plies)) } else { None };
    if let Some(line) = optimal.filter(|line| line.len() == plies.count()) {
        return Some((line, true));
    }
    guide(|guide, plies| guide.bounding_line(plies))
        .or_else(|| guide(|guide, plies| guide.any_line(plies)))
        .map(|line| (line, false))
}

impl Default for DfPn {
    fn default() -> Self {
        Self::new(DfPnOptions::default())
    }
}

impl MateSolver for DfPn {
    /// Tries all checks, of whichever class.
    fn solve(&mut self, position: &Position, budget: &Budget, _: CheckClass) -> MateReport {
        let depth = budget.depth.unwrap_or(MAX_PLIES).min(MAX_PLIES);
        // A mate takes an odd number of plies.
        let Some(rest) = depth.checked_sub(1) else {
            return MateReport { result: MateResult::Unknown, nodes: 0 };
        };
        self.memory.table.next_generation();
        self.memory.loops.next_generation();
        let mut meter = Meter::new(budget);
        let result = self.result(position, Plies::new(rest / 2 * 2 + 1), &mut meter);
        MateReport { result, nodes: meter.nodes() }
    }
}

#[cfg(test)]
mod tests;
