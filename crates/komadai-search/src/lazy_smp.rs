//! Lazy SMP: several threads search the same position.
//!
//! Every thread searches the whole tree. The threads help each other through the transposition
//! table and the history tables, and defer moves that another thread is searching already
//! (`lazy_smp/abdada.rs`). The first thread obeys the budget. A thread that reaches the requested
//! depth stops the others. Then the threads vote on the move.
//!
//! Source of the method: common practice of chess programs since about 2012, described under this
//! name in the chess programming wiki; the vote follows Stockfish's.

pub(crate) mod abdada;
pub(crate) mod shared_state;

use core::sync::atomic::AtomicBool;

use komadai_core::{Analysis, Budget, Move};
use komadai_eval::Evaluator;

use crate::history::{Histories, SharedHistory, ThreadHistory};
use crate::iterative_deepening::IterativeDeepening;
use crate::lazy_smp::shared_state::SharedState;
use crate::meter::Meter;
use crate::museum::tesuji::TesujiTable;
use crate::node::solver_use::SolverUse;
use crate::options::SearchOptions;
use crate::proof_table::ProofTable;
use crate::scaled::{Scaled, Units};
use crate::searcher::SearchRequest;
use crate::searcher::move_order::MoveOrder;
use crate::searcher::node_visitor::{NoVisitor, NodeVisitor};
use crate::settings::{self, Fixed, Settings, Tunable};
use crate::statistics::Statistics;
use crate::transposition_table::TranspositionTable;
use crate::worker::Worker;

/// Offset of an analysis's lead in its vote, in centipawns of the search, so that the worst one has a vote as
/// well.
///
/// Source: the vote of Stockfish, where the lead in internal units plus 14 is multiplied by the
/// depth.
const VOTE_OFFSET: i32 = 14;

/// The influence of a tree search on one of alpha-beta beside it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BesideTree<'a> {
    /// Ends the search of alpha-beta.
    pub(crate) halt: Option<&'a AtomicBool>,
    /// The mates that the tree has proved.
    pub(crate) proofs: Option<&'a ProofTable>,
}

/// The inputs of a search, the same for all threads.
pub(crate) struct SearchTask<'a, E> {
    pub(crate) evaluator: &'a Scaled<E>,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) options: &'a SearchOptions,
    pub(crate) history: &'a SharedHistory,
    /// Replaces the bundled table.
    pub(crate) tesuji: Option<&'a TesujiTable>,
    pub(crate) request: &'a SearchRequest<'a>,
    pub(crate) beside: BesideTree<'a>,
    /// Adds to the ordering of moves.
    pub(crate) order: Option<&'a dyn MoveOrder>,
}

impl<E: Evaluator> SearchTask<'_, E> {
    /// Searches with the number of threads in the options, the caller's thread included.
    ///
    /// Only the caller's thread uses the solver; the others find its mates in the table.
    /// `histories` has those of each thread.
    pub(crate) fn run(
        &self,
        histories: &mut [ThreadHistory],
        solver: Option<SolverUse<'_>>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> (Analysis, Statistics) {
        if settings::is_default(self.options) {
            self.run_with::<Fixed>(histories, solver, progress)
        } else {
            self.run_with::<Tunable>(histories, solver, progress)
        }
    }

    fn run_with<S: Settings<Visitor = NoVisitor>>(
        &self,
        histories: &mut [ThreadHistory],
        solver: Option<SolverUse<'_>>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> (Analysis, Statistics) {
        let (own_history, others) = ThreadHistory::split(histories);
        if others.is_empty() {
            return self.run_alone::<S>(own_history, NoVisitor, solver, progress);
        }
        let state = SharedState::new();
        // Helpers check the nodes themselves, because the first thread may be asleep.
        let own_budget = self.request.budget;
        let mut shared = Budget::unlimited();
        (shared.nodes, shared.soft_nodes) = (own_budget.nodes, own_budget.soft_nodes);
        std::thread::scope(|scope| {
            let budget = &shared;
            let state = &state;
            let helpers: Vec<_> = others
                .iter_mut()
                .map(|history| {
                    scope.spawn(move || {
                        let meter =
                            Meter::with_shared_state(budget, state).with_halt(self.beside.halt);
                        let no_progress = &mut |_: &Analysis| {};
                        let deepening =
                            self.deepening::<S>(history, meter, NoVisitor, None, no_progress);
                        let analysis = deepening.run().0;
                        if analysis.completed {
                            state.stop();
                        }
                        analysis
                    })
                })
                .collect();
            let meter = Meter::with_shared_state(own_budget, state).with_halt(self.beside.halt);
            let (analysis, statistics) =
                self.deepening::<S>(own_history, meter, NoVisitor, solver, progress).run();
            state.stop();
            let mut analyses = vec![analysis];
            // A helper that panicked loses its vote; the search does not fail.
            analyses.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
            let own = analyses[0].nodes;
            let time = analyses[0].time;
            let completed = analyses.iter().any(|analysis| analysis.completed);
            if completed {
                // A caller that requests a depth gets no shallower result.
                analyses.retain(|analysis| analysis.completed);
            }
            if own_budget.soft_nodes.is_some() && analyses.iter().any(has_exact_value) {
                // The others were interrupted in the middle of an iteration.
                analyses.retain(has_exact_value);
            }
            let total = state.nodes().max(own);
            let chosen =
                if self.options.multi_pv > 1 { 0 } else { vote(&analyses, self.evaluator.units) };
            let chosen = analyses.swap_remove(chosen);
            (Analysis { nodes: total, time, completed, ..chosen }, statistics)
        })
    }

    /// Searches on the caller's thread with a visitor.
    pub(crate) fn run_visited<V: NodeVisitor>(
        &self,
        histories: &mut [ThreadHistory],
        visitor: V,
        solver: Option<SolverUse<'_>>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> (Analysis, Statistics) {
        self.run_alone::<Tunable<V>>(ThreadHistory::split(histories).0, visitor, solver, progress)
    }

    fn run_alone<S: Settings>(
        &self,
        history: &mut ThreadHistory,
        visitor: S::Visitor,
        solver: Option<SolverUse<'_>>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> (Analysis, Statistics) {
        let meter = Meter::new(self.request.budget).with_halt(self.beside.halt);
        self.deepening::<S>(history, meter, visitor, solver, progress).run()
    }

    fn deepening<'b, S: Settings>(
        &'b self,
        history: &'b mut ThreadHistory,
        meter: Meter<'b>,
        visitor: S::Visitor,
        solver: Option<SolverUse<'b>>,
        progress: &'b mut dyn FnMut(&Analysis),
    ) -> IterativeDeepening<'b, 'b, E, S> {
        let mut worker = Worker::with_visitor(
            self.evaluator,
            self.table,
            self.options,
            Histories { shared: self.history, own: history },
            meter,
            self.request.position,
            visitor,
        );
        worker.order = self.order;
        worker.solver = solver;
        worker.proofs = self.beside.proofs;
        if let Some(tesuji) = self.tesuji {
            worker.tesuji = tesuji;
        }
        IterativeDeepening::new(worker, self.request, progress)
    }
}

fn has_exact_value(analysis: &Analysis) -> bool {
    analysis.exact_score().is_some()
}

/// Returns the index of the analysis that wins the vote.
///
/// Each analysis votes for its move with its depth times its lead over the worst one. A proven mate
/// needs no votes.
fn vote(analyses: &[Analysis], units: Units) -> usize {
    let offset = units.score(VOTE_OFFSET).raw().max(1);
    let score = |analysis: &Analysis| analysis.score().map_or(i32::MIN / 2, |score| score.raw());
    let worst = analyses.iter().map(score).min().unwrap_or(0);
    let weight = |analysis: &Analysis| {
        i64::from(score(analysis) - worst + offset) * i64::from(analysis.depth)
    };
    let votes = |m: Option<Move>| -> i64 {
        analyses.iter().filter(|analysis| analysis.best_move() == m).map(weight).sum()
    };
    let is_mate = |analysis: &Analysis| {
        analysis.score().is_some_and(|score| score.is_mate() && score.raw() > 0)
    };
    let mut best = 0;
    for (index, analysis) in analyses.iter().enumerate().skip(1) {
        if analysis.best_move().is_none() {
            continue;
        }
        let leader = &analyses[best];
        let better = match (is_mate(analysis), is_mate(leader)) {
            (true, _) | (_, true) => score(analysis) > score(leader),
            (false, false) => {
                let own = votes(analysis.best_move());
                let other = votes(leader.best_move());
                own > other || (own == other && weight(analysis) > weight(leader))
            }
        };
        if better {
            best = index;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use komadai_core::{Line, Pv, Score};

    use super::*;

    fn analysis(m: &str, score: Score, depth: u32) -> Analysis {
        let pv = Pv::from_parts(m.parse().unwrap(), &[]);
        let lines = vec![Line::exact(score, pv)];
        Analysis { depth, lines, ..Analysis::default() }
    }

    #[test]
    fn the_majority_wins_unless_one_is_much_deeper_and_better() {
        let a = || analysis("7g7f", Score::cp(20), 10);
        let b = || analysis("2g2f", Score::cp(25), 10);
        assert_eq!(vote(&[a()], Units::EQUAL), 0);
        assert_ne!(vote(&[b(), a(), a()], Units::EQUAL), 0, "two against one");
        assert_eq!(vote(&[a(), b(), b()], Units::EQUAL), 1);
        let deep = analysis("2g2f", Score::cp(60), 14);
        assert_eq!(vote(&[a(), deep, a()], Units::EQUAL), 1);
    }

    #[test]
    fn a_mate_beats_every_majority_and_the_shortest_wins() {
        let many = analysis("7g7f", Score::cp(900), 20);
        let mate = |plies| analysis("2g2f", Score::mate_in(plies), 5);
        assert_eq!(vote(&[many.clone(), mate(7), many.clone()], Units::EQUAL), 1);
        assert_eq!(vote(&[mate(9), mate(7), many.clone()], Units::EQUAL), 1);
        let mated = analysis("2g2f", Score::mated_in(7), 30);
        assert_eq!(vote(&[mated, many.clone(), many], Units::EQUAL), 1);
        assert_eq!(vote(&[Analysis::default(), Analysis::default()], Units::EQUAL), 0);
    }
}
