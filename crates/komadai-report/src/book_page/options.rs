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
/// let options = ReportOptions { sides: vec![Color::White], max_lines: 20, ..ReportOptions::default() };
/// assert_eq!(options.eval_diff, 30);
/// ```
#[derive(Debug, Clone)]
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
    /// The largest total number of positions of snapshots whose values are computed. The snapshot
    /// with which the present values are compared is computed in any case.
    pub max_derived_positions: u64,
    /// The snapshot with which the present values are compared; `None` for the last one that
    /// differs from the present state.
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
