//! Iterative deepening: searches of the root, each a ply deeper than the last, within a budget.

mod aspiration;
mod continuation;

use core::cmp::Reverse;

use komadai_base::clock::Instant;
use komadai_core::{Analysis, Bound, Line, Pv, Score};
use komadai_eval::Evaluator;

use crate::museum::older_forms;
use crate::pruning::Earliness;
use crate::root_move::{RootMove, adopt_mate, root_moves};
use crate::searcher::SearchRequest;
use crate::searcher::node_visitor::{NodeVisitor as _, VisitedNode};
use crate::settings::Settings;
use crate::statistics::Statistics;
use crate::techniques::Techniques;
use crate::transposition_table::entry::NodeResult;
use crate::value::{MAX_DEPTH, WON_BY_RULE, Window, is_decided};
use crate::worker::Worker;
use aspiration::{Trend, moved, unfinished};

/// The iterative deepening search of one position by one thread.
pub(crate) struct IterativeDeepening<'a, 'b, E: Evaluator, S: Settings> {
    worker: Worker<'a, E, S>,
    moves: Vec<RootMove>,
    /// True if these are all moves of the position, and not some that the caller has chosen.
    are_all: bool,
    /// Number of root moves that get a line (multi-PV).
    lines: usize,
    /// The iteration to begin with, as far as the table has the result of those before it.
    first_depth: i32,
    /// The deepest iteration that the budget allows.
    deepest: i32,
    start: Instant,
    progress: &'b mut dyn FnMut(&Analysis),
    /// The last finished iteration.
    finished: i32,
    /// The trend of each line, once it has a value.
    trends: Vec<Option<Trend>>,
}

impl<'a, 'b, E: Evaluator, S: Settings> IterativeDeepening<'a, 'b, E, S> {
    /// Returns a search of the legal moves that the request names, or of all useful moves.
    pub(crate) fn new(
        worker: Worker<'a, E, S>,
        request: &SearchRequest<'_>,
        progress: &'b mut dyn FnMut(&Analysis),
    ) -> Self {
        let &SearchRequest { among: only, budget, first_depth, .. } = request;
        let mut moves = root_moves(&worker.position, only);
        if let Some(order) = worker.order {
            moves.sort_by_cached_key(|root| Reverse(order.root(&worker.position, root.m)));
        }
        let are_all = only.is_none();
        let lines = worker.options.multi_pv.clamp(1, moves.len().max(1));
        let iteration = |depth: u32| depth.clamp(1, MAX_DEPTH as u32) as i32;
        let deepest = budget.depth.map_or(MAX_DEPTH, iteration);
        let first_depth = iteration(first_depth).min(deepest);
        Self {
            worker,
            moves,
            are_all,
            lines,
            first_depth,
            deepest,
            start: Instant::now(),
            progress,
            finished: 0,
            trends: vec![None; lines],
        }
    }

    /// Searches until the budget is used up or deeper iterations cannot change the result.
    pub(crate) fn run(mut self) -> (Analysis, Statistics) {
        let analysis = self.deepen();
        (analysis, self.worker.meter.statistics())
    }

    fn deepen(&mut self) -> Analysis {
        if self.moves.is_empty() {
            return Analysis { completed: true, ..self.analysis() };
        }
        // Among some moves the declaration is none of them.
        if self.are_all && self.worker.can_declare() {
            return self.declaration();
        }
        self.continue_earlier_search();
        while self.finished < self.deepest {
            let depth = self.finished + 1;
            if self.solve_root(depth) {
                break;
            }
            // The solver may have used up the budget.
            if !self.worker.meter.is_over() {
                self.iterate(depth);
            }
            if !self.worker.meter.is_over() {
                self.finished = depth;
                self.report_root();
                self.worker.meter.start_iteration(depth + 1);
                if let Some(shared) = self.worker.meter.shared_state() {
                    shared.publish(depth, &self.moves);
                }
            } else if !self.adopt_finished_iterations() {
                return self.analysis();
            }
            let analysis = self.analysis();
            (self.progress)(&analysis);
            if self.is_proven() {
                break;
            }
            // Not earlier: the first iteration is finished even without any budget, so that there
            // is always a move.
            self.worker.meter.enforce();
            let is_more = self.finished < self.deepest;
            if is_more && (!self.adopt_finished_iterations() || self.worker.meter.ends_iterations())
            {
                return self.analysis();
            }
        }
        Analysis { completed: true, ..self.analysis() }
    }

    /// Adopts a mate at the root that the solver finds, or that a tree search beside this one has
    /// proved; returns whether there is one.
    ///
    /// With several lines to report, the search goes on as without a solver.
    fn solve_root(&mut self, depth: i32) -> bool {
        if self.lines > 1 {
            return false;
        }
        let found = self.worker.solve_root().or_else(|| self.worker.root_won_by_tree());
        let Some(pv) = found else { return false };
        self.worker.longest = self.worker.longest.max(pv.len());
        if !adopt_mate(&mut self.moves, pv, depth) {
            return false;
        }
        (self.finished, self.worker.root_depth) = (depth, depth);
        self.report_root();
        let analysis = self.analysis();
        (self.progress)(&analysis);
        true
    }

    /// Hands the result of a finished iteration to the visitor, and stores it for other searchers
    /// and readers of the table.
    fn report_root(&mut self) {
        let RootMove { m, value, bound, ref pv, .. } = self.moves[0];
        self.worker.visitor.root(&VisitedNode {
            position: &self.worker.position,
            units: self.worker.units(),
            ply: 0,
            depth: self.finished,
            window: Window::FULL,
            value,
            bound,
            best: Some(m),
            static_value: None,
            line: Some(pv),
        });
        // The best of some moves is not the value of the position.
        if self.are_all {
            let static_value = (!self.worker.position.in_check()).then(|| self.worker.evaluate());
            let depth = self.finished;
            let result = NodeResult { best: Some(m), value, static_value, depth, bound, pv: true };
            self.worker.probe_table(0);
            self.worker.store_in_table(&result, 0);
        }
    }

    /// Adopts the results of faster threads, if they are why this iteration is over; returns
    /// `false` if the whole search is over.
    fn adopt_finished_iterations(&mut self) -> bool {
        if let Some(iteration) = self.worker.meter.take_finished_iterations() {
            (self.finished, self.moves) = (iteration.depth, iteration.moves);
        }
        !self.worker.meter.is_over()
    }

    /// Searches each line to `depth`.
    fn iterate(&mut self, depth: i32) {
        self.worker.iteration = depth;
        self.worker.earliness = Earliness::of_iteration(depth);
        self.worker.longest = 0;
        for first in 0..self.lines {
            self.search_with_aspiration(depth, first);
            // A later line may get a higher value than an earlier one: pruning and reductions
            // depend on the window.
            self.moves[..=first].sort_by_key(RootMove::rank);
            if self.worker.meter.is_over() {
                break;
            }
        }
        // The last search may have results better than an earlier line, besides the best of them.
        self.moves.sort_by_key(RootMove::rank);
    }

    /// Searches the moves from `first` on, with an aspiration window if there is a value to expect.
    ///
    /// If the budget ends before the value is exact, results far from the expectation are
    /// [not taken over](aspiration::unfinished).
    fn search_with_aspiration(&mut self, depth: i32, first: usize) {
        let p = self.worker.parameters();
        let classical = self.worker.uses(Techniques::CLASSICAL_ASPIRATION);
        let mut margin = older_forms::ASPIRATION_MARGIN;
        let mut window = Window::FULL;
        if let Some(trend) = self.trends[first]
            && self.worker.uses(Techniques::ASPIRATION)
            && !is_decided(self.moves[first].value)
        {
            margin = if classical { margin } else { trend.margin(p, self.worker.earliness) };
            window = Window { alpha: trend.value - margin, beta: trend.value + margin };
        }
        let mut fail_highs = 0;
        self.worker.last_line.clone_from(&self.moves[first].pv);
        let best = self.moves[0].value;
        let before = (depth > 1).then(|| self.moves[first..].to_vec());
        loop {
            let moves = &mut self.moves[first..];
            self.worker.root_depth = (depth - fail_highs).max(1);
            let value = self.worker.root(moves, window);
            // The best move comes first, so that the next search starts with it.
            moves.sort_by_key(RootMove::rank);
            if self.worker.meter.is_over() {
                if let Some(before) = before {
                    unfinished(moves, &before, best, depth);
                }
                return;
            }
            self.trends[first] = Trend::with(self.trends[first], value);
            let Some(next) = moved(window, value, margin) else { return };
            // A better move is found sooner in less depth; a worse value is searched in full.
            let is_shallower = value >= window.beta
                && !classical
                && self.worker.uses(Techniques::LATE_MOVE_REDUCTION);
            fail_highs = if is_shallower { fail_highs + 1 } else { 0 };
            window = if classical { older_forms::opened_window(window, value) } else { next };
            margin += (margin / 3).max(1);
        }
    }

    /// Checks whether deeper iterations will hardly change the result.
    ///
    /// All lines end in mates, and the search is twice as deep as their length, so that shorter
    /// mates which were pruned or reduced would have been found.
    fn is_proven(&self) -> bool {
        self.moves.iter().take(self.lines).all(|root_move| {
            let plies = Score::from_raw(root_move.value).mate_plies();
            plies.is_some_and(|plies| 2 * plies.unsigned_abs() <= self.finished as u32)
        })
    }

    /// Returns the result of a side that can declare a win: a line without moves.
    fn declaration(&mut self) -> Analysis {
        let score = Score::from_raw(WON_BY_RULE);
        let lines = vec![Line::exact(score, Pv::new())];
        Analysis { lines, completed: true, ..self.analysis() }
    }

    fn analysis(&mut self) -> Analysis {
        let units = self.worker.units();
        let mut lines: Vec<Line> = self
            .moves
            .iter()
            .take(self.lines)
            .filter_map(|root_move| root_move.line(units))
            .collect();
        // A move that is better than an earlier line would have taken its place.
        for at in 1..lines.len() {
            if lines[at].bound == Bound::Upper {
                lines[at].score = lines[at].score.min(lines[at - 1].score);
            }
        }
        Analysis {
            depth: self.finished as u32,
            seldepth: self.worker.longest as u32,
            nodes: self.worker.meter.nodes(),
            time: self.start.elapsed(),
            lines,
            completed: false,
        }
    }
}
