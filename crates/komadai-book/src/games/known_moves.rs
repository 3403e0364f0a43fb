//! The interface between games and the moves of a book.

use komadai_core::{Move, Position, Score};

use komadai_bookgraph::BookGraph;

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

/// A move of a book with the data that a player needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayableMove {
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub m: Move,
    /// The value for the side that makes the move, if it has one.
    pub score: Option<Score>,
    /// The number of games in which the move was made.
    pub games: u32,
}

impl PlayableMove {
    /// Creates a move without a value and without games.
    pub fn new(m: Move) -> Self {
        Self { m, score: None, games: 0 }
    }
}

/// The listed moves of the book with their propagated values. A move that is not listed is not
/// played, even if it leads to a position of the book.
impl KnownMoves for BookGraph {
    fn known_moves(&self, position: &Position) -> Option<Vec<PlayableMove>> {
        let record = self.record(position)?;
        let ranked = self.moves(position);
        let value = |m: Move| ranked.iter().find(|known| known.m == m).map(|known| known.value);
        let known = record.moves.iter().map(|listed| PlayableMove {
            m: listed.m,
            score: value(listed.m).map(|value| value.score),
            games: listed.count.unwrap_or(0),
        });
        Some(known.collect())
    }
}

impl<F: Fn(&Position) -> Option<Vec<PlayableMove>>> KnownMoves for F {
    fn known_moves(&self, position: &Position) -> Option<Vec<PlayableMove>> {
        self(position)
    }
}
