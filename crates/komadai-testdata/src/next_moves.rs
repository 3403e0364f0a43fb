//! Next-move problems (次の一手): positions of games with one best move.

use crate::table::{Table, table};

/// A position in which one move is much better than all others, and a shallow search misses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NextMove {
    /// The position; no side is in check.
    pub sfen: &'static str,
    /// The best move in USI notation.
    pub best: &'static str,
    /// The value of the best move for the side to move in centipawns, from −3,000 to 3,000.
    pub value: i32,
    /// The second best move.
    pub second: &'static str,
    /// The value of the second best move, at least 150 lower.
    pub second_value: i32,
    /// The move that a search of four plies prefers.
    pub missed_by: &'static str,
    /// The game: a number among those of [`tournament`](crate::games::tournament), or one of
    /// self-play.
    pub game: &'static str,
}

static PROBLEMS: Table<7> = table!(
    "problems/next_moves.tsv",
    ["sfen", "best", "value", "second", "second_value", "missed_by", "game"]
);

/// The problems that `komadai-lab next-moves find` found with the bundled network: the values are
/// those of searches of 1,000,000 nodes, two moves at a time.
///
/// # Examples
///
/// ```
/// use komadai_testdata::next_moves;
///
/// assert!(next_moves::rows().all(|problem| problem.value - problem.second_value >= 150));
/// ```
pub fn rows() -> impl Iterator<Item = NextMove> {
    PROBLEMS.rows().map(|row| {
        let [sfen, best, value, second, second_value, missed_by, game] = row.cells;
        let [value, second_value] = [value, second_value].map(|cell| row.number(cell));
        NextMove { sfen, best, value, second, second_value, missed_by, game }
    })
}
