//! Selective searches: likely or forced lines are searched far, others not.
//!
//! Alpha-beta counts plies. The searches of this module give a node a budget, from which each move
//! takes what it costs, and a line is searched until the budget is spent. They differ in the costs:
//!
//! - [Realization probability](Selective::realization_probability) (実現確率探索) charges −ln p for a move that a model of moves
//!   predicts with probability p. The product of the probabilities of its moves is that with which a
//!   line is played: a line is searched until that is too small.
//! - [ABC](Selective::abc) (alpha-beta-conspiracy) has a budget for each side, and charges the side that makes a
//!   move for the alternatives that it had. A forced move costs nothing: what follows is searched as
//!   far as if it had not been made. A side whose budget is spent has had so many alternatives on
//!   the way that it is granted the static evaluation.
//!
//! ```text
//! node(window, budgets):
//!     budgets spent: quiescence                                                    return
//!     game end, transposition-table cutoff, mate in one, null move:                return
//!     own budget spent: at least the static evaluation
//!     for each move, the most probable first:
//!         search it with a zero window and the budgets less its cost
//!         better than expected, and dear: again, as if its cost were that of a surprise
//!         on a principal variation: again with the whole window
//! ```
//!
//! The second search is what makes realization probability sound: the model finds a good sacrifice
//! improbable, and without it a sacrifice would be missed until its full cost has been paid. The
//! budget grows by a nat from one iteration to the next; of the two of ABC one grows by a move.
//!
//! | concept | file below `selective/` |
//! |---|---|
//! | settings, models | `options.rs`, `abc_options.rs` |
//! | units, budgets, what is charged | `cost.rs`, `budgets.rs`, `charging.rs` |
//! | costs and order of moves | `costed_moves.rs`, `forcedness.rs` |
//! | nodes | `node.rs` |
//! | table entries for two budgets | `table.rs` |
//! | null move, futility, razoring | `pruning.rs` |
//! | growing budgets, the root | `deepening.rs` |
//! | counters | `statistics.rs` |
//!
//! Sources: Y. Tsuruoka, D. Yokoyama and T. Chikayama, "Game-tree search algorithm based on
//! realization probability", ICGA Journal 25(3), 2002. We differ in the unit (nats, not plies of an
//! average game), in the models, which know all moves of a position and not only the class of each,
//! and in the rules of pruning of our alpha-beta search, with a nat for a ply. D. McAllester and
//! D. Yuret, "Alpha-Beta-Conspiracy Search", ICGA Journal 25(2), 2002. We differ in the forcedness,
//! which comes from exchanges, and in leaving the order of moves to a model.

mod abc_options;
mod budgets;
mod charging;
mod cost;
mod costed_moves;
mod deepening;
mod forcedness;
mod node;
mod options;
mod pruning;
mod statistics;
mod table;

use std::sync::Arc;

use komadai_core::{Analysis, Line, Move, Position};
use komadai_eval::Evaluator;
use komadai_movegen::{MateSolver, MoveGen};

use crate::history::{Histories, History};
use crate::lazy_smp::threads::{ThreadPart, Threads};
use crate::move_probability::MoveProbability;
use crate::node::solver_use::Solver;
use crate::options::SearchOptions;
use crate::scaled::Scaled;
use crate::searcher::{SearchRequest, Searcher, SearcherState};
use crate::transposition_table::TranspositionTable;
use crate::worker::Worker;
use charging::Charging;
use deepening::Deepening;
use node::SelectiveSearch;

pub use abc_options::AbcOptions;
pub use options::{MoveModel, RealizationOptions, UnknownMoveModel};
pub use statistics::SelectiveStatistics;

/// A selective search: by realization probability or ABC.
///
/// The depth of an [`Analysis`] is that of its iteration. By realization probability it is the
/// budget in nats: with 6, lines are searched that a player follows with a probability of e⁻⁶ at
/// least. With ABC it counts plies: with 5, the side to move has a budget of three free moves and
/// the other one of two. A [`Budget::depth`](komadai_core::Budget::depth) limits it, to 25 and 50
/// at most. On one thread, the same position and limit of nodes lead to the same result after
/// [`new_game`](Searcher::new_game); several threads share tables and vote on the move, as those of
/// [`AlphaBeta`](crate::AlphaBeta) do.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_eval::Classical;
/// use komadai_search::Searcher;
/// use komadai_search::selective::{AbcOptions, RealizationOptions, Selective};
///
/// // The recapture is probable, and forced, so that the line is as long as it takes.
/// let mut position = Position::hirate();
/// for m in ["7g7f", "3c3d", "8h2b+"] {
///     position.do_move(m.parse()?);
/// }
/// let options = RealizationOptions::default();
/// let mut searcher = Selective::realization_probability(Classical::default(), options);
/// let analysis = searcher.search(&position, &Budget::depth(3), &mut |_| {});
/// assert_eq!(analysis.best_move(), Some("3a2b".parse()?));
/// assert!(analysis.seldepth > analysis.depth);
///
/// let mut searcher = Selective::abc(Classical::default(), AbcOptions::default());
/// let analysis = searcher.search(&position, &Budget::depth(3), &mut |_| {});
/// assert_eq!(analysis.best_move(), Some("3a2b".parse()?));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug)]
pub struct Selective<E> {
    evaluator: Scaled<E>,
    options: SearchOptions,
    charging: Charging,
    table: TranspositionTable,
    history: History,
    statistics: SelectiveStatistics,
    solver: Solver,
    /// The lines of the last search and the key of its position.
    last: (u64, Vec<Line>),
}

impl<E: Evaluator> Selective<E> {
    /// Returns a searcher by realization probability, with empty tables.
    pub fn realization_probability(evaluator: E, options: RealizationOptions) -> Self {
        Self::new(evaluator, Charging::of_realization(&options), options.search)
    }

    /// Returns an alpha-beta-conspiracy searcher, with empty tables.
    pub fn abc(evaluator: E, options: AbcOptions) -> Self {
        Self::new(evaluator, Charging::of_abc(&options), options.search)
    }

    fn new(evaluator: E, charging: Charging, options: SearchOptions) -> Self {
        Self {
            evaluator: Scaled::new(evaluator),
            charging,
            table: TranspositionTable::new(options.hash_mib),
            options,
            history: History::new(),
            statistics: SelectiveStatistics::default(),
            solver: Solver::default(),
            last: (0, Vec::new()),
        }
    }

    /// Replaces the bundled model that the options name, and empties all tables.
    pub fn set_move_probability(&mut self, model: Arc<dyn MoveProbability>) {
        self.charging.model = model;
        self.new_game();
    }

    /// Adopts a solver that is called at the root, at nodes of the principal variation, after large
    /// rises of the evaluation and where a mate is probable, as far as the techniques of the
    /// options contain its use, and empties all tables.
    /// [`AlphaBeta::set_mate_solver`](crate::AlphaBeta::set_mate_solver) has its terms.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Budget, Position};
    /// use komadai_eval::Material;
    /// use komadai_movegen::MateInOne;
    /// use komadai_search::selective::{AbcOptions, Selective};
    /// use komadai_search::{SearchOptions, Searcher, Techniques};
    ///
    /// let techniques = Techniques::default() | Techniques::MATE_SOLVER;
    /// let search = SearchOptions { techniques, ..SearchOptions::default() };
    /// let mut searcher = Selective::abc(Material, AbcOptions { search, ..AbcOptions::default() });
    /// // `komadai_tsume::DfPn` finds longer mates.
    /// searcher.set_mate_solver(Some(Box::new(MateInOne)));
    /// assert!(searcher.search(&Position::hirate(), &Budget::nodes(1_000), &mut |_| {}).nodes > 0);
    /// ```
    pub fn set_mate_solver(&mut self, solver: Option<Box<dyn MateSolver + Send>>) {
        self.solver = Solver(solver);
        self.new_game();
    }

    /// Returns the counters of the last search, of its first thread.
    pub fn statistics(&self) -> SelectiveStatistics {
        self.statistics
    }
}

impl<E: Evaluator> Searcher for Selective<E> {
    fn run(
        &mut self,
        request: &SearchRequest<'_>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let Self { evaluator, options, charging, table, history, solver, .. } = self;
        table.age();
        history.start_search(options.threads, options.parameters.history_kept);
        let (budget, position) = (request.budget, request.position);
        let History { shared, threads: histories } = history;
        let threads =
            Threads { budget, halt: None, lines: options.multi_pv, units: evaluator.units };
        let solver = solver.start(options.techniques);
        let (analysis, statistics) =
            threads.run(histories, solver, progress, &|part: ThreadPart<'_>| {
                let history = Histories { shared, own: part.history };
                let mut worker =
                    Worker::new(evaluator, table, options, history, part.meter, position);
                worker.solver = part.solver;
                let statistics = SelectiveStatistics::default();
                let search = SelectiveSearch { worker, charging, statistics };
                Deepening::new(search, options.multi_pv, request, part.progress).run()
            });
        self.statistics = statistics;
        self.last = (position.key(), analysis.lines.clone());
        analysis
    }

    fn new_game(&mut self) {
        self.table.clear_on(self.options.threads);
        self.history.clear();
    }

    fn warm_up(&mut self) {
        self.table.populate_on(self.options.threads);
        self.history.populate();
    }

    fn set_options(&mut self, options: SearchOptions) {
        let before = core::mem::replace(&mut self.options, options);
        let options = &self.options;
        if options.hash_mib != before.hash_mib {
            self.table.resize(options.hash_mib);
        }
        // Entries and histories of another search would make results irreproducible.
        if options.techniques != before.techniques || options.quiescence != before.quiescence {
            self.new_game();
        }
    }

    fn state(&self) -> SearcherState {
        SearcherState {
            memory_mib: self.table.mib(),
            hash_full: Some(self.table.permille_used()),
            ..SearcherState::default()
        }
    }

    fn scale(&self) -> f64 {
        self.evaluator.scale
    }

    fn expected_reply(&self, position: &Position, m: Move) -> Option<Move> {
        let (key, lines) = &self.last;
        let lines = lines.iter().filter(|_| *key == position.key());
        let of_line = lines.filter_map(|line| match line.pv[..] {
            [first, reply, ..] if first == m => Some(reply),
            _ => None,
        });
        let after = position.after(m);
        let of_table = || self.table.probe(after.key())?.best;
        of_line.chain(of_table()).find(|&reply| after.is_legal(reply))
    }
}
