//! Lazy SMP: several threads search the same position.
//!
//! Every thread searches the whole tree. The threads help each other through the transposition
//! table and the history tables, and defer moves that another thread is searching already
//! (`lazy_smp/abdada.rs`). The first thread obeys the budget. A thread that reaches the requested
//! depth stops the others. Then the threads vote on the move. `lazy_smp/threads.rs` serves the
//! selective searches as well.
//!
//! Source of the method: common practice of chess programs since about 2012, described under this
//! name in the chess programming wiki; the vote follows Stockfish's.

pub(crate) mod abdada;
pub(crate) mod shared_state;
pub(crate) mod threads;

use core::sync::atomic::AtomicBool;

use komadai_core::Analysis;
use komadai_eval::Evaluator;

use crate::history::{Histories, SharedHistory, ThreadHistory};
use crate::iterative_deepening::IterativeDeepening;
use crate::lazy_smp::threads::{ThreadPart, Threads};
use crate::museum::tesuji::TesujiTable;
use crate::node::solver_use::SolverUse;
use crate::options::SearchOptions;
use crate::proof_table::ProofTable;
use crate::scaled::Scaled;
use crate::searcher::SearchRequest;
use crate::searcher::move_order::MoveOrder;
use crate::searcher::node_visitor::{NoVisitor, NodeVisitor};
use crate::settings::{self, Fixed, Settings, Tunable};
use crate::statistics::Statistics;
use crate::transposition_table::TranspositionTable;
use crate::worker::Worker;

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
        self.threads().run(histories, solver, progress, &|part: ThreadPart<'_>| {
            self.search::<S>(part, NoVisitor)
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
        let threads = self.threads();
        let part = threads.alone(ThreadHistory::split(histories).0, solver, progress);
        self.search::<Tunable<V>>(part, visitor)
    }

    fn threads(&self) -> Threads<'_> {
        Threads {
            budget: self.request.budget,
            halt: self.beside.halt,
            lines: self.options.multi_pv,
            units: self.evaluator.units,
        }
    }

    /// Searches by iterative deepening on one thread.
    fn search<S: Settings>(
        &self,
        part: ThreadPart<'_>,
        visitor: S::Visitor,
    ) -> (Analysis, Statistics) {
        let ThreadPart { history, meter, solver, progress } = part;
        let mut worker: Worker<'_, E, S> = Worker::with_visitor(
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
        IterativeDeepening::new(worker, self.request, progress).run()
    }
}
