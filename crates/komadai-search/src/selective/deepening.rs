//! Iterative deepening of the selective searches: budgets grow by a nat or a move.

use core::ops::ControlFlow;

use komadai_base::clock::Instant;
use komadai_core::{Analysis, Line, Move, Pv, Score};
use komadai_eval::Evaluator;
use smallvec::SmallVec;

use super::budgets::Budgets;
use super::cost::table_depth;
use super::costed_moves::CostedMove;
use super::node::{BestMove, SelectiveSearch};
use super::statistics::SelectiveStatistics;
use crate::pruning::Earliness;
use crate::root_move::{RootMove, adopt_mate, root_moves};
use crate::searcher::SearchRequest;
use crate::transposition_table::entry::NodeResult;
use crate::value::{WON_BY_RULE, Window, bound_of};

/// The search of one position with growing budgets.
pub(super) struct Deepening<'a, 'b, E: Evaluator> {
    search: SelectiveSearch<'a, E>,
    moves: Vec<RootMove>,
    /// The cost of each root move.
    costs: Vec<CostedMove>,
    /// True if these are all moves of the position, and not some that the caller has chosen.
    are_all: bool,
    lines: usize,
    /// The last iteration.
    deepest: i32,
    /// The last finished iteration.
    finished: i32,
    start: Instant,
    progress: &'b mut dyn FnMut(&Analysis),
}

impl<'a, 'b, E: Evaluator> Deepening<'a, 'b, E> {
    pub(super) fn new(
        search: SelectiveSearch<'a, E>,
        lines: usize,
        request: &SearchRequest<'_>,
        progress: &'b mut dyn FnMut(&Analysis),
    ) -> Self {
        let position = &search.worker.position;
        let mut moves = root_moves(position, request.among);
        let all: Vec<Move> = moves.iter().map(|root_move| root_move.m).collect();
        let costs = search.charging.costed_moves(position, &all, None).to_vec();
        moves.sort_by_key(|root_move| costs.iter().position(|costed| costed.m == root_move.m));
        let lines = lines.clamp(1, moves.len().max(1));
        let most = search.charging.most_iterations();
        let at_most = |depth: u32| depth.clamp(1, most as u32) as i32;
        Self {
            search,
            moves,
            costs,
            are_all: request.among.is_none(),
            lines,
            deepest: request.budget.depth.map_or(most, at_most),
            finished: 0,
            start: Instant::now(),
            progress,
        }
    }

    /// Searches until the limits are reached or larger budgets cannot change the result.
    pub(super) fn run(mut self) -> (Analysis, SelectiveStatistics) {
        let analysis = self.deepen();
        (analysis, self.search.statistics)
    }

    fn deepen(&mut self) -> Analysis {
        if self.moves.is_empty() {
            return Analysis { completed: true, ..self.analysis() };
        }
        // Among some moves the declaration is none of them.
        if self.are_all && self.search.worker.can_declare() {
            let lines = vec![Line::exact(Score::from_raw(WON_BY_RULE), Pv::new())];
            return Analysis { lines, completed: true, ..self.analysis() };
        }
        while self.finished < self.deepest {
            let iteration = self.finished + 1;
            if self.solve_root(iteration) {
                break;
            }
            // The solver may have used up the limits.
            if !self.search.worker.meter.is_over() {
                self.iterate(iteration);
            }
            if !self.search.worker.meter.is_over() {
                self.finished = iteration;
                self.search.worker.meter.start_iteration(iteration + 1);
                if let Some(shared) = self.search.worker.meter.shared_state() {
                    shared.publish(iteration, &self.moves);
                }
            } else if !self.adopt_finished_iterations() {
                return self.analysis();
            }
            let analysis = self.analysis();
            (self.progress)(&analysis);
            if self.is_proven() {
                break;
            }
            // Not earlier: the first iteration is finished even without any budget.
            self.search.worker.meter.enforce();
            let is_more = self.finished < self.deepest;
            if is_more
                && (!self.adopt_finished_iterations() || self.search.worker.meter.ends_iterations())
            {
                return self.analysis();
            }
        }
        Analysis { completed: true, ..self.analysis() }
    }

    /// Adopts a mate at the root that the solver finds; returns whether there is one. With several
    /// lines to report, the search goes on as without a solver.
    fn solve_root(&mut self, iteration: i32) -> bool {
        if self.lines > 1 {
            return false;
        }
        let Some(pv) = self.search.worker.solve_root() else { return false };
        self.search.worker.longest = self.search.worker.longest.max(pv.len());
        if !adopt_mate(&mut self.moves, pv, iteration) {
            return false;
        }
        self.finished = iteration;
        if self.are_all {
            let budgets = self.search.charging.budgets_of(iteration);
            self.store(budgets);
        }
        let analysis = self.analysis();
        (self.progress)(&analysis);
        true
    }

    /// Adopts the results of faster threads, if they are why this iteration is over; returns
    /// `false` if the whole search is over.
    fn adopt_finished_iterations(&mut self) -> bool {
        if let Some(iteration) = self.search.worker.meter.take_finished_iterations() {
            (self.finished, self.moves) = (iteration.depth, iteration.moves);
        }
        !self.search.worker.meter.is_over()
    }

    /// Searches each line with the budgets of an iteration.
    fn iterate(&mut self, iteration: i32) {
        self.search.worker.iteration = iteration;
        self.search.worker.earliness = Earliness::of_iteration(iteration);
        self.search.worker.longest = 0;
        let budgets = self.search.charging.budgets_of(iteration);
        for first in 0..self.lines {
            self.search_line(budgets, first);
            self.moves.sort_by_key(RootMove::rank);
            if self.search.worker.meter.is_over() {
                return;
            }
        }
        if self.are_all {
            self.store(budgets);
        }
    }

    /// Searches the moves from `first` on. When the limits of the search are reached, the results
    /// found until then stay.
    fn search_line(&mut self, budgets: Budgets, first: usize) {
        self.search.prepare_root();
        let plies = self.search.charging.plies(budgets);
        let mut best = BestMove::new(Window::FULL);
        let mut deferred: SmallVec<[usize; 8]> = SmallVec::new();
        for index in 0..self.moves.len() - first {
            let m = self.moves[first + index].m;
            if index > 0 && self.search.is_searched_elsewhere(m, plies) {
                deferred.push(index);
            } else if self.search_root_move(first, index, &mut best, budgets).is_break() {
                return;
            }
        }
        for index in deferred {
            if self.search_root_move(first, index, &mut best, budgets).is_break() {
                return;
            }
        }
        if let Some(m) = best.m {
            self.search.worker.update_histories(m, &best.searched, plies, 0);
        }
    }

    /// Searches the move at `index` of those from `first` on, and stores its result. Breaks when
    /// the limits of the search are reached.
    fn search_root_move(
        &mut self,
        first: usize,
        index: usize,
        best: &mut BestMove,
        budgets: Budgets,
    ) -> ControlFlow<()> {
        let Self { search, moves, costs, lines, .. } = self;
        let root_move = &mut moves[first + index];
        let iteration = search.worker.iteration;
        let m = root_move.m;
        let cost = costs.iter().find(|costed| costed.m == m).map_or(0, |costed| costed.cost);
        let is_last_best = index == 0 && root_move.iteration > 0;
        let most = search.charging.table_move_cost();
        let costed = CostedMove { m, cost: if is_last_best { cost.min(most) } else { cost } };
        let value = search.search_move::<true>(&costed, index, best.window, budgets, 0);
        if search.worker.meter.is_over() {
            return ControlFlow::Break(());
        }
        if value > best.window.alpha {
            (best.m, best.window.alpha) = (Some(m), value);
            root_move.value = value;
            root_move.bound = bound_of(value, Window::FULL);
            root_move.iteration = iteration;
            root_move.pv.set(m, &search.worker.pvs[1]);
        } else {
            // An earlier line of this iteration may have raised it.
            root_move.iteration = root_move.iteration.min(iteration - 1);
        }
        let captures = search.worker.position.piece_on(m.to()).is_some();
        best.searched.add(m, captures);
        // Each line has a move by now. The first iteration is finished even without any budget, but
        // not where forced moves that cost nothing can make it a long one.
        if first + 1 == *lines && search.charging.has_two_budgets() {
            search.worker.meter.enforce();
            if search.worker.meter.is_over() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Stores the result of an iteration for later searches.
    fn store(&mut self, budgets: Budgets) {
        let RootMove { m, value, bound, .. } = self.moves[0];
        let depth = table_depth(budgets.largest());
        let result =
            NodeResult { best: Some(m), value, static_value: None, depth, bound, pv: true };
        self.search.store(&result, budgets, 0);
    }

    /// Checks whether all lines end in mates, none longer than the iteration.
    fn is_proven(&self) -> bool {
        self.moves.iter().take(self.lines).all(|root_move| {
            let plies = Score::from_raw(root_move.value).mate_plies();
            plies.is_some_and(|plies| plies.unsigned_abs() <= self.finished as u32)
        })
    }

    fn analysis(&mut self) -> Analysis {
        let worker = &mut self.search.worker;
        let units = worker.units();
        let lines = self.moves.iter().take(self.lines);
        Analysis {
            depth: self.finished as u32,
            seldepth: worker.longest as u32,
            nodes: worker.meter.nodes(),
            time: self.start.elapsed(),
            lines: lines.filter_map(|root_move| root_move.line(units)).collect(),
            completed: false,
        }
    }
}

impl<E: Evaluator> SelectiveSearch<'_, E> {
    /// Initialises the frame of the root, which the first plies read.
    fn prepare_root(&mut self) {
        let evaluation = self.worker.static_evaluation(None, 0);
        self.worker.frames[0].static_value = evaluation.map(|evaluation| evaluation.corrected);
    }
}
