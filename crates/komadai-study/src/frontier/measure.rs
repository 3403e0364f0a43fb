//! The counts of a book.

use std::collections::HashMap;

use komadai::bookgraph::BookGraph;
use komadai::bookgraph::frontier::{BookSides, FrontierOptions, OwnMoves, Window};
use komadai::{Color, Position};

/// The widths of windows, in centipawns.
pub const EVAL_DIFFS: [i32; 6] = [0, 5, 10, 20, 30, 50];

/// Move numbers up to which positions are counted.
const MAX_PLIES: [u32; 16] = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48, 64];

/// All counts of one book.
#[derive(Debug)]
pub struct Study {
    /// The name of the book.
    pub name: String,
    /// Number of positions with values.
    pub positions: usize,
    /// Number of moves.
    pub moves: usize,
    /// Width of the windows of `plies`, in centipawns.
    pub eval_diff: i32,
    /// The counts of each rule by width.
    pub widths: Vec<RuleCounts>,
    /// The counts by move number.
    pub plies: Vec<PlyCounts>,
}

/// A frontier rule.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The moves of the opponent that are followed.
    pub window: Window,
    /// The side whose book is made.
    pub side: BookSides,
    /// The moves of that side that are followed.
    pub own_moves: OwnMoves,
}

/// The number of positions that a rule selects.
#[derive(Debug, Clone, Copy)]
pub struct Count {
    /// Number of positions to search next.
    pub frontier: usize,
    /// Number of book positions visited.
    pub visited: usize,
}

/// The counts of a rule at each of the [`EVAL_DIFFS`].
#[derive(Debug)]
pub struct RuleCounts {
    /// The rule.
    pub rule: Rule,
    /// One for each width.
    pub counts: Vec<Count>,
}

/// The counts up to a move number.
#[derive(Debug)]
pub struct PlyCounts {
    /// The move number.
    pub max_ply: u32,
    /// Positions with a window for both sides.
    pub free: usize,
    /// Positions with only the best move of the own side: Black's, White's.
    pub best: [usize; 2],
    /// Lines up to the move number, each transposition counted again.
    pub free_lines: f64,
    /// Lines with only the best move of the own side: Black's, White's.
    pub best_lines: [f64; 2],
}

impl Study {
    /// Counts the positions and lines of a book.
    pub fn of(name: &str, graph: &BookGraph, eval_diff: i32) -> Self {
        let widths = rules().map(|rule| {
            let counts = EVAL_DIFFS.iter().map(|&diff| count(graph, rule, diff, None)).collect();
            RuleCounts { rule, counts }
        });
        Self {
            name: name.to_owned(),
            positions: graph.len(),
            moves: graph.listed_moves(),
            eval_diff,
            widths: widths.collect(),
            plies: plies(graph, eval_diff),
        }
    }
}

/// Returns all rules. The free window has no own side.
fn rules() -> impl Iterator<Item = Rule> {
    let free = Rule { window: Window::Free, side: BookSides::Both, own_moves: OwnMoves::First };
    let sided = [Window::Best, Window::Root].into_iter().flat_map(|window| {
        [OwnMoves::First, OwnMoves::AllBest].into_iter().flat_map(move |own_moves| {
            [BookSides::Black, BookSides::White].map(|side| Rule { window, side, own_moves })
        })
    });
    std::iter::once(free).chain(sided)
}

fn count(graph: &BookGraph, rule: Rule, eval_diff: i32, max_ply: Option<u32>) -> Count {
    let Rule { window, side, own_moves } = rule;
    let options = FrontierOptions {
        eval_diff,
        own_moves,
        max_ply,
        ..FrontierOptions::new(Position::hirate(), side, window)
    };
    let frontier = graph.frontier(&options);
    Count { frontier: frontier.len(), visited: frontier.visited() }
}

/// Counts by move number, up to the first that adds no position.
fn plies(graph: &BookGraph, eval_diff: i32) -> Vec<PlyCounts> {
    let visited = |window, side, max_ply| {
        let rule = Rule { window, side, own_moves: OwnMoves::First };
        count(graph, rule, eval_diff, Some(max_ply)).visited
    };
    let most = MAX_PLIES[MAX_PLIES.len() - 1] - 1;
    let lines_of = |players| count_lines(graph, players, eval_diff, most);
    let free_lines = lines_of(Players::BothFree);
    let best_lines = Color::ALL.map(|side| lines_of(Players::BestOnly(side)));
    let mut counts: Vec<PlyCounts> = Vec::new();
    for max_ply in MAX_PLIES {
        let free = visited(Window::Free, BookSides::Both, max_ply);
        if counts.last().is_some_and(|last| last.free == free) {
            break;
        }
        let best = Color::ALL.map(|side| visited(Window::Best, side.into(), max_ply));
        // The start has the move number 1.
        let moves = max_ply as usize - 1;
        counts.push(PlyCounts {
            max_ply,
            free,
            best,
            free_lines: free_lines[moves],
            best_lines: [best_lines[0][moves], best_lines[1][moves]],
        });
    }
    counts
}

/// The moves that both sides may choose.
#[derive(Debug, Clone, Copy)]
enum Players {
    /// Both sides choose any move within the window.
    BothFree,
    /// This side plays its best move, the other side any move within the window.
    BestOnly(Color),
}

/// Counts the lines, cut at each number of moves from 0: lines that have left the book before, and
/// lines that continue.
fn count_lines(graph: &BookGraph, players: Players, eval_diff: i32, most: u32) -> Vec<f64> {
    let start = Position::hirate();
    let mut open = HashMap::from([(start.key(), (start, 1.0))]);
    let (mut ended, mut counts) = (0.0, vec![1.0]);
    for _ in 0..most {
        let mut next: HashMap<u64, (Position, f64)> = HashMap::new();
        for (position, lines) in open.values() {
            let moves = graph.moves(position);
            let Some(first) = moves.first() else {
                ended += lines;
                continue;
            };
            let least = first.value.score.raw() - eval_diff;
            let within = moves.iter().take_while(|m| m.value.score.raw() >= least).count();
            let followed = match players {
                Players::BestOnly(side) if side == position.side() => 1,
                _ => within,
            };
            for m in &moves[..followed] {
                if m.leaves_book {
                    ended += lines;
                    continue;
                }
                let after = position.after(m.m).without_history();
                next.entry(after.key()).or_insert((after, 0.0)).1 += lines;
            }
        }
        open = next;
        // Sums of whole numbers below 2^53 are exact. Above, the random order of the map changes
        // the last digits only.
        counts.push(ended + open.values().map(|(_, lines)| lines).sum::<f64>());
    }
    counts
}
