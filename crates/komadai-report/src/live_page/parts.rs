//! The data that a live page shows.

use std::time::Duration;

use komadai_core::{Move, Position};

use crate::graph::{GraphPoint, SecondSeries};

/// A page about work in progress, written by `Display` as the content of an HTML `main` element.
///
/// All fields but the title may be empty. Texts are escaped. [`style`](Self::style) is the style
/// sheet that the parts need. The markup has no scripts and no `style` attributes, so that a strict
/// content security policy may forbid both. `komadai-live` serves such pages.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_report::{LiveBoard, LivePage, LiveProgress};
///
/// let board = LiveBoard::new("game 3", &Position::hirate());
/// let page = LivePage {
///     title: "A <1> vs B".to_owned(),
///     status: "running".to_owned(),
///     progress: Some(LiveProgress { done: 3, total: Some(200), ..LiveProgress::new("games") }),
///     figures: vec![("Elo".to_owned(), "+12 [−80, +104]".to_owned())],
///     boards: vec![board],
///     ..LivePage::default()
/// };
/// let html = page.to_string();
/// assert!(html.contains("A &lt;1&gt; vs B") && html.contains("3 of 200 games"));
/// ```
#[derive(Debug, Clone, Default)]
#[must_use = "a page does nothing until it is written"]
pub struct LivePage {
    /// The heading.
    pub title: String,
    /// The state of the work in a word or two, such as `running`.
    pub status: String,
    /// The amount of work done.
    pub progress: Option<LiveProgress>,
    /// Names and values of the most important figures.
    pub figures: Vec<(String, String)>,
    /// Boards, the most interesting first.
    pub boards: Vec<LiveBoard>,
    /// Tables.
    pub tables: Vec<LiveTable>,
    /// Remarks, the latest first.
    pub notes: Vec<String>,
}

/// The amount of work that is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveProgress {
    /// The number of things done, with those of earlier runs.
    pub done: u64,
    /// The number of things to be done in all; `None` if there is no end.
    pub total: Option<u64>,
    /// The things that are counted, such as `games`.
    pub unit: String,
    /// The number of things done in earlier runs.
    pub before: u64,
    /// The time since the start of this run.
    pub elapsed: Duration,
}

impl LiveProgress {
    /// No work done yet, without an end.
    pub fn new(unit: &str) -> Self {
        Self { done: 0, total: None, unit: unit.to_owned(), before: 0, elapsed: Duration::ZERO }
    }

    /// Returns the number of things done a second in this run; `None` before the first one.
    pub fn per_second(&self) -> Option<f64> {
        let done = self.done.saturating_sub(self.before);
        let seconds = self.elapsed.as_secs_f64();
        (done > 0 && seconds > 0.0).then(|| done as f64 / seconds)
    }

    /// Returns the time that the rest needs at the rate of this run; `None` if rate or end is
    /// unknown.
    pub fn left(&self) -> Option<Duration> {
        let rest = self.total?.saturating_sub(self.done) as f64;
        Duration::try_from_secs_f64(rest / self.per_second()?).ok()
    }
}

/// A board on a live page: a position with what a program thinks about it.
#[derive(Debug, Clone)]
pub struct LiveBoard {
    /// The heading.
    pub caption: String,
    /// The position.
    pub position: Position,
    /// The move that led to it.
    pub last_move: Option<Move>,
    /// The moves that are expected from it on. The first one is shown as an arrow.
    pub line: Vec<Move>,
    /// A remark on the position, such as its value, depth and nodes.
    pub remark: String,
    /// The values of the game so far, for its graph.
    pub values: Vec<GraphPoint>,
    /// A second series of values, such as those of the other player.
    pub second: Option<SecondSeries>,
}

impl LiveBoard {
    /// A board with a position, and the last of the moves that led to it.
    pub fn new(caption: &str, position: &Position) -> Self {
        Self {
            caption: caption.to_owned(),
            position: position.clone(),
            last_move: position.moves().last().flatten(),
            line: Vec::new(),
            remark: String::new(),
            values: Vec::new(),
            second: None,
        }
    }
}

/// A table on a live page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LiveTable {
    /// The heading.
    pub title: String,
    /// The headings of the columns. The first column is that of names, the others have numbers.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}
