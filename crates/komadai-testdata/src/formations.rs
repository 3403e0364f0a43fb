//! Castles and strategies labelled by hand, in positions and games of
//! [`tournament`](crate::games::tournament).

use crate::table::{Table, table};

/// A position, and the castle of each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LabelledPosition {
    /// The number of the game, from 1.
    pub game: usize,
    /// The number of moves before the position.
    pub ply: usize,
    /// The position.
    pub sfen: &'static str,
    /// The ids of the castles in `komadai-kifu`, Black's first; `None` for no castle, or for one that
    /// is not finished.
    pub castles: [Option<&'static str>; 2],
}

/// A game, and the main strategy of each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LabelledGame {
    /// The number of the game, from 1.
    pub game: usize,
    /// The ids of the strategies in `komadai-kifu`, Black's first; `None` for one without a name of
    /// its own.
    pub strategies: [Option<&'static str>; 2],
}

static CASTLES: Table<5> =
    table!("formations/castles.tsv", ["game", "ply", "sfen", "black", "white"]);

static STRATEGIES: Table<3> = table!("formations/strategies.tsv", ["game", "black", "white"]);

/// 200 positions: those after 28, 44 and 60 moves of the games, in their order.
///
/// # Examples
///
/// ```
/// use komadai_testdata::formations;
///
/// let first = formations::positions().next().expect("200 positions");
/// assert_eq!(first.castles, [Some("furiana"), Some("fune")]);
/// ```
pub fn positions() -> impl Iterator<Item = LabelledPosition> {
    CASTLES.rows().map(|row| {
        let [game, ply, sfen, black, white] = row.cells;
        let castles = [named(black), named(white)];
        LabelledPosition { game: row.number(game), ply: row.number(ply), sfen, castles }
    })
}

/// The first 67 games, named by their first 30 moves and the three positions.
///
/// # Examples
///
/// ```
/// use komadai_testdata::formations;
///
/// let first = formations::games().next().expect("67 games");
/// assert_eq!(first.strategies, [Some("shiken"), None]);
/// ```
pub fn games() -> impl Iterator<Item = LabelledGame> {
    STRATEGIES.rows().map(|row| {
        let [game, black, white] = row.cells;
        LabelledGame { game: row.number(game), strategies: [named(black), named(white)] }
    })
}

fn named(cell: &'static str) -> Option<&'static str> {
    (cell != "-").then_some(cell)
}
