//! The selected frontier positions, in order.

use komadai_core::{Move, Position, Score};

use super::cuts::Cuts;
use super::frontier_set::{FrontierEntry, FrontierSet, Reason};
use super::line_tree::LineTree;
use super::options::BookSides;

/// The positions at which lines leave the book.
///
/// Stores only lines and roots; [`iter`](Self::iter) makes the positions one by one.
#[derive(Debug, Clone)]
pub struct Frontier {
    roots: Vec<Position>,
    line_tree: LineTree,
    entries: Vec<FrontierEntry>,
    /// One price per entry, if positions are ordered by them.
    prices: Vec<f64>,
    /// One probability per entry, if positions are ordered by them.
    probabilities: Vec<f64>,
    visited: usize,
    unheld: usize,
    cuts: Cuts,
}

/// A position outside the book, its line, and the reason for its selection.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FrontierPosition {
    /// The position, with the whole line as its history.
    pub position: Position,
    /// A line from the root: a shortest or a cheapest one, according to the order. In an order by
    /// probability, each move of it is the most probable one to the position after it.
    pub line: Vec<Move>,
    /// The number of the root among those of the options.
    pub root: usize,
    /// The sides whose books need the position.
    pub sides: BookSides,
    /// The reason for the selection: the kind of the last move.
    pub reason: Reason,
    /// The value of the last move for the side that makes it, if the book has one.
    pub score: Option<Score>,
    /// The sum of the distances of the moves of the line from the best moves, in centipawns. Moves
    /// without a value count 0.
    pub drops_cp: u32,
    /// The price of the line, in plies, if positions were ordered by it.
    pub price: Option<f64>,
    /// The probability that a game reaches the position, if positions were ordered by it.
    pub probability: Option<f64>,
}

impl FrontierPosition {
    /// The number of moves from the root to the position.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookfile::{BookRecord, RecordMove};
    /// use komadai_bookgraph::BookGraph;
    /// use komadai_bookgraph::frontier::{FrontierOptions, Window};
    /// use komadai_core::{Color, Position, Score};
    ///
    /// let start = Position::hirate();
    /// let first = RecordMove { score: Some(Score::ZERO), ..RecordMove::new("7g7f".parse()?) };
    /// let moves = vec![first];
    /// let book = BookGraph::from_records([BookRecord { moves, ..BookRecord::new(start.clone()) }])?;
    /// let frontier = book.frontier(&FrontierOptions::new(start, Color::Black, Window::Best));
    /// assert!(!frontier.is_empty() && frontier.iter().all(|found| found.ply() == 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ply(&self) -> usize {
        self.line.len()
    }
}

impl Frontier {
    /// Sorts the positions that walks have found, and truncates them to the budget. Equal ones stay
    /// in the order in which they were found.
    ///
    /// Either `prices` or `probabilities` may have a number for each entry: then the cheapest or
    /// the most probable position comes first, and otherwise that with the shortest line.
    pub(super) fn new(
        set: FrontierSet<'_>,
        visited: usize,
        prices: &[f64],
        probabilities: &[f64],
    ) -> Self {
        let unheld = set.unheld();
        let FrontierSet { options, line_tree, entries, mut cuts, .. } = set;
        let key = |entry: usize| match (prices.get(entry), probabilities.get(entry)) {
            (Some(&price), _) => price,
            (None, Some(&probability)) => -probability,
            (None, None) => entries[entry].plies.into(),
        };
        let mut order: Vec<u32> = (0..entries.len() as u32).collect();
        order.sort_by(|&one, &other| key(one as usize).total_cmp(&key(other as usize)));
        cuts.beyond_budget = order.len() - order.len().min(options.budget.unwrap_or(usize::MAX));
        order.truncate(options.budget.unwrap_or(usize::MAX));
        let sorted = |keys: &[f64]| {
            order.iter().filter_map(|&entry| keys.get(entry as usize).copied()).collect()
        };
        let (prices, probabilities) = (sorted(prices), sorted(probabilities));
        let entries = order.iter().map(|&entry| entries[entry as usize]).collect();
        let roots = options.roots.clone();
        Self { roots, line_tree, entries, prices, probabilities, visited, unheld, cuts }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of states of the book that were visited: positions with the side to move in the
    /// real game. The walks for two sides, or from roots of different values, are counted
    /// separately.
    pub fn visited(&self) -> usize {
        self.visited
    }

    /// The number of positions at which lines leave the book, but which a book [cannot hold]. They
    /// are passed over.
    ///
    /// [cannot hold]: komadai_bookfile::position_key::leads_out
    pub fn unheld(&self) -> usize {
        self.unheld
    }

    /// The places where lines ended without a position.
    pub fn cuts(&self) -> Cuts {
        self.cuts
    }

    /// The positions, first to last.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = FrontierPosition> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// The position with this number, less than [`len`](Self::len).
    pub(super) fn get(&self, number: usize) -> FrontierPosition {
        let mut found = self.entries[number].position(&self.line_tree, &self.roots);
        found.price = self.prices.get(number).copied();
        found.probability = self.probabilities.get(number).copied();
        found
    }
}

impl FrontierEntry {
    /// Makes the public form of a frontier position.
    pub(super) fn position(&self, line_tree: &LineTree, roots: &[Position]) -> FrontierPosition {
        let (root, line) = line_tree.line_to(self.line_end);
        let mut position = roots[root as usize].clone();
        line.iter().for_each(|&m| position.do_move(m));
        FrontierPosition {
            position,
            line,
            root: root as usize,
            sides: self.sides,
            reason: self.reason,
            score: self.score.map(|score| Score::from_raw(score.into())),
            drops_cp: self.drops_cp,
            price: None,
            probability: None,
        }
    }
}
