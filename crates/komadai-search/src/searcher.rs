//! The seam between whoever wants a move and whoever looks ahead.

use komadai_core::{Analysis, Budget, Position};

/// Looks ahead and says what is best.
///
/// Searching is not fallible. A search whose budget runs out says what it has found by then, with
/// [`completed`](Analysis::completed) `false`; even the smallest budget yields a move, because the
/// first iteration is always finished. The result has no line only when there is no legal move.
pub trait Searcher: Send {
    /// Analyses `position`, the moves that led there included, within `budget`.
    ///
    /// `progress` hears what is known after each iteration; whoever wants to end the search there
    /// sets the budget's stop flag.
    fn search(
        &mut self,
        position: &Position,
        budget: &Budget,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis;

    /// Forgets everything learned from earlier searches.
    fn new_game(&mut self);
}
