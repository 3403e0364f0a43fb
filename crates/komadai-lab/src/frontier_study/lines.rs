//! The number of lines of a book, each transposition counted again.

use std::collections::HashMap;

use komadai::bookgraph::BookGraph;
use komadai::{Color, Position};

/// The moves that both sides may choose.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Players {
    /// Both sides choose any move within the window.
    BothFree,
    /// This side plays its best move, the other side any move within the window.
    BestOnly(Color),
}

/// Counts the lines, cut at each number of moves from 0: lines that have left the book before, and
/// lines that continue.
pub(crate) fn count(graph: &BookGraph, players: Players, eval_diff: i32, most: u32) -> Vec<f64> {
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
