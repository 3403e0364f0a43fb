//! How many lines there are, transpositions counted every time.

use std::collections::HashMap;

use komadai::bookgraph::BookGraph;
use komadai::{Color, Position};

/// How both sides choose.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Players {
    /// Both within the window.
    BothFree,
    /// This side plays its best move, the other within the window.
    BestOnly(Color),
}

/// The number of lines cut at each number of moves from 0: those that have left the book before, and those
/// that go on.
pub(crate) fn count(graph: &BookGraph, players: Players, eval_diff: i32, most: u32) -> Vec<f64> {
    let start = Position::hirate();
    let mut going = HashMap::from([(start.key(), (start, 1.0))]);
    let (mut ended, mut counts) = (0.0, vec![1.0]);
    for _ in 0..most {
        let mut next: HashMap<u64, (Position, f64)> = HashMap::new();
        for (position, lines) in going.values() {
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
        going = next;
        // Sums of whole numbers below 2^53 are exact; above, the order of additions hardly matters.
        counts.push(ended + going.values().map(|(_, lines)| lines).sum::<f64>());
    }
    counts
}
