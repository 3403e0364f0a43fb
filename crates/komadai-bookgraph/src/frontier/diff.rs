//! What became of a frontier.

use komadai_core::{Move, Position};

use super::frontier_set::are_equal;
use super::options::FrontierOptions;
use super::selected::{Frontier, FrontierPosition};
use crate::graph::{BookGraph, Value};
use crate::key_index::KeyIndex;

/// What is new on a book's frontier, and what has left it, from one state of the book to a later one.
///
/// A position of the earlier frontier has been kept, searched, or lost: lines in the window no longer
/// lead there, as values have changed on the way. Of which side is really to move, positions keep track
/// as everywhere on a frontier.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookRecord, RecordMove};
/// use komadai_bookgraph::GraphBuilder;
/// use komadai_bookgraph::frontier::{FrontierDiff, FrontierOptions, Window};
/// use komadai_core::{Color, Position, Score};
///
/// let start = Position::hirate();
/// let record = |position: &Position, moves: &[(&str, i32)]| {
///     let mut record = BookRecord::new(position.without_history());
///     record.moves.extend(moves.iter().map(|&(m, cp)| RecordMove {
///         score: Some(Score::cp(cp)),
///         ..RecordMove::new(m.parse().expect("a move"))
///     }));
///     record
/// };
/// let first = record(&start, &[("2g2f", 40), ("7g7f", 20)]);
/// // White's answer is better than it seemed, so that the other first move is the better one.
/// let second = record(&start.after("2g2f".parse()?), &[("8c8d", 0)]);
/// let book = |records: &[BookRecord]| {
///     let mut builder = GraphBuilder::new();
///     builder.add_all(records)?;
///     builder.finish()
/// };
/// let earlier = book(&[first.clone()])?;
/// let later = book(&[first, second])?;
///
/// let options = FrontierOptions::new(start, Color::Black, Window::Best);
/// let diff = FrontierDiff::between(&earlier, &later, &options);
/// assert_eq!(diff.new[0].line, ["7g7f".parse()?]);
/// assert_eq!(diff.searched[0].position.line, ["2g2f".parse()?]);
/// assert_eq!(diff.searched[0].best_line, ["8c8d".parse()?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FrontierDiff {
    /// The positions that only the later frontier has, those with the shortest lines first, with lines
    /// of the later book.
    pub new: Vec<FrontierPosition>,
    /// The positions of the earlier frontier that now have a value, with lines of the earlier book.
    pub searched: Vec<SearchedPosition>,
    /// The positions of the earlier frontier that still have no value, and to which no line leads any
    /// more; with lines of the earlier book.
    pub unreached: Vec<FrontierPosition>,
    /// How many positions both have.
    pub kept: usize,
}

/// A position that was on a frontier, and what has been found there since.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SearchedPosition {
    /// The position, and how it was reached then.
    pub position: FrontierPosition,
    /// Its value for the side to move, which follows from all of the later book.
    pub value: Value,
    /// How the later book goes on from it with best moves, as far as 64 plies.
    pub best_line: Vec<Move>,
}

/// The most moves of a line that is told.
const LINE_PLIES: usize = 64;

impl FrontierDiff {
    /// Compares the frontiers of two states of a book.
    ///
    /// A budget is not used: what it cuts off is no change. Takes the time of both frontiers, and to
    /// make every position of them once.
    #[must_use]
    pub fn between(earlier: &BookGraph, later: &BookGraph, options: &FrontierOptions) -> Self {
        let options = FrontierOptions { budget: None, ..options.clone() };
        let (before, after) = (earlier.frontier(&options), later.frontier(&options));
        let (before, after) = (Members::of(&before), Members::of(&after));
        let mut diff =
            Self { new: Vec::new(), searched: Vec::new(), unreached: Vec::new(), kept: 0 };
        for position in before.frontier.iter() {
            if after.contain(&position.position) {
                diff.kept += 1;
            } else if let Some(value) = later.value(&position.position) {
                let best_line = later.best_line(&position.position, LINE_PLIES);
                diff.searched.push(SearchedPosition { position, value, best_line });
            } else {
                diff.unreached.push(position);
            }
        }
        let positions = after.frontier.iter();
        diff.new.extend(positions.filter(|found| !before.contain(&found.position)));
        diff
    }
}

/// The positions of a frontier, to be found.
struct Members<'f> {
    frontier: &'f Frontier,
    index: KeyIndex,
}

impl<'f> Members<'f> {
    fn of(frontier: &'f Frontier) -> Self {
        let mut index = KeyIndex::with_room(frontier.len());
        for (number, found) in (0..).zip(frontier.iter()) {
            index.insert(found.position.key(), number);
        }
        Self { frontier, index }
    }

    fn contain(&self, position: &Position) -> bool {
        let is_it = |number: u32| {
            let found = self.frontier.get(number as usize).position;
            found.side() == position.side() && are_equal(&found, position)
        };
        self.index.find(position.key(), is_it).is_some()
    }
}
