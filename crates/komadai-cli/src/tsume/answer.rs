//! The answer to a problem: a search and its report as text.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use komadai::movegen::{CheckClass, MateReport, MateResult, MateSolver as _};
use komadai::tsume::{DfPn, DfPnOptions, Goal, PnSearch};
use komadai::{Budget, Position};
use komadai_console::describe;

use super::extras::Extras;
use super::input::Problem;
use super::options::{Method, TsumeArgs};
use super::output::{self, Solved};
use super::status::{Answer, Status, Verdict};

/// A solver of one thread.
#[derive(Debug)]
pub(super) struct Solver<'a> {
    arguments: &'a TsumeArgs,
    search: Search,
    stop: Arc<AtomicBool>,
    status: &'a Status,
}

#[derive(Debug)]
enum Search {
    DfPn(Box<DfPn>),
    Pn(PnSearch),
}

impl<'a> Solver<'a> {
    /// Creates a solver with this number of threads for each problem.
    pub(super) fn new(
        arguments: &'a TsumeArgs,
        threads: usize,
        stop: Arc<AtomicBool>,
        status: &'a Status,
    ) -> Self {
        let goal = if arguments.shortest { Goal::ShortestMate } else { Goal::ShortMate };
        let options =
            DfPnOptions { hash_mib: arguments.hash_mib, goal, threads, ..DfPnOptions::default() };
        let search = match arguments.solver {
            Method::DfPn => Search::DfPn(Box::new(DfPn::new(options))),
            Method::Pn => Search::Pn(PnSearch::new(arguments.hash_mib)),
        };
        Self { arguments, search, stop, status }
    }

    /// Solves a problem.
    pub(super) fn answer(&mut self, problem: &Problem) -> Answer {
        match problem.position() {
            Ok(position) => self.solve(problem, &position),
            Err(error) => Answer { verdict: Verdict::Refused, text: Err(error) },
        }
    }

    fn solve(&mut self, problem: &Problem, position: &Position) -> Answer {
        let start = Instant::now();
        let budget =
            Budget { stop: Some(Arc::clone(&self.stop)), ..Budget::nodes(self.arguments.nodes) };
        let report = self.search(&problem.id, position, &budget, start);
        let verdict = match report.result {
            MateResult::NoMate => Verdict::NoMate,
            _ if report.is_mate() => Verdict::Mate,
            _ => Verdict::Unknown,
        };
        let (arguments, elapsed) = (self.arguments, start.elapsed());
        let is_mate = verdict == Verdict::Mate;
        let extras = match &mut self.search {
            Search::DfPn(dfpn) => Extras::new(arguments, problem, position, is_mate, dfpn, &budget),
            // `TsumeArgs::check` has refused all additions.
            Search::Pn(_) => Ok(Extras::default()),
        };
        let extras = match extras {
            Ok(extras) => extras,
            Err(error) => {
                return Answer { verdict: Verdict::Failed, text: Err(describe(&error)) };
            }
        };
        let solved =
            Solved { id: &problem.id, position, report: &report, elapsed, extras: &extras };
        Answer { verdict, text: Ok(output::text(&solved, self.arguments)) }
    }

    fn search(
        &mut self,
        id: &str,
        position: &Position,
        budget: &Budget,
        start: Instant,
    ) -> MateReport {
        let mut budget = budget.clone();
        if let Some(ms) = self.arguments.time_ms {
            budget = Budget { deadline: Some(start + Duration::from_millis(ms)), ..budget };
        }
        match &mut self.search {
            Search::DfPn(dfpn) => {
                let show = &mut |progress: &_| self.status.note(id, progress, start);
                dfpn.solve_with(position, &budget, CheckClass::All, show)
            }
            Search::Pn(tree) => tree.solve(position, &budget, CheckClass::All),
        }
    }
}
