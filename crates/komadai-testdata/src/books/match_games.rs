//! A match of a side with a book against a side without one, and the statistics of the book's
//! moves.
//!
//! A game leaves the book at the first turn of the book's side whose position is not in the book or
//! whose move is not a move of the book there. Before that turn, each position and move of the
//! book's side counts once per game. From that turn on, the first eight turns of the book's side
//! whose positions are not in the book are positions by which to extend it. A position turned by
//! 180 degrees with colours exchanged counts as the same position.

use crate::outcome::Outcome;
use crate::table::{Table, table};

/// The book in YANEURAOU-DB2016 text: 84 positions.
pub static BOOK: &str = include_str!("../../data/books/match_games/book.db");

/// A game of the match, from the start position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameRow {
    /// True if Black had the book, false if White had it.
    pub book_side_is_black: bool,
    /// The result of the game.
    pub outcome: Outcome,
    /// The moves in USI notation.
    pub moves: &'static str,
}

/// The results of the games in which the book's side made one move of the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResultRow {
    /// The position with Black to move, as an SFEN without its last field, the move number.
    pub sfen: &'static str,
    /// The move in USI notation.
    pub m: &'static str,
    /// Wins, draws and losses of the book's side.
    pub wins_draws_losses: [u32; 3],
    /// The number of other moves of the book in the position.
    pub alternatives: u32,
    /// True if the move should be pruned: it has at least 3 games, and all of them were lost or the
    /// share of points is below 0.3.
    pub is_suspect: bool,
}

/// A position by which to extend the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TargetRow {
    /// The position with Black to move, as an SFEN without its last field, the move number.
    pub sfen: &'static str,
    /// The number of games in which it occurred.
    pub count: u32,
}

static GAMES: Table<3> = table!("books/match_games/games.tsv", ["book_side", "winner", "moves"]);
static RESULTS: Table<7> = table!(
    "books/match_games/results.tsv",
    ["sfen", "move", "wins", "draws", "losses", "alternatives", "prune"]
);
static TARGETS: Table<2> = table!("books/match_games/targets.tsv", ["sfen", "games"]);

/// The 160 games.
///
/// # Examples
///
/// ```
/// use komadai_testdata::books::match_games;
///
/// let games = match_games::games().count();
/// let suspects = match_games::results().filter(|row| row.is_suspect).count();
/// assert_eq!((games, suspects), (160, 5));
/// ```
pub fn games() -> impl Iterator<Item = GameRow> {
    GAMES.rows().map(|row| {
        let [book_side, winner, moves] = row.cells;
        GameRow {
            book_side_is_black: match book_side {
                "black" => true,
                "white" => false,
                _ => row.reject(book_side),
            },
            outcome: match winner {
                "black" => Outcome::BlackWins,
                "white" => Outcome::WhiteWins,
                "draw" => Outcome::Draw,
                _ => row.reject(winner),
            },
            moves,
        }
    })
}

/// The results of every move of the book that was made, sorted by position and move.
pub fn results() -> impl Iterator<Item = ResultRow> {
    RESULTS.rows().map(|row| {
        let [sfen, m, wins, draws, losses, alternatives, prune] = row.cells;
        ResultRow {
            sfen,
            m,
            wins_draws_losses: [wins, draws, losses].map(|count| row.number(count)),
            alternatives: row.number(alternatives),
            is_suspect: match prune {
                "yes" => true,
                "no" => false,
                _ => row.reject(prune),
            },
        }
    })
}

/// The positions by which to extend the book, the most frequent first, then sorted by text.
pub fn targets() -> impl Iterator<Item = TargetRow> {
    TARGETS.rows().map(|row| {
        let [sfen, count] = row.cells;
        TargetRow { sfen, count: row.number(count) }
    })
}
