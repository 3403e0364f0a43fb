//! Options of a selection: the lines that are followed.

use komadai_core::{Color, Position};

/// The moves that the opponent of the own side may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Window {
    /// Moves with at least the value of the best move minus `eval_diff`; the own side chooses by
    /// the same rule. The oldest form, for comparison: it gives very many lines.
    Free,
    /// Moves with at least the value of the best move minus `eval_diff`.
    Best,
    /// Moves with at least the value of the root minus `eval_diff`, for the side that moves. The
    /// window is `[s − eval_diff, e]` with the value `s` of the root and the best value `e` of the
    /// position. Where the opponent is already worse than at the root, it is narrower than
    /// [`Best`](Self::Best), or empty. Each root has its own value.
    Root,
}

/// The moves that the own side of the book follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum OwnMoves {
    /// The best move. Of several moves of equal value, the one that leaves the book sooner (later,
    /// if the side is worse), then the first in the order of USI texts.
    #[default]
    First,
    /// Every move with the value of the best one.
    AllBest,
}

/// The sides for which a book is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum BookSides {
    /// A book for Black (先手).
    Black,
    /// A book for White (後手).
    White,
    /// A book for Black and one for White.
    Both,
}

impl BookSides {
    /// The sides as colours.
    #[must_use]
    pub fn colors(self) -> &'static [Color] {
        match self {
            Self::Black => &[Color::Black],
            Self::White => &[Color::White],
            Self::Both => &[Color::Black, Color::White],
        }
    }

    /// The union of these sides and others.
    #[must_use]
    pub fn and(self, others: Self) -> Self {
        if self == others { self } else { Self::Both }
    }
}

impl From<Color> for BookSides {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

/// Options of the selection of a frontier.
///
/// # Examples
///
/// ```
/// use komadai_bookgraph::frontier::{BookSides, FrontierOptions, OwnMoves, Window};
/// use komadai_core::Position;
///
/// let options = FrontierOptions {
///     eval_diff: 50,
///     own_moves: OwnMoves::AllBest,
///     budget: Some(10_000),
///     ..FrontierOptions::new(Position::hirate(), BookSides::Both, Window::Root)
/// };
/// assert_eq!(options.max_ply, None);
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct FrontierOptions {
    /// The start positions of the lines.
    pub roots: Vec<Position>,
    /// Further limits for the lines of each root, in the order of the roots. Roots after the last
    /// entry have none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub root_limits: Vec<RootLimits>,
    /// The sides for which a book is made. Each has its own lines; a position on lines of both
    /// sides is selected once.
    pub sides: BookSides,
    /// The moves that the opponent may choose.
    pub window: Window,
    /// The width of the window, in centipawns.
    pub eval_diff: i32,
    /// The moves that the own side follows.
    #[cfg_attr(feature = "serde", serde(default))]
    pub own_moves: OwnMoves,
    /// The largest move number. Positions beyond it are neither expanded nor selected.
    pub max_ply: Option<u32>,
    /// The largest absolute value of a move that is followed, in centipawns.
    pub eval_limit: Option<i32>,
    /// The largest number of positions: the first ones of the order.
    pub budget: Option<usize>,
}

impl FrontierOptions {
    /// Creates options with one best move for the own side, a window of 30 centipawns, and no
    /// limits.
    pub fn new(root: Position, sides: impl Into<BookSides>, window: Window) -> Self {
        Self {
            roots: vec![root],
            root_limits: Vec::new(),
            sides: sides.into(),
            window,
            eval_diff: 30,
            own_moves: OwnMoves::First,
            max_ply: None,
            eval_limit: None,
            budget: None,
        }
    }

    /// Returns the limits of the lines of the root with this number: of two that concern the same
    /// thing, the narrower one.
    pub(super) fn limits_of(&self, root: usize) -> Limits {
        let of_root = self.root_limits.get(root).copied().unwrap_or_default();
        let last =
            of_root.best_line_plies.map(|plies| self.roots[root].ply().saturating_add(plies));
        Limits {
            max_ply: [self.max_ply, of_root.max_ply, last].into_iter().flatten().min(),
            eval_limit: [self.eval_limit, of_root.eval_limit].into_iter().flatten().min(),
            is_best_line: of_root.best_line_plies.is_some(),
        }
    }
}

/// Limits of the lines of one root.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::Tolerance;
/// use komadai_bookgraph::BookGraph;
/// use komadai_bookgraph::frontier::{FrontierOptions, RootLimits, Window};
/// use komadai_core::{Color, Position};
///
/// let text = "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     2g2f none 40 1\n\
///     7g7f none 20 1\n";
/// let book = BookGraph::from_db(text.as_bytes(), Tolerance::Strict)?;
/// let all = FrontierOptions::new(Position::hirate(), Color::White, Window::Best);
/// let best_line = RootLimits { best_line_plies: Some(1), ..RootLimits::default() };
/// let narrow = FrontierOptions { root_limits: vec![best_line], ..all.clone() };
/// assert_eq!((book.frontier(&all).len(), book.frontier(&narrow).len()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct RootLimits {
    /// The number of plies by which the best line is followed from the root. Then both sides make
    /// only the moves that the own side makes, and no window counts.
    pub best_line_plies: Option<u32>,
    /// The largest move number.
    pub max_ply: Option<u32>,
    /// The largest absolute value of a move that is followed, in centipawns.
    pub eval_limit: Option<i32>,
}

/// The limits of the lines of some roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) max_ply: Option<u32>,
    pub(super) eval_limit: Option<i32>,
    /// Both sides follow best moves only.
    pub(super) is_best_line: bool,
}

impl Limits {
    /// Returns whether a position with this move number may be expanded or selected.
    pub(super) fn is_within(&self, ply: u32) -> bool {
        self.max_ply.is_none_or(|max| ply <= max)
    }
}
