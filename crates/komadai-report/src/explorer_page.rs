//! An HTML page about the moves played from a position: tables with results and one live board.
//!
//! Each position has a table whose moves are links to the tables after them, so that the page can be
//! read without its script. The script shows the table of one position, and the position on the board.

mod page;

#[cfg(test)]
pub(crate) use page::{SCRIPT, SCRIPT_HASH};

use komadai_core::{Language, Move, Position};
use komadai_kifu::Notation;

use crate::svg::SvgPieces;

/// A page about the moves played from a position, written by `Display`: one file without network, fonts
/// or images of its own.
///
/// It has a board and, for each position, a table of the moves with the numbers of games and the results
/// of Black, draws and White. Clicks on moves, buttons and keys lead through the positions; the address
/// follows. Colours follow the light or dark mode of the reader. Texts are escaped.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_report::{ExplorerMove, ExplorerPage, ExplorerPosition, GameCounts};
///
/// let counts = GameCounts { games: 3, black: 2, draws: 0, white: 1 };
/// let first = ExplorerMove { next: Some(1), ..ExplorerMove::new("7g7f".parse()?, counts) };
/// let start = Position::hirate();
/// let after = start.after("7g7f".parse()?);
/// let page = ExplorerPage {
///     title: "Our <club>".to_owned(),
///     positions: vec![
///         ExplorerPosition { position: start, counts, ended: 0, moves: vec![first] },
///         ExplorerPosition { position: after, counts, ended: 3, moves: Vec::new() },
///     ],
///     ..ExplorerPage::default()
/// };
/// let text = page.to_string();
/// assert!(text.contains("Our &lt;club&gt;") && text.contains("<a href=\"#p1\">P-7f</a>"));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use = "a page does nothing until it is written"]
pub struct ExplorerPage {
    /// The language; English by default.
    pub language: Language,
    /// The notation of moves; by default the Japanese one on Japanese pages, else that of Hodges.
    pub notation: Option<Notation>,
    /// The characters on the pieces; by default kanji on Japanese pages, else letters.
    pub pieces: Option<SvgPieces>,
    /// The heading.
    pub title: String,
    /// The positions, the first one first.
    pub positions: Vec<ExplorerPosition>,
}

/// A position of an [`ExplorerPage`] with its moves.
#[derive(Debug, Clone)]
pub struct ExplorerPosition {
    /// The position.
    pub position: Position,
    /// The games that reached it.
    pub counts: GameCounts,
    /// The number of games that ended there.
    pub ended: u64,
    /// The moves, in the order of the table.
    pub moves: Vec<ExplorerMove>,
}

/// A move of an [`ExplorerPosition`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExplorerMove {
    /// The move.
    pub m: Move,
    /// The games in which it was played.
    pub counts: GameCounts,
    /// The mean of the years of the games.
    pub year: Option<f64>,
    /// The mean length of the games in moves.
    pub plies: Option<f64>,
    /// The place of the position after it among those of the page.
    pub next: Option<usize>,
}

/// Numbers of games by their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameCounts {
    /// All games, also those without a result.
    pub games: u64,
    /// Games that Black won.
    pub black: u64,
    /// Draws.
    pub draws: u64,
    /// Games that White won.
    pub white: u64,
}

impl ExplorerMove {
    /// A move of these games, without years, lengths and a position after it.
    pub fn new(m: Move, counts: GameCounts) -> Self {
        Self { m, counts, year: None, plies: None, next: None }
    }
}
