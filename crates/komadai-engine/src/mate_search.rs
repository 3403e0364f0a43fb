//! The mate search that goes with a search.
//!
//! Most positions have no mate, which the solver often proves in a few nodes. Where it cannot, its
//! time is lost to the search. The solver therefore gets a twentieth of the time or nodes, before
//! the search begins. With several threads it runs beside the search instead, with a tenth of the
//! time of all threads, and ends the search if it finds a mate.
//!
//! The solver gets half of the budget if a mate is known to exist from an earlier turn.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use komadai_base::clock::Instant;
use komadai_core::{Budget, Move, Position, Pv};
use komadai_movegen::{CheckClass, MateResult, MateSolver, MaxMoves, MoveGen, Repetition};

use crate::request::MoveRequest;

/// The result of a mate search and its cost.
#[derive(Debug, Default)]
pub(crate) struct MateSearchResult {
    /// The mate, or its first move alone.
    pub(crate) line: Option<Pv>,
    /// True if the line ends in mate; false if the solver could not collect it.
    pub(crate) is_complete: bool,
    /// The most plies that the mate takes.
    pub(crate) within: u32,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
}

/// A solver and its limits.
pub(crate) struct MateSearch<'a> {
    pub(crate) solver: &'a mut (dyn MateSolver + Send),
    /// Maximum number of nodes; the only limit where the request has neither time nor nodes.
    pub(crate) nodes: u64,
    pub(crate) max_moves: Option<MaxMoves>,
}

/// Share of the budget before a search: one part in this many.
const SHARE_BEFORE: u32 = 20;

/// Share of the budget for a mate that is known to exist: one part in this many.
const SHARE_OF_KNOWN: u32 = 2;

/// Ratio of the most nodes for a mate that is known to exist to those for others.
const NODES_OF_KNOWN: u64 = 50;

/// Share of the time of all threads beside a search: one part in this many. The search does not
/// wait for the solver here, so the share may be larger.
const SHARE_BESIDE: u32 = 10;

impl MateSearch<'_> {
    /// Runs before the search begins.
    pub(crate) fn before_search(&mut self, request: &MoveRequest<'_>) -> MateSearchResult {
        let budget = self.share(request, SHARE_BEFORE, self.nodes);
        self.run(request.position, &budget)
    }

    /// Searches for a mate that takes at most `within` plies and is known to exist.
    pub(crate) fn known(&mut self, request: &MoveRequest<'_>, within: u32) -> MateSearchResult {
        let most = self.nodes.saturating_mul(NODES_OF_KNOWN);
        let share = self.share(request, SHARE_OF_KNOWN, most);
        let budget = Budget { depth: Some(within), ..share };
        let found = self.run(request.position, &budget);
        MateSearchResult { within: found.within.min(within), ..found }
    }

    /// Returns one part in `parts` of the budget of a request, at most `most` nodes.
    fn share(&self, request: &MoveRequest<'_>, parts: u32, most: u64) -> Budget {
        let share = request.budget.least_nodes().map_or(u64::MAX, |nodes| nodes / u64::from(parts));
        // The depth limits the search only: a mate in five plies is welcome at depth 1 as well.
        let mut budget =
            Budget { nodes: Some(share.min(most)), depth: None, ..request.budget.clone() };
        if let Some(time) = expected_time(request) {
            budget.deadline = Instant::now().checked_add(time / parts);
        }
        budget
    }

    /// Runs while `search` searches on `threads` threads. A mate sets `stop_search`.
    pub(crate) fn beside_search<T>(
        &mut self,
        request: &MoveRequest<'_>,
        threads: usize,
        stop_search: &AtomicBool,
        search: impl FnOnce() -> T,
    ) -> (T, MateSearchResult) {
        let stop = Arc::new(AtomicBool::new(false));
        let mut budget = Budget { stop: Some(Arc::clone(&stop)), ..Budget::unlimited() };
        match expected_time(request) {
            Some(time) => {
                let parts = u32::try_from(threads).unwrap_or(SHARE_BESIDE).min(SHARE_BESIDE);
                let time = (time / SHARE_BESIDE).saturating_mul(parts);
                budget.deadline = Instant::now().checked_add(time);
            }
            None => budget.nodes = Some(self.nodes),
        }
        thread::scope(|scope| {
            let solver = scope.spawn(|| {
                let found = self.run(request.position, &budget);
                if found.line.is_some() {
                    stop_search.store(true, Ordering::Relaxed);
                }
                found
            });
            let result = search();
            stop.store(true, Ordering::Relaxed);
            (result, solver.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    }

    fn run(&mut self, position: &Position, budget: &Budget) -> MateSearchResult {
        if self.nodes == 0 || budget.nodes == Some(0) {
            return MateSearchResult::default();
        }
        let start = Instant::now();
        let report = self.solver.solve(position, budget, CheckClass::All);
        let mut found =
            MateSearchResult { nodes: report.nodes, time: start.elapsed(), ..Default::default() };
        let (line, is_complete) = match report.result {
            MateResult::Mate { line, .. } => (line, true),
            // The first move is enough to play. The rest is found in the next turns.
            MateResult::MateWithoutLine { first: Some(first) } => {
                (Pv::from_parts(first, &[]), false)
            }
            _ => return found,
        };
        let plies = u32::try_from(line.len()).unwrap_or(u32::MAX);
        let within = report.mate_within.unwrap_or(plies).max(plies);
        if line.first().is_some_and(|&first| self.is_playable(position, first, within)) {
            (found.line, found.is_complete, found.within) = (Some(line), is_complete, within);
        }
        found
    }

    /// Checks a mate against the rules that concern the whole game, which the solver ignores: its
    /// first check may complete a perpetual check, and the game may be drawn before its last move.
    pub(crate) fn is_playable(&self, position: &Position, first: Move, plies: u32) -> bool {
        let last = position.ply().saturating_add(plies.saturating_sub(1));
        position.is_legal(first)
            && position.after(first).repetition() == Repetition::None
            && self.max_moves.is_none_or(|most| last <= most.get())
    }
}

/// The time that the answer will take, as far as is known.
fn expected_time(request: &MoveRequest<'_>) -> Option<Duration> {
    let until_deadline =
        request.budget.deadline.map(|end| end.saturating_duration_since(Instant::now()));
    until_deadline.into_iter().chain(request.expected).min()
}

#[cfg(test)]
mod tests {
    use komadai_core::Move;
    use komadai_movegen::MateReport;

    use super::*;

    /// A solver that records its budget and reports the mate `finds`.
    struct Stub {
        finds: Option<&'static str>,
        budget: Budget,
    }

    impl MateSolver for Stub {
        fn solve(&mut self, _: &Position, budget: &Budget, _: CheckClass) -> MateReport {
            self.budget = budget.clone();
            let result = match self.finds {
                Some(line) => {
                    MateResult::Mate { line: line.parse().expect("moves"), shortest: false }
                }
                None => {
                    while budget.stop.is_some() && !budget.is_exhausted(0) {
                        thread::yield_now();
                    }
                    MateResult::Unknown
                }
            };
            MateReport::new(result, 7)
        }
    }

    fn stub(finds: Option<&'static str>) -> Stub {
        Stub { finds, budget: Budget::unlimited() }
    }

    fn mate_search(solver: &mut Stub) -> MateSearch<'_> {
        MateSearch { solver, nodes: 1_000, max_moves: None }
    }

    fn mated_by_gold() -> Position {
        Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").expect("a position")
    }

    #[test]
    fn a_twentieth_is_spent_before_a_search() {
        let position = Position::hirate();
        let spent = |request: &MoveRequest<'_>| {
            let mut stub = stub(None);
            mate_search(&mut stub).before_search(request);
            stub.budget
        };
        let request =
            MoveRequest::new(&position, Budget { depth: Some(1), ..Budget::nodes(4_000) });
        assert_eq!((spent(&request).nodes, spent(&request).depth), (Some(200), None));
        assert_eq!(spent(&MoveRequest::new(&position, Budget::nodes(9))).nodes, None, "not asked");
        assert_eq!(spent(&MoveRequest::new(&position, Budget::unlimited())).nodes, Some(1_000));

        let second = Duration::from_secs(1);
        let deadline = Instant::now() + 1_000 * second;
        let mut request =
            MoveRequest::new(&position, Budget { deadline: Some(deadline), ..Budget::unlimited() });
        let until = |budget: Budget| {
            budget.deadline.expect("there is time").saturating_duration_since(Instant::now())
        };
        assert!(until(spent(&request)) <= 50 * second);
        request.expected = Some(100 * second);
        assert!(until(spent(&request)) <= 5 * second);
    }

    #[test]
    fn a_mate_ends_the_search_beside_it() {
        let position = mated_by_gold();
        let request = MoveRequest::new(&position, Budget::unlimited());
        let (mut found, stop) = (stub(Some("G*5b")), AtomicBool::new(false));
        let search = || {
            while !stop.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            "stopped"
        };
        let (result, mate) = mate_search(&mut found).beside_search(&request, 2, &stop, search);
        assert_eq!((result, mate.nodes), ("stopped", 7));
        assert_eq!(mate.line.expect("the mate").to_string(), "G*5b");
    }

    #[test]
    fn the_end_of_the_search_ends_the_mate_search_beside_it() {
        let position = mated_by_gold();
        let request = MoveRequest::new(&position, Budget::unlimited());
        let (mut endless, stop) = (stub(None), AtomicBool::new(false));
        let (result, mate) = mate_search(&mut endless).beside_search(&request, 2, &stop, || "done");
        assert_eq!(result, "done");
        assert!(mate.line.is_none() && !stop.load(Ordering::Relaxed));
        assert_eq!(endless.budget.nodes, Some(1_000));
    }

    #[test]
    fn a_mate_that_cannot_be_played_is_none() {
        let mut position = mated_by_gold();
        let mut finds = stub(Some("G*5b 5a4a 5b4b"));
        let request = MoveRequest::new(&position, Budget::unlimited());
        let mut mate_search = mate_search(&mut finds);
        mate_search.max_moves = MaxMoves::new(3);
        assert!(mate_search.before_search(&request).line.is_some());
        mate_search.max_moves = MaxMoves::new(2);
        assert!(mate_search.before_search(&request).line.is_none(), "the game is drawn before");

        // The fourth occurrence is a repetition.
        mate_search.max_moves = None;
        for m in "5i5h 5a4a 5h5i 4a5a ".repeat(3).split_whitespace() {
            position.do_move(m.parse::<Move>().expect("a move"));
        }
        let mut finds = stub(Some("5i5h"));
        mate_search.solver = &mut finds;
        assert!(
            mate_search
                .before_search(&MoveRequest::new(&position, Budget::unlimited()))
                .line
                .is_none()
        );
    }
}
