//! The frontier of the book `small50` of [`synthetic`](super::synthetic): the positions to search
//! next, at which best play leaves the book.
//!
//! From the start position, the book's own side plays its best move, and the other side any move of
//! the book within a window of values. The reached positions that the book does not contain are the
//! frontier. A state is a position with the actual side to move; each state is visited once.

use crate::table::{Table, table};

/// A walk through the book and the frontier it reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frontier {
    /// The side whose book is being made.
    pub book_side: BookSide,
    /// The width of the window: the allowed loss of a move of the other side, in centipawns.
    pub eval_diff: i32,
    /// The value with which moves of the other side are compared.
    pub window: Window,
    /// The moves that the book's own side plays.
    pub own_moves: OwnMoves,
    /// The number of positions of the frontier.
    pub count: usize,
    /// The number of states of the book that the walk visits.
    pub visited: usize,
    /// The frontier sorted by position, or `None` where only its size is known.
    pub positions: Option<Vec<FrontierPosition>>,
}

/// A position outside the book, one move away from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FrontierPosition {
    /// The position, as an SFEN without its last field, the move number.
    pub sfen: &'static str,
    /// The moves to it from the start position, in USI notation. There may be other lines of the
    /// same length, so that tests should compare only the set of positions.
    pub moves: &'static str,
}

/// The side whose book is being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BookSide {
    /// Black (先手).
    Black,
    /// White (後手).
    White,
    /// Both sides choose within the window.
    Both,
}

/// The value with which a move of the other side is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Window {
    /// The best move of the position, for both sides.
    Free,
    /// The best move of the position.
    Best,
    /// The value of the start position, for the side that moves.
    Root,
}

/// The moves that the book's own side plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OwnMoves {
    /// One best move. Among moves of equal value, the one of less depth, or of more depth if the
    /// value is negative; then the first in the order of USI texts.
    First,
    /// Every move with the value of the best move.
    AllBest,
}

static FRONTIERS: Table<6> = table!(
    "books/synthetic/small50.frontiers.tsv",
    ["book_side", "eval_diff", "rule", "own", "count", "visited"]
);
static POSITIONS: Table<5> = table!(
    "books/synthetic/small50.frontier_positions.tsv",
    ["book_side", "eval_diff", "rule", "sfen", "moves"]
);

/// 18 walks: both sides, four widths and two windows, and two walks with a known size only.
///
/// # Examples
///
/// ```
/// use komadai_testdata::books::frontiers::{self, BookSide, Window};
///
/// // The root window is the narrower one: it does not follow moves that have lost ground already.
/// let size = |window| {
///     frontiers::rows()
///         .find(|f| f.book_side == BookSide::White && f.eval_diff == 30 && f.window == window)
///         .map(|f| f.count)
/// };
/// assert_eq!((size(Window::Best), size(Window::Root)), (Some(29), Some(18)));
/// ```
pub fn rows() -> impl Iterator<Item = Frontier> {
    FRONTIERS.rows().map(|row| {
        let [side, eval_diff, rule, own, count, visited] = row.cells;
        let own_moves = match own {
            "first" => OwnMoves::First,
            "all" => OwnMoves::AllBest,
            _ => row.reject(own),
        };
        let window = match rule {
            "0" => Window::Free,
            "1" => Window::Best,
            "2" => Window::Root,
            _ => row.reject(rule),
        };
        let size_only = window == Window::Free || own_moves == OwnMoves::AllBest;
        Frontier {
            book_side: match side {
                "b" => BookSide::Black,
                "w" => BookSide::White,
                "both" => BookSide::Both,
                _ => row.reject(side),
            },
            eval_diff: row.number(eval_diff),
            window,
            own_moves,
            count: row.number(count),
            visited: row.number(visited),
            positions: (!size_only).then(|| positions([side, eval_diff, rule])),
        }
    })
}

/// The positions of the walk with these first three cells.
fn positions(walk: [&str; 3]) -> Vec<FrontierPosition> {
    POSITIONS
        .rows()
        .filter(|row| row.cells[..3] == walk)
        .map(|row| {
            let [.., sfen, moves] = row.cells;
            FrontierPosition { sfen, moves }
        })
        .collect()
}
