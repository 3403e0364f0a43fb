//! The positions selected, in order.

use komadai_core::{Move, Position, Score};

use super::frontier_set::{Exit, Outside, Reason, Steps};
use super::options::BookSides;

/// The positions at which lines leave the book.
///
/// Only what is needed to find a position again is kept; [`iter`](Self::iter) makes them one by one.
#[derive(Debug, Clone)]
pub struct Frontier {
    roots: Vec<Position>,
    steps: Steps,
    exits: Vec<Exit>,
    /// One per exit, where positions were ordered by them.
    prices: Vec<f64>,
    /// One per exit, where positions were ordered by them.
    probabilities: Vec<f64>,
    visited: usize,
}

/// A position outside the book, the way there, and why it was selected.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FrontierPosition {
    /// The position, with the whole line as its history.
    pub position: Position,
    /// A line from the root: a shortest or a cheapest one, as the order has it; by probability, one that
    /// comes to each of its positions from where most games come.
    pub line: Vec<Move>,
    /// The number of the root among those of the options.
    pub root: usize,
    /// Whose books need it.
    pub sides: BookSides,
    /// How the line leaves the book.
    pub reason: Reason,
    /// What the last move is worth for the side that makes it, if the book has a value.
    pub score: Option<Score>,
    /// How much worse than the best the moves of the line are, in centipawns, added up. Moves of which
    /// the book has no value count 0.
    pub drops_cp: u32,
    /// The price of the line, in plies, if positions were ordered by it.
    pub price: Option<f64>,
    /// The probability that a game reaches the position, if positions were ordered by it.
    pub probability: Option<f64>,
}

/// By what positions are ordered.
#[derive(Debug)]
pub(super) enum Sorted {
    /// The shortest line first.
    Length,
    /// The cheapest line first, by a price for each exit.
    Price(Vec<f64>),
    /// The most probable first, by a probability for each exit.
    Probability(Vec<f64>),
}

impl Frontier {
    /// Sorts what walks have found, and keeps what the budget allows. Equal ones stay in the order in
    /// which they were found.
    pub(super) fn new(outside: Outside<'_>, visited: usize, sorted: Sorted) -> Self {
        let Outside { options, steps, exits, .. } = outside;
        let mut order: Vec<u32> = (0..exits.len() as u32).collect();
        let by = |keys: &[f64], one: u32, other: u32| {
            keys[one as usize].total_cmp(&keys[other as usize])
        };
        match &sorted {
            Sorted::Length => order.sort_by_key(|&exit| exits[exit as usize].plies),
            Sorted::Price(prices) => order.sort_by(|&one, &other| by(prices, one, other)),
            Sorted::Probability(chances) => order.sort_by(|&one, &other| by(chances, other, one)),
        }
        order.truncate(options.budget.unwrap_or(usize::MAX));
        let in_order = |keys: Vec<f64>| order.iter().map(|&exit| keys[exit as usize]).collect();
        let exits = order.iter().map(|&exit| exits[exit as usize]).collect();
        let (prices, probabilities) = match sorted {
            Sorted::Length => (Vec::new(), Vec::new()),
            Sorted::Price(prices) => (in_order(prices), Vec::new()),
            Sorted::Probability(chances) => (Vec::new(), in_order(chances)),
        };
        Self { roots: options.roots.clone(), steps, exits, prices, probabilities, visited }
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.exits.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.exits.is_empty()
    }

    /// The number of states of the book that were visited: positions with the side really to move. The
    /// walks for two sides, or from roots of different values, count each for itself.
    #[must_use]
    pub fn visited(&self) -> usize {
        self.visited
    }

    /// The positions, first to last.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = FrontierPosition> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// The lengths of the lines, in plies, first to last; faster than making the positions.
    pub fn line_lengths(&self) -> impl ExactSizeIterator<Item = u32> {
        self.exits.iter().map(|exit| exit.plies)
    }

    /// The position with this number, less than [`len`](Self::len).
    pub(super) fn get(&self, number: usize) -> FrontierPosition {
        let mut found = self.exits[number].position(&self.steps, &self.roots);
        found.price = self.prices.get(number).copied();
        found.probability = self.probabilities.get(number).copied();
        found
    }
}

impl Exit {
    /// What its users see of a position outside.
    pub(super) fn position(&self, steps: &Steps, roots: &[Position]) -> FrontierPosition {
        let (root, line) = steps.line_to(self.step);
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
