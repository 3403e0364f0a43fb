//! Which lines are followed.

use komadai_core::{Color, Position};

/// Which moves the opponent of the book's own side may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Window {
    /// Moves worth at least the best of the position minus `eval_diff`; and the own side chooses by
    /// the same rule. The oldest form, to compare with: lines are many.
    Free,
    /// Moves worth at least the best of the position minus `eval_diff`.
    Best,
    /// Moves worth at least the value of the root minus `eval_diff`, for the side that moves: the
    /// window is `[s − eval_diff, e]` with the value `s` of the root and the best `e` of the
    /// position. Where the opponent has lost ground already, it is narrower than the window from the
    /// best move, or empty. Each of several roots has its own value.
    Root,
}

/// Which moves the book's own side follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OwnMoves {
    /// The best move; of several of equal value the one that leaves the book sooner (later, where the
    /// side is worse), then the first in the order of USI texts.
    #[default]
    First,
    /// Every move that is worth as much as the best.
    AllBest,
}

/// Whose book is being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BookSides {
    /// Black's (先手).
    Black,
    /// White's (後手).
    White,
    /// A book for Black and one for White.
    Both,
}

impl BookSides {
    /// The sides.
    #[must_use]
    pub fn colors(self) -> &'static [Color] {
        match self {
            Self::Black => &[Color::Black],
            Self::White => &[Color::White],
            Self::Both => &[Color::Black, Color::White],
        }
    }

    /// These sides and those.
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

/// What to select.
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
pub struct FrontierOptions {
    /// Where lines begin.
    pub roots: Vec<Position>,
    /// The sides whose books are being made. Each has lines of its own; a position on lines of both
    /// is selected once.
    pub sides: BookSides,
    /// Which moves the opponent may choose.
    pub window: Window,
    /// How much worse a move in the window may be, in centipawns.
    pub eval_diff: i32,
    /// Which moves the own side follows.
    pub own_moves: OwnMoves,
    /// Positions with a larger move number are neither expanded nor selected.
    pub max_ply: Option<u32>,
    /// Moves worth more than this, or less than its negative, in centipawns, are not followed.
    pub eval_limit: Option<i32>,
    /// The number of positions at most: the first ones of the order.
    pub budget: Option<usize>,
}

impl FrontierOptions {
    /// One best move for the own side, a window of 30 centipawns, and no limits.
    #[must_use]
    pub fn new(root: Position, sides: impl Into<BookSides>, window: Window) -> Self {
        Self {
            roots: vec![root],
            sides: sides.into(),
            window,
            eval_diff: 30,
            own_moves: OwnMoves::First,
            max_ply: None,
            eval_limit: None,
            budget: None,
        }
    }

    /// Whether a position with this move number may be expanded or selected.
    pub(super) fn is_within(&self, ply: u32) -> bool {
        self.max_ply.is_none_or(|max| ply <= max)
    }
}
