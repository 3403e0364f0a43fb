//! The data of a report.

use komadai_book::WorkingBook;
use komadai_book::store::StoreError;
use komadai_bookgraph::BookGraph;
use komadai_bookgraph::frontier::Window;
use komadai_core::Position;

use super::book_state::BookState;
use super::first_moves::FirstMove;
use super::frontier_size::FrontierCount;
use super::game_tally::GameTally;
use super::main_lines::MainLines;
use super::options::ReportOptions;
use super::value_depths::ValueDepths;
use super::working_data::WorkingData;

/// All data of a report about a book. All values are from the point of view of Black.
///
/// # Examples
///
/// ```
/// use komadai_bookgraph::GraphBuilder;
/// use komadai_report::book_page::{PageLook, ReportData, ReportOptions, write_report};
/// use komadai_core::{Language, Score};
/// use komadai_kifu::Tolerance;
///
/// let text = "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     2g2f none 40 1\n\
///     7g7f none 20 1\n";
/// let mut builder = GraphBuilder::new();
/// builder.read_db(text.as_bytes(), Tolerance::Strict)?;
/// let graph = builder.finish()?;
/// let data = ReportData::of_graph(&graph, &ReportOptions::default());
/// assert_eq!(data.now.root, Some(Score::cp(40)));
/// let mut page = Vec::new();
/// write_report(&mut page, &data, &PageLook::new(Language::Japanese))?;
/// assert!(String::from_utf8(page)?.contains("▲２六歩"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ReportData {
    /// The name of the book.
    pub title: String,
    /// The start position of all lines.
    pub root: Position,
    /// The moves of the opponent that belong to the main lines.
    pub window: Window,
    /// The width of the window of these moves, in centipawns.
    pub eval_diff: i32,
    /// The present state of the book.
    pub now: BookState,
    /// The sizes of the frontier for several widths of the window.
    pub frontier_steps: Vec<FrontierCount>,
    /// The numbers of positions by the distance of the leaves that decide their values.
    pub depths: ValueDepths,
    /// The moves of the root, best first.
    pub first_moves: Vec<FirstMove>,
    /// The main lines of each side.
    pub lines: Vec<MainLines>,
    /// The data of a working book; `None` for a graph.
    pub working: Option<WorkingData>,
}

impl ReportData {
    /// Gathers the data of a graph.
    ///
    /// Takes time proportional to the book, on all cores.
    pub fn of_graph(graph: &BookGraph, options: &ReportOptions) -> Self {
        let lines = options.sides.iter().map(|&side| MainLines::of(graph, side, options));
        Self {
            title: options.title.clone(),
            root: options.root.clone(),
            window: options.window,
            eval_diff: options.eval_diff,
            now: BookState::of(graph, options),
            frontier_steps: FrontierCount::steps(graph, options),
            depths: ValueDepths::of(graph),
            first_moves: FirstMove::all(graph, options),
            lines: lines.collect(),
            working: None,
        }
    }

    /// Gathers the data of a working book: of its graph, its history, its engines and its games.
    ///
    /// Reads the log three times, and once more for each snapshot whose values are computed.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or has no snapshot with the requested name.
    pub fn of_working_book(
        book: &WorkingBook,
        options: &ReportOptions,
    ) -> Result<Self, StoreError> {
        let mut data = Self::of_graph(book.graph(), options);
        let mut tally = GameTally::default();
        data.watch(&mut tally);
        let working = WorkingData::gather(book.store(), book.graph(), options, &mut tally)?;
        data.fill_in(options, &tally);
        data.now.evaluations = Some(working.evaluations);
        data.working = Some(working);
        Ok(data)
    }
}

impl ReportData {
    /// Registers all positions whose results are reported.
    fn watch(&self, tally: &mut GameTally) {
        tally.watch(&self.root);
        self.lines.iter().for_each(|lines| lines.watch(&self.root, tally));
    }

    fn fill_in(&mut self, options: &ReportOptions, tally: &GameTally) {
        self.first_moves.iter_mut().for_each(|first| first.fill_in(options, tally));
        self.lines.iter_mut().for_each(|lines| lines.fill_in(&options.root, tally));
    }
}
