//! Counts of the ends of lines that yield no position.

/// Counts of the places where lines ended without a position to search next.
///
/// They tell why a book has few such positions. Each place is counted once for each side whose book
/// is made, and once for each group of roots with the same limits (and, in a window measured from
/// the root, the same value). A line that comes to a position visited before is continued there and
/// not counted.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::Tolerance;
/// use komadai_bookgraph::BookGraph;
/// use komadai_bookgraph::frontier::{FrontierOptions, Window};
/// use komadai_core::{Color, Position};
///
/// let text = "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     2g2f none 40 1\n\
///     7g7f none 20 1\n\
///     9g9f none -60 1\n";
/// let book = BookGraph::from_db(text.as_bytes(), Tolerance::Strict)?;
/// let options = FrontierOptions::new(Position::hirate(), Color::White, Window::Best);
/// let frontier = book.frontier(&options);
/// assert_eq!((frontier.len(), frontier.cuts().outside_window), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cuts {
    /// The number of positions at the largest move number, whose moves are not followed, and of
    /// roots beyond it.
    pub at_max_ply: usize,
    /// The number of moves with a larger absolute value than the limit.
    pub beyond_eval_limit: usize,
    /// The number of moves that are not in the window.
    pub outside_window: usize,
    /// The number of positions of the book from which no move is followed because of the window or
    /// the limit of values.
    pub dead_ends: usize,
    /// The number of positions less probable than the least probability, in an order by
    /// probability. Their moves are not followed.
    pub improbable: usize,
    /// The number of positions found beyond the budget.
    pub beyond_budget: usize,
}

impl Cuts {
    /// Adds the moves of a position that are not followed.
    pub(super) fn add_moves(&mut self, cuts: MoveCuts) {
        self.beyond_eval_limit += cuts.beyond_eval_limit;
        self.outside_window += cuts.outside_window;
        self.dead_ends += usize::from(cuts.are_all);
    }
}

/// The numbers of the moves of a position that are not followed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MoveCuts {
    pub(super) beyond_eval_limit: usize,
    pub(super) outside_window: usize,
    /// No move of the position is followed.
    pub(super) are_all: bool,
}
