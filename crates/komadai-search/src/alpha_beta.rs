//! The alpha-beta searcher as its users see it.

use komadai_core::{Analysis, Budget, Move, Position};
use komadai_eval::Evaluator;

use crate::history::History;
use crate::lazy_smp::Task;
use crate::meter::Meter;
use crate::worker::Worker;
use crate::{SearchOptions, Searcher, Statistics, TesujiTable, TranspositionTable};

/// Iterative deepening alpha-beta search, on one thread or several.
///
/// It remembers what it has learned from one search to the next; after
/// [`new_game`](Searcher::new_game) the same position and the same budget in nodes or plies lead to
/// the same result, node for node, on one thread. Several threads share the table
/// and what they learn, put off what another is searching and vote on the move; their budget in nodes
/// is for all of them together and overspent by up to 256 for each.
///
/// A side that can declare to have won (入玉宣言) gets a single line without moves, worth
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
    evaluator: E,
    options: SearchOptions,
    table: TranspositionTable,
    history: History,
    statistics: Statistics,
    /// In place of the bundled one.
    tesuji: Option<TesujiTable>,
}

impl<E: Evaluator> AlphaBeta<E> {
    /// A searcher that has learned nothing yet.
    #[must_use]
    pub fn new(evaluator: E, options: SearchOptions) -> Self {
        let table = TranspositionTable::new(options.hash_mib);
        let (history, statistics) = (History::new(), Statistics::default());
        Self { evaluator, options, table, history, statistics, tesuji: None }
    }

    /// The settings.
    #[must_use]
    pub fn options(&self) -> &SearchOptions {
        &self.options
    }

    /// Changes the settings. What has been learned is forgotten if other techniques are to be used;
    /// the table is emptied as well if its size changes.
    pub fn set_options(&mut self, options: SearchOptions) {
        let resized = options.hash_mib != self.options.hash_mib;
        let other_techniques = options.techniques != self.options.techniques
            || options.quiescence != self.options.quiescence;
        self.options = options;
        if resized {
            self.table.resize(self.options.hash_mib);
        }
        if other_techniques {
            self.new_game();
        }
    }

    /// Replaces the bundled sequences of moves that
    /// [`TESUJI_EXTENSION`](crate::Techniques::TESUJI_EXTENSION) knows, and forgets what has been
    /// learned.
    pub fn set_tesuji(&mut self, tesuji: TesujiTable) {
        self.tesuji = Some(tesuji);
        self.new_game();
    }

    /// What judges the leaves.
    #[must_use]
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// What is known about positions searched so far.
    #[must_use]
    pub fn table(&self) -> &TranspositionTable {
        &self.table
    }

    /// What was counted in the last search.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// As [`search`](Searcher::search), but chooses among `moves` only (USI `searchmoves`); those
    /// that are not legal are left out.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Budget, Move, Position};
    /// use komadai_eval::Material;
    /// use komadai_search::{AlphaBeta, SearchOptions};
    ///
    /// let mut searcher = AlphaBeta::new(Material, SearchOptions::default());
    /// let moves: [Move; 2] = ["9g9f".parse()?, "1g1f".parse()?];
    /// let budget = Budget::nodes(1_000);
    /// let analysis = searcher.search_among(&Position::hirate(), &moves, &budget, &mut |_| {});
    /// assert!(moves.contains(&analysis.best_move().expect("both are legal")));
    /// # Ok::<(), komadai_core::UsiError>(())
    /// ```
    pub fn search_among(
        &mut self,
        position: &Position,
        moves: &[Move],
        budget: &Budget,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.run(position, Some(moves), budget, progress)
    }

    /// What the quiescence search alone says about a position: one line with an exact value.
    ///
    /// For studying the ways of [`Quiescence`](crate::Quiescence); what the transposition table knows
    /// counts, if it is used.
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
        Worker::new(&*evaluator, table, options, history, meter, position).quiescence_alone()
    }

    fn run(
        &mut self,
        position: &Position,
        only: Option<&[Move]>,
        budget: &Budget,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.table.age();
        self.history.next_search();
        let Self { evaluator, options, table, history, statistics, tesuji } = self;
        let (evaluator, tesuji) = (&*evaluator, tesuji.as_ref());
        let task = Task { evaluator, table, options, history, tesuji, position, only, budget };
        let (analysis, counted) = task.run(progress);
        *statistics = counted;
        analysis
    }
}

impl<E: Evaluator> Searcher for AlphaBeta<E> {
    fn search(
        &mut self,
        position: &Position,
        budget: &Budget,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.run(position, None, budget, progress)
    }

    fn new_game(&mut self) {
        self.table.clear_on(self.options.threads);
        self.history.clear();
    }
}
