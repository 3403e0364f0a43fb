//! Search by realization probability (実現確率探索): likely lines are searched far, unlikely ones
//! not.
//!
//! Alpha-beta counts plies; this search counts what the moves of a line are worth in surprise. The
//! probability that a line is played is the product of those of its moves, as a model of moves
//! predicts them, and a line is searched until that product is too small. In logarithms: a budget,
//! from which every move takes its cost, −ln p.
//!
//! ```text
//! node(window, budget):
//!     budget spent: quiescence                                                     return
//!     game end, transposition-table cutoff, mate in one, null move:                return
//!     for each move, the most probable first:
//!         search it with a zero window and budget − cost(move)
//!         better than expected, and dear: again, as if its cost were that of a surprise
//!         on a principal variation: again with the whole window
//! ```
//!
//! The second search is what makes the method sound: the model finds a good sacrifice improbable,
//! and without it a sacrifice would be missed until its full cost has been paid. The budget grows by
//! a nat from one iteration to the next.
//!
//! | concept | file below `selective/` |
//! |---|---|
//! | settings, models | `options.rs` |
//! | the unit of costs | `cost.rs` |
//! | costs and order of moves | `costed_moves.rs` |
//! | nodes | `node.rs` |
//! | null move, futility, razoring | `pruning.rs` |
//! | growing budgets, the root | `deepening.rs` |
//! | counters | `statistics.rs` |
//!
//! Source: Y. Tsuruoka, D. Yokoyama and T. Chikayama, "Game-tree search algorithm based on
//! realization probability", ICGA Journal 25(3), 2002. We differ in the unit (nats, not plies of an
//! average game), in the models, which know all moves of a position and not only the class of each,
//! and in the rules of pruning of our alpha-beta search, with a nat for a ply.

mod cost;
mod costed_moves;
mod deepening;
mod node;
mod options;
mod pruning;
mod statistics;

use std::sync::Arc;

use komadai_core::{Analysis, Move, Position};
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use crate::history::History;
use crate::meter::Meter;
use crate::move_probability::MoveProbability;
use crate::options::SearchOptions;
use crate::scaled::Scaled;
use crate::searcher::{SearchRequest, Searcher, SearcherState};
use crate::transposition_table::TranspositionTable;
use crate::worker::Worker;
use deepening::Deepening;
use node::SelectiveSearch;

pub use options::{MoveModel, RealizationOptions, UnknownMoveModel};
pub use statistics::RealizationStatistics;

/// Search by realization probability, on one thread.
///
/// The depth of an [`Analysis`] is the budget of its iteration in nats: with 6, lines are searched
/// that a player follows with a probability of e⁻⁶ at least. A
/// [`Budget::depth`](komadai_core::Budget::depth) limits it, to 25 at most. The same position and
/// limit of nodes lead to the same result after [`new_game`](Searcher::new_game).
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_eval::Classical;
/// use komadai_search::Searcher;
/// use komadai_search::selective::{RealizationOptions, RealizationProbability};
///
/// let options = RealizationOptions::default();
/// let mut searcher = RealizationProbability::new(Classical::default(), options);
/// // The recapture is so probable that the line is as long as it takes.
/// let mut position = Position::hirate();
/// for m in ["7g7f", "3c3d", "8h2b+"] {
///     position.do_move(m.parse()?);
/// }
/// let analysis = searcher.search(&position, &Budget::depth(3), &mut |_| {});
/// assert_eq!(analysis.best_move(), Some("3a2b".parse()?));
/// assert!(analysis.seldepth > analysis.depth);
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug)]
pub struct RealizationProbability<E> {
    evaluator: Scaled<E>,
    options: RealizationOptions,
    model: Arc<dyn MoveProbability>,
    table: TranspositionTable,
    history: History,
    statistics: RealizationStatistics,
}

impl<E: Evaluator> RealizationProbability<E> {
    /// Returns a searcher with empty tables.
    pub fn new(evaluator: E, options: RealizationOptions) -> Self {
        Self {
            evaluator: Scaled::new(evaluator),
            model: options.model.bundled(),
            table: TranspositionTable::new(options.search.hash_mib),
            options,
            history: History::new(),
            statistics: RealizationStatistics::default(),
        }
    }

    /// Returns the settings.
    pub fn options(&self) -> &RealizationOptions {
        &self.options
    }

    /// Replaces the bundled model that the options name, and empties all tables.
    pub fn set_move_probability(&mut self, model: Arc<dyn MoveProbability>) {
        self.model = model;
        self.new_game();
    }

    /// Returns the counters of the last search.
    pub fn statistics(&self) -> RealizationStatistics {
        self.statistics
    }
}

impl<E: Evaluator> Searcher for RealizationProbability<E> {
    fn run(
        &mut self,
        request: &SearchRequest<'_>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let Self { evaluator, options, model, table, history, .. } = self;
        table.age();
        history.start_search(1, options.search.parameters.history_kept);
        let meter = Meter::new(request.budget);
        let (history, position) = (history.first(), request.position);
        let search = SelectiveSearch {
            worker: Worker::new(evaluator, table, &options.search, history, meter, position),
            model: &**model,
            options,
            statistics: RealizationStatistics::default(),
        };
        let (analysis, statistics) = Deepening::new(search, request, progress).run();
        self.statistics = statistics;
        analysis
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.history.clear();
    }

    fn warm_up(&mut self) {
        self.table.populate_on(1);
        self.history.populate();
    }

    fn set_options(&mut self, options: SearchOptions) {
        let before = core::mem::replace(&mut self.options.search, options);
        let options = &self.options.search;
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
        let after = position.after(m);
        let found = self.table.probe(after.key())?.best;
        found.filter(|&reply| after.is_legal(reply))
    }
}
