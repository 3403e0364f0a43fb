//! The number of lines that leave a book, and their lengths.

use komadai_bookgraph::BookGraph;
use komadai_bookgraph::frontier::{Frontier, FrontierOptions, Window};
use komadai_core::{Color, Move};
use rayon::prelude::*;

use super::options::ReportOptions;

/// The size of a frontier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontierCount {
    /// The moves that the opponent may choose.
    pub window: Window,
    /// The side of the book; `None` if both sides choose by the same rule.
    pub side: Option<Color>,
    /// The width of the window, in centipawns.
    pub eval_diff: i32,
    /// The number of frontier positions.
    pub positions: usize,
    /// The number of positions of the book on the lines.
    pub visited: usize,
}

/// A frontier with the lengths of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontierShape {
    /// Its size.
    pub count: FrontierCount,
    /// The numbers of positions by the length of a shortest line to them, from length 0.
    pub lengths: Vec<u64>,
    /// The first of the longest of these lines.
    pub longest: Vec<Move>,
}

impl FrontierShape {
    /// The frontiers for all windows with the width of the options: first for both sides together,
    /// then for each side.
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
    /// The frontier sizes for all widths of the options, by window, side and width.
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
