//! Moves of books as players and models of players see them.

use komadai_bookfile::RecordMove;
use komadai_core::{Move, Score};

/// A move of a book with the data that a player needs.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::RecordMove;
/// use komadai_bookgraph::PlayableMove;
///
/// let listed = RecordMove { count: Some(12), ..RecordMove::new("7g7f".parse()?) };
/// assert_eq!(PlayableMove::from(&listed), PlayableMove { games: 12, ..PlayableMove::new(listed.m) });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayableMove {
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub m: Move,
    /// The value for the side that makes the move, if it has one.
    pub score: Option<Score>,
    /// The number of games in which the move was made, or its weight; 0 if unknown.
    pub games: u32,
}

impl PlayableMove {
    /// Creates a move without a value and without games.
    pub fn new(m: Move) -> Self {
        Self { m, score: None, games: 0 }
    }
}

impl From<&RecordMove> for PlayableMove {
    fn from(listed: &RecordMove) -> Self {
        Self { m: listed.m, score: listed.score, games: listed.count.unwrap_or(0) }
    }
}
