//! The look for a mate that goes with a search.
//!
//! Most positions have no mate, which the solver often proves in a few nodes; where it cannot, what it
//! takes is lost to the search. So it gets a twentieth of the time or nodes, before the search begins.
//! With several threads it works beside the search instead, for a tenth of the time of all of them,
//! and ends the search if it finds something.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use komadai_core::{Budget, Position, Pv};
use komadai_movegen::{CheckClass, MateResult, MateSolver, MaxMoves, MoveGen, Repetition};

use crate::player::Question;

/// What a look for a mate has found, and at what cost.
#[derive(Debug, Default)]
pub(crate) struct MateLook {
    pub(crate) line: Option<Pv>,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
}

/// A solver, and what it may do.
#[derive(Debug)]
pub(crate) struct MateLooker<'a, S> {
    pub(crate) solver: &'a mut S,
    /// The nodes that may be spent where neither time nor nodes are limited.
    pub(crate) nodes: u64,
    pub(crate) max_moves: Option<MaxMoves>,
}

/// One part in so many is spent before a search.
const PART: u32 = 20;

/// One part in so many of the time of all threads is spent beside a search.
const PART_BESIDE: u32 = 10;

impl<S: MateSolver + Send> MateLooker<'_, S> {
    /// Looks before the search begins.
    pub(crate) fn before(&mut self, question: &Question<'_>) -> MateLook {
        let share = question.budget.nodes.map_or(u64::MAX, |nodes| nodes / u64::from(PART));
        let mut budget = question.budget.clone().with_nodes(share.min(self.nodes));
        // A search of depth 1 is not to be outdone by a mate in five.
        budget.depth = None;
        if let Some(time) = time_of(question) {
            budget.deadline = Instant::now().checked_add(time / PART);
        }
        self.look(question.position, &budget)
    }

    /// Looks while `search` searches on `threads` threads. A mate sets the flag that stops it.
    pub(crate) fn beside<T>(
        &mut self,
        question: &Question<'_>,
        threads: usize,
        stop_search: &AtomicBool,
        search: impl FnOnce() -> T,
    ) -> (T, MateLook) {
        let stop = Arc::new(AtomicBool::new(false));
        let mut budget = Budget::unlimited().with_stop(Arc::clone(&stop));
        match time_of(question) {
            Some(time) => {
                let parts = u32::try_from(threads).unwrap_or(PART_BESIDE).min(PART_BESIDE);
                let time = (time / PART_BESIDE).saturating_mul(parts);
                budget.deadline = Instant::now().checked_add(time);
            }
            None => budget.nodes = Some(self.nodes),
        }
        thread::scope(|scope| {
            let solver = scope.spawn(|| {
                let look = self.look(question.position, &budget);
                if look.line.is_some() {
                    stop_search.store(true, Ordering::Relaxed);
                }
                look
            });
            let result = search();
            stop.store(true, Ordering::Relaxed);
            (result, solver.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    }

    fn look(&mut self, position: &Position, budget: &Budget) -> MateLook {
        if self.nodes == 0 || budget.nodes == Some(0) {
            return MateLook::default();
        }
        let start = Instant::now();
        let report = self.solver.solve(position, budget, CheckClass::All);
        let line = match report.result {
            MateResult::Mate { line, .. } => Some(line),
            _ => None,
        };
        let line = line.filter(|line| self.is_playable(position, line));
        MateLook { line, nodes: report.nodes, time: start.elapsed() }
    }

    /// The solver does not know the game: its first check may be one too many of a perpetual, and the
    /// game may be drawn before its last move.
    fn is_playable(&self, position: &Position, line: &Pv) -> bool {
        let Some(&first) = line.first() else { return false };
        let more = u32::try_from(line.len() - 1).unwrap_or(u32::MAX);
        let last = position.ply().saturating_add(more);
        position.after(first).repetition() == Repetition::None
            && self.max_moves.is_none_or(|most| last <= most.get())
    }
}

/// The time that the answer will take, as far as is known.
fn time_of(question: &Question<'_>) -> Option<Duration> {
    let until_deadline =
        question.budget.deadline.map(|end| end.saturating_duration_since(Instant::now()));
    until_deadline.into_iter().chain(question.expected).min()
}

#[cfg(test)]
mod tests {
    use komadai_core::Move;
    use komadai_movegen::MateReport;

    use super::*;

    /// Notes the budget it is given; finds the mate it is told to find.
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
            MateReport { result, nodes: 7 }
        }
    }

    fn stub(finds: Option<&'static str>) -> Stub {
        Stub { finds, budget: Budget::unlimited() }
    }

    fn looker(solver: &mut Stub) -> MateLooker<'_, Stub> {
        MateLooker { solver, nodes: 1_000, max_moves: None }
    }

    fn mated_by_gold() -> Position {
        Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").expect("a position")
    }

    #[test]
    fn a_twentieth_is_spent_before_a_search() {
        let position = Position::hirate();
        let spent = |question: &Question<'_>| {
            let mut stub = stub(None);
            looker(&mut stub).before(question);
            stub.budget
        };
        let question = Question::new(&position, Budget::nodes(4_000).with_depth(1));
        assert_eq!((spent(&question).nodes, spent(&question).depth), (Some(200), None));
        assert_eq!(spent(&Question::new(&position, Budget::nodes(9))).nodes, None, "not asked");
        assert_eq!(spent(&Question::new(&position, Budget::unlimited())).nodes, Some(1_000));

        let second = Duration::from_secs(1);
        let deadline = Instant::now() + 1_000 * second;
        let mut question = Question::new(&position, Budget::unlimited().with_deadline(deadline));
        let until = |budget: Budget| {
            budget.deadline.expect("there is time").saturating_duration_since(Instant::now())
        };
        assert!(until(spent(&question)) <= 50 * second);
        question.expected = Some(100 * second);
        assert!(until(spent(&question)) <= 5 * second);
    }

    #[test]
    fn a_mate_ends_the_search_beside_it() {
        let position = mated_by_gold();
        let question = Question::new(&position, Budget::unlimited());
        let (mut found, stop) = (stub(Some("G*5b")), AtomicBool::new(false));
        let search = || {
            while !stop.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            "stopped"
        };
        let (result, look) = looker(&mut found).beside(&question, 2, &stop, search);
        assert_eq!((result, look.nodes), ("stopped", 7));
        assert_eq!(look.line.expect("the mate").to_string(), "G*5b");
    }

    #[test]
    fn the_end_of_the_search_ends_the_look_beside_it() {
        let position = mated_by_gold();
        let question = Question::new(&position, Budget::unlimited());
        let (mut endless, stop) = (stub(None), AtomicBool::new(false));
        let (result, look) = looker(&mut endless).beside(&question, 2, &stop, || "done");
        assert_eq!(result, "done");
        assert!(look.line.is_none() && !stop.load(Ordering::Relaxed));
        assert_eq!(endless.budget.nodes, Some(1_000));
    }

    #[test]
    fn a_mate_that_cannot_be_played_is_none() {
        let mut position = mated_by_gold();
        let mut finds = stub(Some("G*5b 5a4a 5b4b"));
        let question = Question::new(&position, Budget::unlimited());
        let mut looker = looker(&mut finds);
        looker.max_moves = MaxMoves::new(3);
        assert!(looker.before(&question).line.is_some());
        looker.max_moves = MaxMoves::new(2);
        assert!(looker.before(&question).line.is_none(), "the game is drawn before");

        // The fourth time is one too many.
        looker.max_moves = None;
        for m in "5i5h 5a4a 5h5i 4a5a ".repeat(3).split_whitespace() {
            position.do_move(m.parse::<Move>().expect("a move"));
        }
        let mut finds = stub(Some("5i5h"));
        looker.solver = &mut finds;
        assert!(looker.before(&Question::new(&position, Budget::unlimited())).line.is_none());
    }
}
