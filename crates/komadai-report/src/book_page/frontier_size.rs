//! How many lines leave a book, and after how many moves.

use komadai_core::{Color, Move};
use rayon::prelude::*;

use super::options::ReportOptions;
use komadai_bookgraph::BookGraph;
use komadai_bookgraph::frontier::{Frontier, FrontierOptions, Window};

/// The size of a frontier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrontierCount {
    /// Which moves the opponent may choose.
    pub window: Window,
    /// Whose book it is; `None` where both sides choose by the same rule.
    pub side: Option<Color>,
    /// How much worse a move in the window may be, in centipawns.
    pub eval_diff: i32,
    /// The number of positions outside the book at which lines arrive.
    pub positions: usize,
    /// The number of positions of the book that lines come through.
    pub visited: usize,
}

/// A frontier in more detail.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrontierShape {
    /// Its size.
    pub count: FrontierCount,
    /// The number of positions by the number of moves of a shortest line to them: the first is that of
    /// lines without a move.
    pub lengths: Vec<u64>,
    /// The first of the longest of these lines.
    pub longest: Vec<Move>,
}

impl FrontierShape {
    /// The frontiers through every window, with the window's width of the options: of both sides
    /// together first, then of each side.
    pub(super) fn all(graph: &BookGraph, options: &ReportOptions) -> Vec<Self> {
        let sides = options.sides.iter().map(|&side| Some(side));
        let by_side = sides.flat_map(|side| [(Window::Best, side), (Window::Root, side)]);
        let wanted: Vec<_> = std::iter::once((Window::Free, None)).chain(by_side).collect();
        let shape = |(window, side)| {
            let (count, frontier) = select(graph, options, window, side, options.eval_diff);
            Self::new(count, &frontier)
        };
        wanted.into_par_iter().map(shape).collect()
    }

    fn new(count: FrontierCount, frontier: &Frontier) -> Self {
        let (mut lengths, mut longest) = (Vec::new(), Vec::new());
        for line in frontier.iter().map(|found| found.line) {
            if lengths.len() <= line.len() {
                lengths.resize(line.len() + 1, 0);
            }
            lengths[line.len()] += 1;
            if line.len() > longest.len() {
                longest = line;
            }
        }
        Self { count, lengths, longest }
    }
}

impl FrontierCount {
    /// The frontiers of each side for every width of the options' steps, by window, side and width.
    pub(super) fn steps(graph: &BookGraph, options: &ReportOptions) -> Vec<Self> {
        let mut wanted = Vec::new();
        for window in [Window::Best, Window::Root] {
            for &side in &options.sides {
                wanted.extend(options.eval_diff_steps.iter().map(|&diff| (window, side, diff)));
            }
        }
        let count = |(window, side, diff)| select(graph, options, window, Some(side), diff).0;
        wanted.into_par_iter().map(count).collect()
    }
}

fn select(
    graph: &BookGraph,
    options: &ReportOptions,
    window: Window,
    side: Option<Color>,
    eval_diff: i32,
) -> (FrontierCount, Frontier) {
    let whose = side.unwrap_or(Color::Black);
    let wanted =
        FrontierOptions { eval_diff, ..FrontierOptions::new(options.root.clone(), whose, window) };
    let frontier = graph.frontier(&wanted);
    let (positions, visited) = (frontier.len(), frontier.visited());
    (FrontierCount { window, side, eval_diff, positions, visited }, frontier)
}
