//! The alpha-beta searcher, the entry point of the crate.

use core::{fmt, mem};
use std::sync::Arc;

use komadai_core::{Analysis, Budget, Move, Position};
use komadai_eval::Evaluator;
use komadai_movegen::{MateSolver, MoveGen as _};

use crate::history::{History, ThreadHistory};
use crate::lazy_smp::{BesideTree, SearchTask};
use crate::meter::Meter;
use crate::museum::tesuji::TesujiTable;
use crate::node::solver_use::Solver;
use crate::options::SearchOptions;
use crate::scaled::{Scaled, Units};
use crate::searcher::move_order::MoveOrder;
use crate::searcher::node_visitor::NodeVisitor;
use crate::searcher::{SearchRequest, Searcher, SearcherState};
use crate::statistics::Statistics;
use crate::transposition_table::TranspositionTable;
use crate::worker::Worker;

/// Iterative deepening alpha-beta search, on one thread or several.
///
/// The transposition table and the history tables are kept from one search to the next. After
/// [`new_game`](Searcher::new_game) the same position and the same budget in nodes or plies lead to
/// the same result, node for node, on one thread. Several threads share the transposition table
/// and some of the histories, defer moves that another thread is searching and vote on the move.
/// Their budget in nodes is for all of them together; each thread may exceed it by up to 256 nodes.
///
/// A side that can declare a win (入玉宣言) gets a single line without moves and with the value
/// [`Score::MAX_CP`](komadai_core::Score::MAX_CP).
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position, Score};
/// use komadai_eval::Classical;
/// use komadai_search::{AlphaBeta, SearchOptions, Searcher};
///
/// let mut searcher = AlphaBeta::new(Classical::default(), SearchOptions::default());
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
/// let analysis = searcher.search(&position, &Budget::nodes(10_000), &mut |_| {});
/// assert_eq!(analysis.best_move(), Some("G*5b".parse()?));
/// assert_eq!(analysis.score(), Some(Score::mate_in(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AlphaBeta<E> {
    evaluator: Scaled<E>,
    options: SearchOptions,
    table: Arc<TranspositionTable>,
    history: History,
    statistics: Statistics,
    /// Replaces the bundled table.
    tesuji: Option<TesujiTable>,
    order: Order,
    solver: Solver,
}

/// The additions of the caller to the ordering of moves.
#[derive(Clone, Default)]
struct Order(Option<Arc<dyn MoveOrder>>);

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "MoveOrder" } else { "None" })
    }
}

impl<E: Evaluator> AlphaBeta<E> {
    /// Returns a searcher with empty tables.
    pub fn new(evaluator: E, options: SearchOptions) -> Self {
        let table = Arc::new(TranspositionTable::new(options.hash_mib));
        Self::with_table(evaluator, options, table)
    }

    /// Returns a searcher that shares a transposition table with others.
    ///
    /// The searchers may search one after another or at the same time, and find each other's
    /// results. Their evaluators and techniques should be the same, because an entry does not say
    /// whose value it is. Results are then no longer reproducible, unless they search one after
    /// another.
    ///
    /// `hash_mib` of `options` is ignored. [`new_game`](Searcher::new_game) empties the table for
    /// all. [`set_options`](Self::set_options) with another `hash_mib` leaves the shared table to
    /// the others and gives this searcher a table of its own.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use komadai_core::{Budget, Position};
    /// use komadai_eval::Material;
    /// use komadai_search::{AlphaBeta, SearchOptions, Searcher, TranspositionTable};
    ///
    /// let table = Arc::new(TranspositionTable::new(4));
    /// let searcher =
    ///     || AlphaBeta::with_table(Material, SearchOptions::default(), Arc::clone(&table));
    /// let budget = Budget::depth(6);
    /// let position = Position::hirate();
    /// let first = searcher().search(&position, &budget, &mut |_| {});
    /// let second = searcher().search(&position, &budget, &mut |_| {});
    /// assert!(second.nodes < first.nodes);
    /// ```
    pub fn with_table(
        evaluator: E,
        options: SearchOptions,
        table: Arc<TranspositionTable>,
    ) -> Self {
        let history = History::new();
        let statistics = Statistics::default();
        Self {
            evaluator: Scaled::new(evaluator),
            options,
            table,
            history,
            statistics,
            tesuji: None,
            order: Order(None),
            solver: Solver(None),
        }
    }

    /// Returns the settings.
    pub fn options(&self) -> &SearchOptions {
        &self.options
    }

    /// Changes the settings.
    ///
    /// All tables are emptied if the techniques or the quiescence method change; the transposition
    /// table is emptied if its size changes. If others share the table, its size and its entries
    /// stay then, and this searcher gets a new one.
    pub fn set_options(&mut self, options: SearchOptions) {
        let resized = options.hash_mib != self.options.hash_mib;
        // Entries and histories of another search would make results irreproducible.
        let other_techniques = options.techniques != self.options.techniques
            || options.quiescence != self.options.quiescence;
        self.options = options;
        if resized {
            match Arc::get_mut(&mut self.table) {
                Some(table) => table.resize(self.options.hash_mib),
                None => self.table = Arc::new(TranspositionTable::new(self.options.hash_mib)),
            }
        }
        if other_techniques {
            self.new_game();
        }
    }

    /// Replaces the bundled sequences of moves of
    /// [`TESUJI_EXTENSION`](crate::Techniques::TESUJI_EXTENSION), and empties all tables.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Budget, Position};
    /// use komadai_eval::Material;
    /// use komadai_search::{AlphaBeta, SearchOptions, Searcher, Techniques, TesujiTable};
    ///
    /// let techniques = Techniques::default() | Techniques::TESUJI_EXTENSION;
    /// let options = SearchOptions { techniques, ..SearchOptions::default() };
    /// let mut searcher = AlphaBeta::new(Material, options);
    /// searcher.set_tesuji(TesujiTable::from_text("PxP SxP@0,0")?);
    /// let analysis = searcher.search(&Position::hirate(), &Budget::nodes(1_000), &mut |_| {});
    /// assert!(analysis.best_move().is_some());
    /// # Ok::<(), komadai_search::TesujiError>(())
    /// ```
    pub fn set_tesuji(&mut self, tesuji: TesujiTable) {
        self.tesuji = Some(tesuji);
        self.new_game();
    }

    /// Adds to the ordering of moves, or stops adding to it, and empties all tables.
    pub fn set_move_order(&mut self, order: Option<Arc<dyn MoveOrder>>) {
        self.order = Order(order);
        self.new_game();
    }

    /// Adopts a solver that is called at the root, at nodes of the principal variation, after large
    /// rises of the evaluation and where a mate is probable, as far as the techniques contain
    /// [`MATE_SOLVER`](crate::Techniques::MATE_SOLVER),
    /// [`PV_MATE_SOLVER`](crate::Techniques::PV_MATE_SOLVER),
    /// [`SWING_MATE_SOLVER`](crate::Techniques::SWING_MATE_SOLVER) and
    /// [`PREDICTED_MATE_SOLVER`](crate::Techniques::PREDICTED_MATE_SOLVER), and empties all tables.
    ///
    /// It gets at most a node for every four nodes of the search at the root, a 32nd at each of the
    /// other places, and its nodes count as nodes of the search. A mate at the root ends the
    /// search, even if a shorter one might exist. Of several threads, one uses it. Every search
    /// begins with [`MateSolver::forget`]; results stay reproducible if the solver's results depend
    /// on nothing before it.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Budget, Position};
    /// use komadai_eval::Material;
    /// use komadai_movegen::MateInOne;
    /// use komadai_search::{AlphaBeta, SearchOptions, Searcher, Techniques};
    ///
    /// let mut options = SearchOptions::default();
    /// options.techniques |= Techniques::MATE_SOLVER;
    /// let mut searcher = AlphaBeta::new(Material, options);
    /// // `komadai_tsume::DfPn` finds longer mates.
    /// searcher.set_mate_solver(Some(Box::new(MateInOne)));
    /// assert!(searcher.search(&Position::hirate(), &Budget::nodes(1_000), &mut |_| {}).nodes > 0);
    /// ```
    pub fn set_mate_solver(&mut self, solver: Option<Box<dyn MateSolver + Send>>) {
        self.solver = Solver(solver);
        self.new_game();
    }

    /// Returns the evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator.evaluator
    }

    /// Changes the evaluator, and forgets the values that it led to: the entries of the
    /// transposition table, also for searchers that share it, and the corrections of static values.
    ///
    /// The histories that order moves stay. Much cheaper than a new searcher, because these are
    /// large: for methods that change their evaluation after each search.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Budget, Position, Score};
    /// use komadai_eval::{FromFn, from_fn};
    /// use komadai_search::{AlphaBeta, SearchOptions, Searcher};
    ///
    /// type Tempo = FromFn<fn(&Position) -> i32>;
    /// let options = SearchOptions::default();
    /// let mut searcher: AlphaBeta<Tempo> = AlphaBeta::new(from_fn(|_| 30), options);
    /// let value = |searcher: &mut AlphaBeta<Tempo>| {
    ///     searcher.search(&Position::hirate(), &Budget::depth(1), &mut |_| {}).score()
    /// };
    /// assert_eq!(value(&mut searcher), Some(Score::cp(-30)));
    /// searcher.change_evaluator(|evaluator| *evaluator = from_fn(|_| 50));
    /// assert_eq!(value(&mut searcher), Some(Score::cp(-50)));
    /// ```
    pub fn change_evaluator(&mut self, change: impl FnOnce(&mut E)) {
        self.evaluator.change(change);
        self.table.clear_on(self.options.threads);
        self.history.clear_values();
    }

    /// Returns the conversion between the evaluator's centipawns and those of the search.
    pub(crate) fn units(&self) -> Units {
        self.evaluator.units
    }

    /// Returns the transposition table, for other searchers and for readers. Its values are in
    /// centipawns of the search: the evaluator's divided by its [scale](Evaluator::scale).
    pub fn table(&self) -> &Arc<TranspositionTable> {
        &self.table
    }

    /// Returns the statistics of the last search, of its first thread.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Returns the result of the quiescence search alone: one line with an exact value.
    ///
    /// For studies of the methods of [`Quiescence`](crate::Quiescence). Entries of the
    /// transposition table count, if it is used.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_eval::{Evaluator, Material};
    /// use komadai_search::{AlphaBeta, Quiescence, SearchOptions, Techniques};
    ///
    /// // The rook can take a silver, but that loses it to the gold.
    /// let position = Position::from_sfen("4k4/5g3/4s4/9/9/9/9/4R4/4K4 b - 1")?;
    /// let value = |name: &str| {
    ///     let quiescence = Quiescence::from_name(name).expect("this is a name");
    ///     let techniques = Techniques::QUIESCENCE;
    ///     let options = SearchOptions { techniques, quiescence, ..SearchOptions::default() };
    ///     AlphaBeta::new(Material, options).quiescence(&position).score()
    /// };
    /// assert_eq!(value("Eval"), Some(Material.evaluate_position(&position)));
    /// assert_eq!(value("Capture"), value("Eval"));
    /// # Ok::<(), komadai_core::SfenError>(())
    /// ```
    pub fn quiescence(&mut self, position: &Position) -> Analysis {
        let Self { evaluator, options, table, history, .. } = self;
        let budget = Budget::unlimited();
        let meter = Meter::new(&budget);
        let history = history.first();
        Worker::new(evaluator, table, options, history, meter, position).quiescence_analysis()
    }

    /// Searches like [`search`](Searcher::search), and shows each node to `visitor`.
    ///
    /// Searches on the caller's thread alone, whatever the number of threads in the options. The
    /// result is that of the search without a visitor. The search is compiled once more for each
    /// type of visitor; other searches are not slower. [`NodeVisitor`] has an example.
    pub fn search_visited<V: NodeVisitor>(
        &mut self,
        request: &SearchRequest<'_>,
        visitor: &mut V,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let mut solver = mem::take(&mut self.solver);
        let usage = solver.start(self.options.techniques);
        let (task, histories) = self.task(request, BesideTree::default());
        let (analysis, statistics) = task.run_visited(histories, visitor, usage, progress);
        (self.statistics, self.solver) = (statistics, solver);
        analysis
    }

    /// Searches until the budget is used up or the tree search beside it ends the search.
    pub(crate) fn search_beside(
        &mut self,
        request: &SearchRequest<'_>,
        beside: BesideTree<'_>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let mut solver = mem::take(&mut self.solver);
        let usage = solver.start(self.options.techniques);
        let (task, histories) = self.task(request, beside);
        let (analysis, statistics) = task.run(histories, usage, progress);
        (self.statistics, self.solver) = (statistics, solver);
        analysis
    }

    /// Prepares the tables for a search; returns it with the histories of its threads.
    fn task<'a>(
        &'a mut self,
        request: &'a SearchRequest<'a>,
        beside: BesideTree<'a>,
    ) -> (SearchTask<'a, E>, &'a mut [ThreadHistory]) {
        if is_long(request.budget) {
            self.table.prefer_huge_pages();
            self.history.prefer_huge_pages();
        }
        self.table.age();
        let Self { history, options, .. } = self;
        history.start_search(options.threads, options.parameters.history_kept);
        let task = SearchTask {
            evaluator: &self.evaluator,
            table: &self.table,
            options,
            history: &history.shared,
            tesuji: self.tesuji.as_ref(),
            request,
            beside,
            order: self.order.0.as_deref(),
        };
        (task, &mut history.threads)
    }
}

/// Returns whether a search may be so long that it gains from large pages of memory, which take
/// time to clear.
fn is_long(budget: &Budget) -> bool {
    budget.nodes.is_none_or(|nodes| nodes >= 20_000) && budget.depth.is_none_or(|depth| depth > 8)
}

impl<E: Evaluator> Searcher for AlphaBeta<E> {
    fn run(
        &mut self,
        request: &SearchRequest<'_>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.search_beside(request, BesideTree::default(), progress)
    }

    fn scale(&self) -> f64 {
        self.evaluator.scale
    }

    fn new_game(&mut self) {
        self.table.clear_on(self.options.threads);
        self.history.clear();
    }

    fn warm_up(&mut self) {
        self.table.prefer_huge_pages();
        self.history.prefer_huge_pages();
        self.table.populate_on(self.options.threads);
        self.history.populate();
    }

    fn set_options(&mut self, options: SearchOptions) {
        Self::set_options(self, options);
    }

    fn state(&self) -> SearcherState {
        SearcherState {
            memory_mib: self.table.mib(),
            hash_full: Some(self.table.permille_used()),
            ..SearcherState::default()
        }
    }

    fn expected_reply(&self, position: &Position, m: Move) -> Option<Move> {
        let after = position.after(m);
        let found = self.table.probe(after.key())?.best;
        found.filter(|&reply| after.is_legal(reply))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;

    use komadai_eval::Material;

    use super::*;

    /// Returns the memory that this process uses, in MiB.
    fn resident_mib() -> usize {
        let text = fs::read_to_string("/proc/self/statm").unwrap();
        let pages: usize = text.split(' ').nth(1).unwrap().parse().unwrap();
        pages * 4 / 1024
    }

    #[test]
    fn warming_up_gets_the_memory_and_forgets_nothing() {
        let start = Position::hirate();
        let options = SearchOptions { hash_mib: 256, threads: 2, ..SearchOptions::default() };
        let mut searcher = AlphaBeta::new(Material, options);
        searcher.search(&start, &Budget::depth(4), &mut |_| {});
        let before = resident_mib();
        let entry = searcher.table.probe(start.key());
        searcher.warm_up();
        // Other tests of the process free some of theirs.
        assert!(resident_mib() > before + 150, "{before} MiB before");
        assert_eq!(searcher.table.probe(start.key()), entry);
        assert!(entry.is_some());
    }

    #[test]
    fn long_searches_ask_for_huge_pages_and_short_ones_do_not() {
        let start = Position::hirate();
        let mut searcher =
            AlphaBeta::new(Material, SearchOptions { hash_mib: 8, ..SearchOptions::default() });
        searcher.search(&start, &Budget::depth(1), &mut |_| {});
        assert_ne!(searcher.table.prefers_huge_pages(), Some(true));
        searcher.search(&start, &Budget::nodes(20_000), &mut |_| {});
        assert_ne!(searcher.table.prefers_huge_pages(), Some(false));
    }
}
