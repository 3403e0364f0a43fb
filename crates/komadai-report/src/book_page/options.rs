//! Options of a report.

use komadai_bookgraph::frontier::Window;
use komadai_core::{Color, Position};

/// The contents of a report and the bounds of its lists.
///
/// # Examples
///
/// ```
/// use komadai_report::book_page::ReportOptions;
/// use komadai_core::Color;
///
/// let options = ReportOptions::default().with_sides([Color::White]).with_max_lines(20);
/// assert_eq!(options.eval_diff, 30);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReportOptions {
    /// The name of the book.
    pub title: String,
    /// The start position of all lines.
    pub root: Position,
    /// The sides whose lines and frontiers are reported.
    pub sides: Vec<Color>,
    /// The moves of the opponent that belong to the main lines.
    pub window: Window,
    /// The width of the window of these moves, in centipawns.
    pub eval_diff: i32,
    /// The widths of windows, in centipawns, for which the frontier is measured.
    pub eval_diff_steps: Vec<i32>,
    /// The largest number of main lines of each side.
    pub max_lines: usize,
    /// The largest length of a main line, in plies; at most 500 plies are shown.
    pub max_line_plies: usize,
    /// The largest number of rows of each table.
    pub max_rows: usize,
    /// The largest number of snapshots; the latest ones are reported.
    pub max_states: usize,
    /// The largest total number of positions of snapshots whose values are computed. The snapshot with which
    /// the present values are compared is computed in any case.
    pub max_derived_positions: u64,
    /// The snapshot with which the present values are compared; `None` for the last one that differs from
    /// the present state.
    pub since: Option<String>,
}

impl Default for ReportOptions {
    /// The book of both sides from the start position, with a window of 30 centipawns.
    fn default() -> Self {
        Self {
            title: "An opening book".to_owned(),
            root: Position::hirate(),
            sides: Color::ALL.to_vec(),
            window: Window::Best,
            eval_diff: 30,
            eval_diff_steps: vec![0, 5, 10, 20, 30, 50],
            max_lines: 40,
            max_line_plies: 80,
            max_rows: 12,
            max_states: 12,
            max_derived_positions: 1_500_000,
            since: None,
        }
    }
}

impl ReportOptions {
    /// Returns the same options with this name of the book.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Returns the same options with this start position of all lines.
    #[must_use]
    pub fn with_root(self, root: Position) -> Self {
        Self { root, ..self }
    }

    /// Returns the same options with these sides whose lines and frontiers are reported.
    #[must_use]
    pub fn with_sides(self, sides: impl IntoIterator<Item = Color>) -> Self {
        Self { sides: sides.into_iter().collect(), ..self }
    }

    /// Returns the same options with these moves of the opponent in the main lines.
    #[must_use]
    pub fn with_window(self, window: Window) -> Self {
        Self { window, ..self }
    }

    /// Returns the same options with a window of this width, in centipawns.
    #[must_use]
    pub fn with_eval_diff(self, eval_diff: i32) -> Self {
        Self { eval_diff, ..self }
    }

    /// Returns the same options with these widths of windows for which the frontier is measured, in
    /// centipawns.
    #[must_use]
    pub fn with_eval_diff_steps(self, eval_diff_steps: impl IntoIterator<Item = i32>) -> Self {
        Self { eval_diff_steps: eval_diff_steps.into_iter().collect(), ..self }
    }

    /// Returns the same options with at most this many main lines of each side.
    #[must_use]
    pub fn with_max_lines(self, max_lines: usize) -> Self {
        Self { max_lines, ..self }
    }

    /// Returns the same options with main lines of at most this many plies.
    #[must_use]
    pub fn with_max_line_plies(self, max_line_plies: usize) -> Self {
        Self { max_line_plies, ..self }
    }

    /// Returns the same options with at most this many rows in each table.
    #[must_use]
    pub fn with_max_rows(self, max_rows: usize) -> Self {
        Self { max_rows, ..self }
    }

    /// Returns the same options with at most this many snapshots.
    #[must_use]
    pub fn with_max_states(self, max_states: usize) -> Self {
        Self { max_states, ..self }
    }

    /// Returns the same options with at most this many positions of snapshots whose values are
    /// computed.
    #[must_use]
    pub fn with_max_derived_positions(self, max_derived_positions: u64) -> Self {
        Self { max_derived_positions, ..self }
    }

    /// Returns the same options with this snapshot with which the present values are compared;
    /// `None` for the last one that differs.
    #[must_use]
    pub fn with_since(self, since: impl Into<Option<String>>) -> Self {
        Self { since: since.into(), ..self }
    }
}
