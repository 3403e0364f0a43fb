//! The public solver: options, tables and the steps from a position to a report.

mod prover;
mod shortest;

use komadai_base::clock::Instant;
use komadai_core::{Budget, Move, Position};
use komadai_movegen::mate::mate_in_one;
use komadai_movegen::stages::generate_class_into;
use komadai_movegen::{
    AnyMove, CheckClass, MateLimit, MateReport, MateResult, MateSolver, MoveClass, MoveGen,
};

use prover::Prover;
use shortest::Bounds;

use crate::line::{Guide, is_mating_line};
use crate::memory::{Memory, Workspace};
use crate::meter::{MateProgress, Meter};
use crate::options::{DfPnOptions, Goal, Results};
use crate::plies::{MAX_PLIES, Plies};
use crate::search::Outcome;
use crate::tables::table::Lookup;

/// Largest number of threads that search one position.
const MAX_THREADS: usize = 1_024;

/// A mate solver: depth-first proof-number search (df-pn) in fixed memory.
///
/// The result is one of three: a mate with its moves; a proof that there is no mate; or unknown,
/// because the [`Budget`] was spent first. A [`depth`](Budget::depth) in the budget restricts the
/// search to mates of at most that many plies. Without a depth the limit is 4,095 plies. The result
/// is also unknown if no mate exists within the limit but longer mates are not refuted.
///
/// A solver is made once and asked often: its tables are allocated when it is created, and emptying
/// them takes no time. For positions that follow from each other, as in a game,
/// [`Results::Kept`] makes later questions cheaper. Where a mate of at most five plies is all that
/// is wanted, [`short_mate`](crate::short_mate) is faster.
///
/// It answers about one position. Whether a problem is sound (one solution, no dual, the intended
/// length) are many questions, which `composition` of `komadai-problems` asks; a second opinion that
/// shares nothing with this search is [`PnSearch`](crate::PnSearch).
///
/// One node is one position whose moves are generated. If the budget limits nodes only, the same
/// position always gives the same report but for the time, independent of earlier calls, unless the
/// options ask for several threads or for [`Results::Kept`].
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_movegen::MateResult;
/// use komadai_tsume::{DfPn, DfPnOptions, Goal};
///
/// let options = DfPnOptions { hash_mib: 8, goal: Goal::ShortestMate, ..DfPnOptions::default() };
/// let mut solver = DfPn::new(options);
/// let position = Position::from_sfen("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1")?;
/// let report = solver.solve_mate(&position, &Budget::nodes(100_000));
/// let MateResult::Mate { line, shortest: true } = report.result else { panic!("{report:?}") };
/// assert_eq!(line.len(), 15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DfPn {
    options: DfPnOptions,
    memory: Memory,
    /// One a thread, at least one.
    works: Vec<Workspace>,
}

impl DfPn {
    /// Creates a solver with its own tables.
    pub fn new(options: DfPnOptions) -> Self {
        let mib = options.hash_mib.clamp(1, DfPnOptions::MAX_HASH_MIB);
        Self::with_bytes(options, mib.saturating_mul(1 << 20))
    }

    /// Creates a solver as [`new`](Self::new) does, with tables of at most `bytes` in all.
    fn with_bytes(options: DfPnOptions, bytes: usize) -> Self {
        let threads = options.threads.clamp(1, MAX_THREADS);
        // The moves of visited positions are smaller than their results.
        let works = (0..threads)
            .map(|_| Workspace::for_techniques(options.techniques, bytes / 8 / threads))
            .collect();
        let mut solver = Self { options, memory: Memory::new(bytes - bytes / 8), works };
        solver.memory.techniques = options.techniques;
        solver.forget_all();
        solver
    }

    /// Returns the options that the solver was created with.
    pub fn options(&self) -> DfPnOptions {
        self.options
    }

    /// Returns the size of the tables in bytes: the requested size, or less if the system refused
    /// it.
    pub fn memory_bytes(&self) -> usize {
        self.memory.table.bytes() + self.memory.loops.bytes() + self.workspace_bytes()
    }

    /// Forgets all results, in constant time.
    fn forget_all(&mut self) {
        self.memory.next_generation();
        self.works.iter_mut().for_each(Workspace::forget);
    }

    /// Searches for a mate with any checks, as
    /// [`solve`](MateSolver::solve) with [`CheckClass::All`] does, without the trait.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Budget, Position};
    /// use komadai_movegen::MateResult;
    /// use komadai_tsume::DfPn;
    ///
    /// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
    /// let report = DfPn::default().solve_mate(&position, &Budget::nodes(1_000));
    /// assert!(matches!(report.result, MateResult::Mate { line, .. } if line.len() == 1));
    /// # Ok::<(), komadai_core::SfenError>(())
    /// ```
    pub fn solve_mate(&mut self, position: &Position, budget: &Budget) -> MateReport {
        self.solve_with(position, budget, CheckClass::All, &mut |_| {})
    }

    /// Searches as [`solve`](MateSolver::solve) does, and calls `progress` once for
    /// [`MateProgress::INTERVAL`] nodes. The result does not depend on it. Setting the budget's
    /// stop flag in `progress` ends the search.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Budget, Position};
    /// use komadai_movegen::CheckClass;
    /// use komadai_tsume::{DfPn, MateProgress};
    ///
    /// let position = Position::from_sfen("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1")?;
    /// let mut solver = DfPn::default();
    /// let show = &mut |progress: &MateProgress| {
    ///     let MateProgress { nodes, proof_number, disproof_number, .. } = progress;
    ///     println!("{nodes} nodes: pn {proof_number}, dn {disproof_number}");
    /// };
    /// solver.solve_with(&position, &Budget::nodes(100_000), CheckClass::All, show);
    /// # Ok::<(), komadai_core::SfenError>(())
    /// ```
    pub fn solve_with(
        &mut self,
        position: &Position,
        budget: &Budget,
        checks: CheckClass,
        progress: &mut dyn FnMut(&MateProgress),
    ) -> MateReport {
        let depth = budget.depth.unwrap_or(MAX_PLIES).min(MAX_PLIES);
        // A mate has an odd number of plies, so an even depth is rounded down.
        let Some(rest) = depth.checked_sub(1) else {
            let limit = Some(MateLimit::Depth);
            return MateReport { limit, ..MateReport::new(MateResult::Unknown, 0) };
        };
        if let Some(report) = at_once(position, budget) {
            return report;
        }
        let clock = Instant::now();
        match self.options.results {
            Results::Dropped => self.forget_all(),
            Results::Kept => self.memory.keep_for(position, checks),
        }
        let mut meter = Meter::new(budget, progress);
        let memory = &self.memory;
        let prover = Prover { memory, works: &mut self.works, meter: &mut meter, checks };
        let report = report(prover, self.options.goal, position, Plies::new(rest / 2 * 2 + 1));
        let report = match checks {
            CheckClass::Near => without_negative_claims(report),
            _ => report,
        };
        MateReport { time: clock.elapsed(), memory_bytes: self.used_bytes(), ..report }
    }

    /// Returns the memory in use, in bytes.
    fn used_bytes(&self) -> usize {
        self.memory.used_bytes() + self.workspace_bytes()
    }

    fn workspace_bytes(&self) -> usize {
        self.works.iter().map(Workspace::bytes).sum()
    }
}

/// Returns the report on a position that has no check, or a mate in one move. Both are frequent in
/// games, and this touches no table.
fn at_once(position: &Position, budget: &Budget) -> Option<MateReport> {
    if budget.is_exhausted(1) {
        return None;
    }
    if generate_class_into(position, MoveClass::CHECKS, &mut AnyMove).is_continue() {
        return Some(MateReport::new(MateResult::NoMate, 1));
    }
    let mate = mate_in_one(position)?;
    let result = MateResult::Mate { line: std::iter::once(mate).collect(), shortest: true };
    Some(MateReport { mate_within: Some(1), ..MateReport::new(result, 1) })
}

/// Removes from the report of a search of near checks what other checks may refute: that there is
/// no mate within a number of plies, or no shorter one.
fn without_negative_claims(mut report: MateReport) -> MateReport {
    if let MateResult::Mate { shortest, .. } = &mut report.result {
        *shortest = false;
    }
    MateReport { no_mate_within: 0, ..report }
}

/// The report of a search without a mate.
fn no_mate(outcome: Outcome, meter: &Meter<'_>) -> MateReport {
    let unknown = MateReport::new(MateResult::Unknown, meter.nodes());
    match outcome {
        Outcome::Disproven(Plies::UNLIMITED) => MateReport::new(MateResult::NoMate, meter.nodes()),
        Outcome::Disproven(plies) => {
            let no_mate_within = plies.count() as u32;
            MateReport { limit: Some(MateLimit::Depth), no_mate_within, ..unknown }
        }
        Outcome::Proven(..) | Outcome::Spent => {
            MateReport { limit: Some(meter.limit()), ..unknown }
        }
    }
}

/// Searches and reports the result; time and memory are filled in later.
fn report(mut prover: Prover<'_, '_>, goal: Goal, position: &Position, limit: Plies) -> MateReport {
    let mut position = position.without_history();
    let found = match Bounds::of_any_mate(&mut prover, &mut position, limit) {
        Ok(found) => found,
        Err(outcome) => return no_mate(outcome, prover.meter),
    };
    let found = match goal {
        Goal::AnyMate => found,
        Goal::ShortMate => found.shorten_a_little(&mut prover, &mut position),
        Goal::ShortestMate => found.shorten(&mut prover, &mut position),
    };
    let Prover { memory, works, meter, checks } = prover;
    let [work, ..] = works else { unreachable!("there is a thread") };
    meter.start_collecting();
    let collected = line((memory, work), meter, (&position, checks), found);
    let report = match collected {
        Some((line, shortest)) => {
            // The last safeguard: hash collisions or a mistake above must never produce a false
            // mate.
            if !is_mating_line(&position, &line) {
                debug_assert!(false, "the line found for {position:?} is no mate: {line:?}");
                return MateReport::new(MateResult::Unknown, meter.nodes());
            }
            let line = line.into_iter().collect();
            MateReport::new(MateResult::Mate { line, shortest }, meter.nodes())
        }
        None => {
            let first = first_move(memory, &position);
            let report = MateReport::new(MateResult::MateWithoutLine { first }, meter.nodes());
            MateReport { limit: Some(meter.limit()), ..report }
        }
    };
    // The search for shorter mates has ended early as well.
    let limit = report.limit.or_else(|| match goal {
        Goal::ShortestMate if !found.is_proven => Some(meter.limit()),
        _ => None,
    });
    MateReport {
        limit,
        mate_within: Some(found.plies.count() as u32),
        no_mate_within: found.no_mate_within.count() as u32,
        ..report
    }
}

/// Returns the best line that the budget allows, and true if it is as long as the shortest mate.
///
/// The kinds of lines are tried from the strongest guarantee to the weakest.
fn line(
    (memory, work): (&Memory, &mut Workspace),
    meter: &mut Meter<'_>,
    (position, checks): (&Position, CheckClass),
    found: Bounds,
) -> Option<(Vec<Move>, bool)> {
    let Bounds { plies, is_proven, .. } = found;
    let mut start = position.clone();
    let mut guide = |build: fn(&mut Guide<'_, '_>, Plies) -> Option<Vec<Move>>| {
        start.clone_from(position);
        build(&mut Guide { memory, work, meter, position: &mut start, checks }, plies)
    };
    let optimal = if is_proven { guide(|guide, plies| guide.optimal_line(plies)) } else { None };
    if let Some(line) = optimal.filter(|line| line.len() == plies.count()) {
        return Some((line, true));
    }
    guide(|guide, plies| guide.bounding_line(plies))
        .or_else(|| guide(|guide, plies| guide.any_line(plies)))
        .map(|line| (line, false))
}

/// Returns the first move of a proven mate, if the table still has it.
fn first_move(memory: &Memory, position: &Position) -> Option<Move> {
    let key = memory.key(position.board_key());
    let hand = position.hand(position.side());
    match memory.table.look_up(key, hand, Plies::new(MAX_PLIES)) {
        Lookup::Proven { best, .. } => best.filter(|&m| position.is_legal(m)),
        _ => None,
    }
}

impl Default for DfPn {
    fn default() -> Self {
        Self::new(DfPnOptions::default())
    }
}

impl MateSolver for DfPn {
    /// Searches for a mate with the checks of the class. The near ones are all but the drops of
    /// lances, bishops and rooks from a distance; a mate in one move is found with any check.
    ///
    /// A search of near checks proves of the position only that there is a mate, or no check at
    /// all: its [`no_mate_within`](MateReport::no_mate_within) is 0 and its mates are not claimed
    /// to be the shortest, except those in one move.
    fn solve(&mut self, position: &Position, budget: &Budget, checks: CheckClass) -> MateReport {
        self.solve_with(position, budget, checks, &mut |_| {})
    }

    fn solve_watched(
        &mut self,
        position: &Position,
        budget: &Budget,
        checks: CheckClass,
        watch: &mut dyn FnMut(&MateReport, &[Move]),
    ) -> MateReport {
        self.solve_with(position, budget, checks, &mut |progress| {
            let &MateProgress { nodes, found: mate_within, memory_bytes, .. } = progress;
            let report = MateReport::new(MateResult::Unknown, nodes);
            watch(&MateReport { mate_within, memory_bytes, ..report }, &progress.line);
        })
    }

    fn forget(&mut self) {
        self.forget_all();
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }
}

#[cfg(test)]
mod tests;
