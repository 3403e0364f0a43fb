//! The state of a book at one time, in numbers.

use komadai_bookgraph::BookGraph;
use komadai_core::{Move, Score};

use super::for_black::for_black;
use super::frontier_size::FrontierShape;
use super::options::ReportOptions;

/// The state of a book at one time, in numbers. Numbers that are unknown for a past state are
/// `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BookState {
    /// The name of the snapshot; empty for the present state.
    pub name: String,
    /// The time in seconds since the start of 1970 (UTC); 0 if unknown.
    pub when: u64,
    /// The round of growing and pruning.
    pub generation: Option<u32>,
    /// The number of positions.
    pub positions: u64,
    /// The number of positions that have a value.
    pub valued: Option<u64>,
    /// The number of listed moves.
    pub moves: Option<u64>,
    /// The number of evaluations of moves ever made; `None` for a book that keeps only one of each.
    pub evaluations: Option<u64>,
    /// The value of the root for Black.
    pub root: Option<Score>,
    /// The line from the root under best play of both sides.
    pub best_line: Vec<Move>,
    /// The frontiers, by window and side; none if the book does not hold the root.
    pub frontiers: Vec<FrontierShape>,
}

impl BookState {
    /// The state of a graph. Takes time proportional to the book if windows are wide.
    pub fn of(graph: &BookGraph, options: &ReportOptions) -> Self {
        let root = graph.value(&options.root);
        let frontiers = match graph.contains(&options.root) {
            true => FrontierShape::all(graph, options),
            false => Vec::new(),
        };
        Self {
            positions: graph.positions() as u64,
            valued: Some(graph.len() as u64),
            moves: Some(graph.listed_moves() as u64),
            root: root.map(|value| for_black(value.score, options.root.side())),
            best_line: graph.best_line(&options.root, options.max_line_plies),
            frontiers,
            ..Self::default()
        }
    }
}
