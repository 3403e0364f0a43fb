//! A game in which one side played from a book.

use komadai_core::{Color, Move, Setup};

/// A game of a match between a side with the book and an opponent without it (S1.2), with what the
/// book needs to learn from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookGame {
    /// Where the game began.
    pub start: Setup,
    /// All moves.
    pub moves: Vec<Move>,
    /// The side that had the book.
    pub book_side: Color,
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// Who played against the book.
    pub opponent: String,
    /// Which round of growing and pruning the game belongs to, from 0.
    pub generation: u32,
    /// The number of moves made when the book had no answer any more, as the player said; `None` if
    /// that never happened.
    pub left_at: Option<u32>,
    /// The time of each move in milliseconds; empty if the clock was not kept.
    pub times_ms: Vec<u32>,
    /// The value that the mover gave with each move, for the mover; empty if nobody asked.
    pub scores: Vec<Option<i32>>,
    /// How the game ended, in a word such as `resignation`.
    pub ending: String,
    /// When it was played, in seconds since the beginning of 1970 (UTC), 0 where it is not known.
    pub when: u64,
}
