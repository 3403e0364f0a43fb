//! The trait of all searchers.

use komadai_core::{Analysis, Budget, Position};

/// A searcher, which finds the best moves of a position within a budget.
///
/// A search does not fail. When its budget runs out, it returns the result found until then, with
/// [`completed`](Analysis::completed) `false`. Even the smallest budget yields a move, because the
/// first iteration is always finished. The result has no line only when there is no legal move.
pub trait Searcher: Send {
    /// Analyses `position`, with the moves that led to it, within `budget`.
    ///
    /// `progress` is called with the result of each iteration. Setting the budget's stop flag in it
    /// ends the search with this result.
    fn search(
        &mut self,
        position: &Position,
        budget: &Budget,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis;

    /// Discards everything learned from earlier searches.
    fn new_game(&mut self);
}
