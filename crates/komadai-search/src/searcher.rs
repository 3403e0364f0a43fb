//! The trait of all searchers, their requests and their reports.

pub(crate) mod move_order;
pub(crate) mod node_visitor;
pub(crate) mod root_visits;
pub(crate) mod tree_move;

use std::sync::Arc;

use komadai_core::{Analysis, Budget, Move, Position};

use crate::options::SearchOptions;
use root_visits::RootVisits;
use tree_move::RootMove;

/// The question to a [`Searcher`]: a position and the effort that its answer may cost.
///
/// # Examples
///
/// The best of two moves:
///
/// ```
/// use komadai_core::{Budget, Move, Position};
/// use komadai_eval::Material;
/// use komadai_search::{AlphaBeta, SearchOptions, SearchRequest, Searcher};
///
/// let mut searcher = AlphaBeta::new(Material, SearchOptions::default());
/// let moves: [Move; 2] = ["9g9f".parse()?, "1g1f".parse()?];
/// let (position, budget) = (Position::hirate(), Budget::nodes(1_000));
/// let request =
///     SearchRequest { among: Some(&moves), ..SearchRequest::new(&position, &budget) };
/// let analysis = searcher.run(&request, &mut |_| {});
/// assert!(moves.contains(&analysis.best_move().expect("both are legal")));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct SearchRequest<'a> {
    /// The position, with the moves that led to it.
    pub position: &'a Position,
    /// The only moves to consider at the root (USI `searchmoves`), or `None` for all. Moves that
    /// are not legal are ignored; if no other one is left, the result has no line.
    pub among: Option<&'a [Move]>,
    /// The limits of the search.
    pub budget: &'a Budget,
    /// The depth in plies of the first iteration, for a search that continues an earlier one of the
    /// same position; 0 or 1 for all iterations.
    ///
    /// An iteration before it is skipped if the transposition table has an exact value of the
    /// position that is at least as deep. The result of the last one skipped is reported first, from
    /// the table, and the next one starts with an aspiration window around its value. At least one
    /// iteration is searched. Nothing is skipped among some moves, with several lines, if the value
    /// decides the game, and by searchers without iterations.
    pub first_depth: u32,
}

impl<'a> SearchRequest<'a> {
    /// Returns a request that considers all moves, from the first iteration on.
    pub fn new(position: &'a Position, budget: &'a Budget) -> Self {
        Self { position, among: None, budget, first_depth: 0 }
    }
}

/// The state of a [`Searcher`] besides its analysis, for the interface of an engine.
#[derive(Debug, Clone, Default)]
pub struct SearcherState {
    /// The memory in use for results, in MiB, or 0 if the searcher has no such figure.
    pub memory_mib: usize,
    /// The part of that memory which the current search has filled, in thousandths (USI
    /// `hashfull`), or `None` if the searcher has no such figure.
    pub hash_full: Option<u32>,
    /// Lines of text for people about the last search (USI `info string`).
    pub remarks: Vec<String>,
    /// The visits of the root, if this is a tree search, whose reports are not iterations. They are
    /// updated before each call of `progress`.
    pub root_visits: Option<Arc<RootVisits>>,
    /// The moves of the root with the visits, rates and priors of the last tree search, best first;
    /// empty for a search without a tree. In a search of both kinds they are those of the tree.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Budget, Position};
    /// use komadai_eval::Material;
    /// use komadai_search::Searcher;
    /// use komadai_search::monte_carlo::{MonteCarlo, MonteCarloOptions};
    ///
    /// let mut searcher = MonteCarlo::new(Material, MonteCarloOptions::modern());
    /// searcher.search(&Position::hirate(), &Budget::nodes(2_000), &mut |_| {});
    /// let moves = searcher.state().root_moves;
    /// assert_eq!(moves.len(), 30);
    /// assert!(moves[0].visits >= moves[1].visits);
    /// ```
    pub root_moves: Vec<RootMove>,
}

/// A searcher, which finds the best moves of a position within a budget.
///
/// A search does not fail. When its budget runs out, it returns the result found until then, with
/// [`completed`](Analysis::completed) `false`. Even the smallest budget yields a move, because the
/// first iteration is always finished, unless the request continues an earlier search and its
/// result is known. The result has no line only when there is no legal move.
///
/// # Examples
///
/// A function that takes any searcher:
///
/// ```
/// use komadai_core::{Budget, Move, Position};
/// use komadai_eval::Material;
/// use komadai_search::{AlphaBeta, SearchOptions, Searcher};
///
/// fn best_move(searcher: &mut dyn Searcher, position: &Position) -> Option<Move> {
///     searcher.search(position, &Budget::nodes(500), &mut |_| {}).best_move()
/// }
///
/// let mut searcher = AlphaBeta::new(Material, SearchOptions::default());
/// assert!(best_move(&mut searcher, &Position::hirate()).is_some());
/// ```
pub trait Searcher: Send {
    /// Analyses the position of `request` within its budget.
    ///
    /// `progress` is called with the result of each iteration, and by a tree search every tenth of
    /// a second as well. Setting the budget's stop flag in it ends the search with this result.
    fn run(&mut self, request: &SearchRequest<'_>, progress: &mut dyn FnMut(&Analysis))
    -> Analysis;

    /// Analyses `position`, with the moves that led to it, within `budget`: [`run`](Self::run) with
    /// the usual request.
    fn search(
        &mut self,
        position: &Position,
        budget: &Budget,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.run(&SearchRequest::new(position, budget), progress)
    }

    /// Forgets everything learned from earlier searches.
    fn new_game(&mut self);

    /// Touches all pages of the memory for results, because the first search would pay for their
    /// page faults: one of a few hundredths of a second may spend all of them on that.
    ///
    /// USI engines call this at `isready`. What has been learned stays. The default does nothing.
    fn warm_up(&mut self) {}

    /// Adopts new settings: size of the memory, threads, number of lines, value of a draw.
    ///
    /// A searcher ignores the fields that it has no use for, and keeps what it has learned as far
    /// as the new settings allow. The default does nothing.
    fn set_options(&mut self, options: SearchOptions) {
        let _ = options;
    }

    /// Returns the state of the memory and of the last search. The default has no figures.
    fn state(&self) -> SearcherState {
        SearcherState::default()
    }

    /// Returns the size of a centipawn of this searcher's scores, as
    /// [`Evaluator::scale`](komadai_eval::Evaluator::scale) does for an evaluation. Whoever compares
    /// scores with margins multiplies these by it. The default is 1.
    fn scale(&self) -> f64 {
        1.0
    }

    /// Returns the reply to `m`, a legal move of `position`, that searches so far have found best,
    /// or `None` if the searcher keeps no such results, which is the default.
    ///
    /// A search that ends within an iteration may have a best move without a reply: a move that has
    /// just failed high.
    fn expected_reply(&self, position: &Position, m: Move) -> Option<Move> {
        let _ = (position, m);
        None
    }
}

impl<S: Searcher + ?Sized> Searcher for Box<S> {
    fn run(
        &mut self,
        request: &SearchRequest<'_>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        (**self).run(request, progress)
    }

    fn new_game(&mut self) {
        (**self).new_game();
    }

    fn warm_up(&mut self) {
        (**self).warm_up();
    }

    fn set_options(&mut self, options: SearchOptions) {
        (**self).set_options(options);
    }

    fn state(&self) -> SearcherState {
        (**self).state()
    }

    fn scale(&self) -> f64 {
        (**self).scale()
    }

    fn expected_reply(&self, position: &Position, m: Move) -> Option<Move> {
        (**self).expected_reply(position, m)
    }
}
