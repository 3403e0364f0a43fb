//! The trait of all searchers.

pub(crate) mod move_order;
pub(crate) mod node_visitor;

use std::sync::Arc;

use komadai_core::{Analysis, Budget, Move, Position};

use crate::monte_carlo::RootVisits;
use crate::options::SearchOptions;

/// A searcher, which finds the best moves of a position within a budget.
///
/// A search does not fail. When its budget runs out, it returns the result found until then, with
/// [`completed`](Analysis::completed) `false`. Even the smallest budget yields a move, because the
/// first iteration is always finished. The result has no line only when there is no legal move.
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
    /// Analyses `position`, with the moves that led to it, within `budget`.
    ///
    /// `progress` is called with the result of each iteration, and by a tree search every tenth of a
    /// second as well. Setting the budget's stop flag in it ends the search with this result.
    fn search(
        &mut self,
        position: &Position,
        budget: &Budget,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis;

    /// Analyses `position` like [`search`](Self::search), but considers only `moves` at the root
    /// (USI `searchmoves`). Moves that are not legal are ignored.
    fn search_among(
        &mut self,
        position: &Position,
        moves: &[Move],
        budget: &Budget,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis;

    /// Forgets everything learned from earlier searches.
    fn new_game(&mut self);

    /// Does what the first search would otherwise do before it is fast: gets the memory for results from the
    /// system, page by page.
    ///
    /// A first search of a few hundredths of a second may spend all of them on that. USI engines call this at
    /// `isready`. What has been learned stays. The default does nothing.
    fn warm_up(&mut self) {}

    /// Adopts new settings: size of the memory, threads, number of lines, value of a draw.
    ///
    /// A searcher ignores the fields that it has no use for, and keeps what it has learned as far as
    /// the new settings allow. The default does nothing.
    fn set_options(&mut self, options: SearchOptions) {
        let _ = options;
    }

    /// Returns the memory in use for results, in MiB. The default is 0.
    fn memory_mib(&self) -> usize {
        0
    }

    /// Returns the part of that memory which the current search has filled, in thousandths (USI
    /// `hashfull`), or `None` if the searcher has no such figure, which is the default.
    fn hash_full(&self) -> Option<u32> {
        None
    }

    /// Returns what there is to know about the last search besides its analysis, as lines of text for
    /// people (USI `info string`). The default is none.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the reply to `m`, a legal move of `position`, that searches so far have found best, or `None` if the
    /// searcher keeps no such results, which is the default.
    ///
    /// A search that ends within an iteration may have a best move without a reply: a move that has just failed
    /// high.
    fn expected_reply(&self, position: &Position, m: Move) -> Option<Move> {
        let _ = (position, m);
        None
    }

    /// Returns the visits of the root, if this is a tree search, whose reports are not iterations; `None`
    /// is the default. They are updated before each call of `progress`.
    fn root_visits(&self) -> Option<Arc<RootVisits>> {
        None
    }
}

impl<S: Searcher + ?Sized> Searcher for Box<S> {
    fn search(
        &mut self,
        position: &Position,
        budget: &Budget,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        (**self).search(position, budget, progress)
    }

    fn search_among(
        &mut self,
        position: &Position,
        moves: &[Move],
        budget: &Budget,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        (**self).search_among(position, moves, budget, progress)
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

    fn memory_mib(&self) -> usize {
        (**self).memory_mib()
    }

    fn hash_full(&self) -> Option<u32> {
        (**self).hash_full()
    }

    fn remarks(&self) -> Vec<String> {
        (**self).remarks()
    }

    fn expected_reply(&self, position: &Position, m: Move) -> Option<Move> {
        (**self).expected_reply(position, m)
    }

    fn root_visits(&self) -> Option<Arc<RootVisits>> {
        (**self).root_visits()
    }
}
