//! Perft: the number of lines of legal moves from a position.
//!
//! A depth-1 row is the number of legal moves, and every position with two kings has one. Without
//! these rows, a generator that wrongly keeps a pawn drop that mates, or wrongly omits one that
//! stalemates, would fail only at the last ply of a deep row, and not always there.

use crate::table::{Table, table};

/// Node counts from the start position: `STARTPOS[d - 1]` at depth `d`.
///
/// Seven generators agree on depth 6 (cshogi, YaneuraOu, nshogi, haitaka, apery_rust, rsshogi,
/// yasai); all depths were recomputed with cshogi 1.1.0 for this crate.
pub const STARTPOS: [u64; 6] = [30, 900, 25_470, 719_731, 19_861_490, 547_581_517];

/// Node counts of [`positions::MAX_MOVES`](crate::positions::MAX_MOVES): `MAX_MOVES[d - 1]` at
/// depth `d`.
///
/// cshogi, YaneuraOu, haitaka, apery_rust, rsshogi and yasai agree on them; recomputed with cshogi
/// 1.1.0 for this crate. A generator that returns 53,399,737 at depth 3 keeps the pawn drops that
/// give mate.
pub const MAX_MOVES: [u64; 3] = [593, 105_677, 53_393_368];

/// A position and the number of lines of legal moves that are `depth` plies long.
///
/// All legal moves count, including pointless non-promotions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PerftRow {
    /// The position.
    pub sfen: &'static str,
    /// The length of the lines in plies, 1 or more.
    pub depth: u32,
    /// The number of lines.
    pub nodes: u64,
}

static TWO_KINGS: Table<3> = table!("movegen/perft.tsv", ["sfen", "depth", "nodes"]);
static ONE_KING: Table<3> = table!("movegen/tsume_perft.tsv", ["sfen", "depth", "nodes"]);

/// 538 rows with both kings on the board: 269 positions, each with a depth-1 row and a deeper one.
///
/// The deepest rows hold up to 72 million nodes; choose by [`PerftRow::nodes`].
///
/// # Examples
///
/// ```
/// use komadai_testdata::perft;
///
/// let most = perft::rows().filter(|row| row.depth == 1).map(|row| row.nodes).max();
/// assert_eq!(most, Some(593));
/// ```
pub fn rows() -> impl Iterator<Item = PerftRow> {
    read(&TWO_KINGS)
}

/// 38 rows with White's king only, as in tsume problems.
pub fn one_king_rows() -> impl Iterator<Item = PerftRow> {
    read(&ONE_KING)
}

fn read(table: &'static Table<3>) -> impl Iterator<Item = PerftRow> {
    table.rows().map(|row| {
        let [sfen, depth, nodes] = row.cells;
        PerftRow { sfen, depth: row.number(depth), nodes: row.number(nodes) }
    })
}
