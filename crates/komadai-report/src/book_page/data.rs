//! Everything that a report tells.

use komadai_core::Position;

use super::book_state::BookState;
use super::first_moves::FirstMove;
use super::frontier_size::FrontierCount;
use super::game_tally::GameTally;
use super::main_lines::MainLines;
use super::options::ReportOptions;
use super::value_depths::ValueDepths;
use super::working_data::WorkingData;
use komadai_book::WorkingBook;
use komadai_book::store::StoreError;
use komadai_bookgraph::BookGraph;
use komadai_bookgraph::frontier::Window;

/// Everything that a report tells about a book, in numbers. Values are for Black throughout.
///
/// # Examples
///
/// ```
/// use komadai_bookgraph::GraphBuilder;
/// use komadai_report::book_page::{ReportData, ReportOptions, write_report};
/// use komadai_core::Score;
/// use komadai_kifu::{Notation, Tolerance};
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
/// write_report(&mut page, &data, Notation::Japanese)?;
/// assert!(String::from_utf8(page)?.contains("▲２六歩"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReportData {
    /// What the book is called.
    pub title: String,
    /// Where lines begin.
    pub root: Position,
    /// Which moves of the opponent belong to the main lines.
    pub window: Window,
    /// How much worse such a move may be, in centipawns.
    pub eval_diff: i32,
    /// The book as it is.
    pub now: BookState,
    /// The sizes of the frontier for several widths of the window.
    pub frontier_steps: Vec<FrontierCount>,
    /// How far away that is on which values rest.
    pub depths: ValueDepths,
    /// The moves of the root, best first.
    pub first_moves: Vec<FirstMove>,
    /// The main lines of each side.
    pub lines: Vec<MainLines>,
    /// What only a working book knows.
    pub working: Option<WorkingData>,
}

impl ReportData {
    /// What a graph tells.
    ///
    /// Takes time proportional to the book, on all cores.
    #[must_use]
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

    /// What a working book tells: what its graph tells, and its past, its engines, its games.
    ///
    /// Goes through the log three times, and once more for each snapshot that is valued anew.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has no snapshot of the name asked for.
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
    /// Lets every position be watched of which results are told.
    fn watch(&self, tally: &mut GameTally) {
        tally.watch(&self.root);
        self.lines.iter().for_each(|lines| lines.watch(&self.root, tally));
    }

    fn fill_in(&mut self, options: &ReportOptions, tally: &GameTally) {
        self.first_moves.iter_mut().for_each(|first| first.fill_in(options, tally));
        self.lines.iter_mut().for_each(|lines| lines.fill_in(&options.root, tally));
    }
}
