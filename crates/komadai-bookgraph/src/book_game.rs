//! A game in which one side played from a book.

use komadai_core::{Color, Move, Setup};

/// A game of a match between a side with the book and an opponent without it, with the data from
/// which the book learns.
///
/// # Examples
///
/// ```
/// use komadai_bookgraph::BookGame;
/// use komadai_core::{Color, Setup};
///
/// let start = Setup::hirate();
/// let moves = vec!["7g7f".parse()?, "3c3d".parse()?, "2g2f".parse()?];
/// let game = BookGame {
///     opponent: "other engine".to_owned(),
///     left_at: Some(2), // the book had no move after 3c3d
///     ending: "resignation".to_owned(),
///     ..BookGame::new(start, moves, Color::Black, Some(Color::Black))
/// };
/// assert_eq!(game.winner, Some(game.book_side));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BookGame {
    /// The start position.
    pub start: Setup,
    /// All moves.
    pub moves: Vec<Move>,
    /// The side that had the book.
    pub book_side: Color,
    /// The side that won; `None` for a draw.
    pub winner: Option<Color>,
    /// The name of the opponent of the book.
    pub opponent: String,
    /// The round of growing and pruning that the game belongs to, from 0.
    pub generation: u32,
    /// The number of moves made when the player reported that the book had no move; `None` if that
    /// never happened.
    pub left_at: Option<u32>,
    /// The time of each move in milliseconds; empty if the clock was not kept.
    pub times_ms: Vec<u32>,
    /// The value that the player reported with each move, in centipawns for the side that moves;
    /// empty if values were not recorded.
    pub scores: Vec<Option<i32>>,
    /// The reason for the end of the game, a word such as `resignation`.
    pub ending: String,
    /// The time of the game in seconds since the start of 1970 (UTC); 0 if unknown.
    pub when: u64,
}

impl BookGame {
    /// A game with moves and a result; the rest is unknown.
    pub fn new(start: Setup, moves: Vec<Move>, book_side: Color, winner: Option<Color>) -> Self {
        Self {
            start,
            moves,
            book_side,
            winner,
            opponent: String::new(),
            generation: 0,
            left_at: None,
            times_ms: Vec::new(),
            scores: Vec::new(),
            ending: String::new(),
            when: 0,
        }
    }
}
