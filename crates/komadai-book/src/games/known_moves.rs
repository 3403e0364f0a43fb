//! The interface between games and the moves of a book.

use komadai_bookgraph::{BookGraph, PlayableMove};
use komadai_core::Position;

/// Looks up the moves of a position: in a book file, in a graph with propagated values, or by a
/// closure.
///
/// # Examples
///
/// ```
/// use komadai_book::games::{KnownMoves, PlayableMove};
/// use komadai_core::Position;
///
/// let start = Position::hirate();
/// let m = "2g2f".parse()?;
/// let one_move = |position: &Position| {
///     (position.key() == start.key()).then(|| vec![PlayableMove::new(m)])
/// };
/// assert_eq!(one_move.known_moves(&start).map(|moves| moves.len()), Some(1));
/// assert_eq!(one_move.known_moves(&start.after(m)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait KnownMoves {
    /// Returns the moves of a position in its orientation, or `None` if the position is not in the
    /// book.
    fn known_moves(&self, position: &Position) -> Option<Vec<PlayableMove>>;
}

/// The listed moves of the book with their propagated values. A move that is not listed is not
/// played, even if it leads to a position of the book.
impl KnownMoves for BookGraph {
    fn known_moves(&self, position: &Position) -> Option<Vec<PlayableMove>> {
        let record = self.record(position)?;
        let ranked = self.moves(position);
        let known = record.moves.iter().map(|listed| {
            let valued = ranked.iter().find(|valued| valued.m == listed.m);
            let score = valued.map(|valued| valued.value.score);
            PlayableMove { score, ..PlayableMove::from(listed) }
        });
        Some(known.collect())
    }
}

impl<F: Fn(&Position) -> Option<Vec<PlayableMove>>> KnownMoves for F {
    fn known_moves(&self, position: &Position) -> Option<Vec<PlayableMove>> {
        self(position)
    }
}
