//! The comparison of two frontiers.

use komadai_core::{Move, Position};

use super::frontier_set::are_equal;
use super::options::FrontierOptions;
use super::selected::{Frontier, FrontierPosition};
use crate::graph::{BookGraph, Value};
use crate::key_index::KeyIndex;

/// The changes of a book's frontier between two states of the book.
///
/// A position of the earlier frontier is kept, searched, or no longer reached because values on its
/// lines have changed. As everywhere on a frontier, positions with exchanged colours are different
/// ones.
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
/// // White's reply is better than the listed value suggested, so the other first move is now best.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FrontierDiff {
    /// The positions that only the later frontier contains, shortest lines first, with lines of the
    /// later book.
    pub new: Vec<FrontierPosition>,
    /// The positions of the earlier frontier that now have a value, with lines of the earlier book.
    pub searched: Vec<SearchedPosition>,
    /// The positions of the earlier frontier without a value that no line reaches any more, with
    /// lines of the earlier book.
    pub unreached: Vec<FrontierPosition>,
    /// The number of positions of both frontiers.
    pub kept: usize,
}

/// A position of the earlier frontier that has been searched since.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SearchedPosition {
    /// The position and its line in the earlier book.
    pub position: FrontierPosition,
    /// The propagated value for the side to move in the later book.
    pub value: Value,
    /// The best line of the later book from the position, up to 64 plies.
    pub best_line: Vec<Move>,
}

/// The maximal length of [`SearchedPosition::best_line`].
const LINE_PLIES: usize = 64;

impl FrontierDiff {
    /// Compares the frontiers of two states of a book.
    ///
    /// Ignores the budget of the options, because positions beyond a budget are no change. Takes
    /// the time to select both frontiers and to make every position of them once.
    pub fn between(earlier: &BookGraph, later: &BookGraph, options: &FrontierOptions) -> Self {
        // Positions beyond a budget would look like changes.
        let options = FrontierOptions { budget: None, ..options.clone() };
        let before = earlier.frontier(&options);
        let after = later.frontier(&options);
        let before = Members::of(&before);
        let after = Members::of(&after);
        let mut diff =
            Self { new: Vec::new(), searched: Vec::new(), unreached: Vec::new(), kept: 0 };
        for position in before.frontier.iter() {
            if after.contains(&position.position) {
                diff.kept += 1;
            } else if let Some(value) = later.value(&position.position) {
                let best_line = later.best_line(&position.position, LINE_PLIES);
                diff.searched.push(SearchedPosition { position, value, best_line });
            } else {
                diff.unreached.push(position);
            }
        }
        let positions = after.frontier.iter();
        diff.new.extend(positions.filter(|found| !before.contains(&found.position)));
        diff
    }
}

/// The positions of a frontier with an index.
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

    fn contains(&self, position: &Position) -> bool {
        let is_it = |number: u32| {
            let found = self.frontier.get(number as usize).position;
            found.side() == position.side() && are_equal(&found, position)
        };
        self.index.find(position.key(), is_it).is_some()
    }
}
