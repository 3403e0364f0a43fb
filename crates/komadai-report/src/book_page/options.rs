//! What a report is to tell.

use komadai_core::{Color, Position};

use komadai_bookgraph::frontier::Window;

/// What a report is to tell, and how much of it.
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
    /// What the book is called.
    pub title: String,
    /// Where lines begin.
    pub root: Position,
    /// Whose lines and frontiers are told.
    pub sides: Vec<Color>,
    /// Which moves of the opponent belong to the main lines.
    pub window: Window,
    /// How much worse such a move may be, in centipawns.
    pub eval_diff: i32,
    /// The widths of windows, in centipawns, for which the frontier is measured.
    pub eval_diff_steps: Vec<i32>,
    /// The most main lines of each side.
    pub max_lines: usize,
    /// The most moves of such a line; at most 500 are shown.
    pub max_line_plies: usize,
    /// The most rows of every table.
    pub max_rows: usize,
    /// The most snapshots that are told; the latest are.
    pub max_states: usize,
    /// The most positions of snapshots, all together, that are valued anew to be compared. The snapshot
    /// with which the values of now are compared is valued in any case.
    pub max_derived_positions: u64,
    /// The snapshot with which the values of now are compared; `None` for the last one that is not the
    /// state of now.
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
