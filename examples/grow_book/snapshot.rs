//! The state of a book, to be compared with another.

use komadai::book::{EngineShare, Frontier, StoreError, Value, Window, WorkingBook};
use komadai::{Color, Move, Position};

use crate::options::Options;

/// The longest line shown.
const LONGEST_SHOWN: usize = 200;

/// What can be said about a book at one moment.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    /// The number of positions.
    pub positions: usize,
    /// The number of listed moves.
    pub moves: usize,
    /// Who has evaluated how much.
    pub engines: Vec<EngineShare>,
    /// The value of the start.
    pub root: Option<Value>,
    /// The frontiers, by window and side.
    pub frontiers: Vec<FrontierSize>,
    /// The line of best moves on both sides.
    pub best_line: Vec<Move>,
}

/// A frontier in numbers.
#[derive(Debug, Clone)]
pub(crate) struct FrontierSize {
    /// Through which window.
    pub window: Window,
    /// Whose book; `None` for both sides'.
    pub side: Option<Color>,
    /// The number of lines of each length.
    pub lengths: Vec<usize>,
    /// The longest line.
    pub longest: Vec<Move>,
}

impl FrontierSize {
    fn new(window: Window, side: Option<Color>, frontier: &Frontier) -> Self {
        let mut lengths = Vec::new();
        let mut longest = Vec::new();
        for found in frontier.iter() {
            let length = found.line.len();
            if lengths.len() <= length {
                lengths.resize(length + 1, 0);
            }
            lengths[length] += 1;
            if length > longest.len() {
                longest = found.line;
            }
        }
        Self { window, side, lengths, longest }
    }

    /// The number of positions.
    pub(crate) fn size(&self) -> usize {
        self.lengths.iter().sum()
    }
}

impl Snapshot {
    /// Takes the numbers.
    pub(crate) fn of(book: &WorkingBook, options: &Options) -> Result<Self, StoreError> {
        let values = book.graph();
        let start = Position::hirate();
        let size = |window, side: Option<Color>| {
            let options = options.frontier(side.unwrap_or(Color::Black), window);
            FrontierSize::new(window, side, &values.frontier(&options))
        };
        let mut frontiers = vec![size(Window::Free, None)];
        for &side in options.sides() {
            frontiers.push(size(Window::Best, Some(side)));
            frontiers.push(size(Window::Root, Some(side)));
        }
        Ok(Self {
            positions: values.positions(),
            moves: values.listed_moves(),
            engines: book.store().sources()?,
            root: values.value(&start),
            frontiers,
            best_line: values.best_line(&start, LONGEST_SHOWN),
        })
    }

    /// The number of evaluations of all moves.
    pub(crate) fn evaluations(&self) -> u64 {
        self.engines.iter().map(|engine| engine.evaluations).sum()
    }

    /// The frontier of one side's book through a window; of the window alone if that is free.
    pub(crate) fn frontier(&self, window: Window, side: Color) -> Option<&FrontierSize> {
        let is_it = |f: &&FrontierSize| f.window == window && f.side.is_none_or(|s| s == side);
        self.frontiers.iter().find(is_it)
    }
}
