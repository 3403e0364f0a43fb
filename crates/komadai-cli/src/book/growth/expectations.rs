//! Expected values of positions that were selected for analysis.

use std::collections::HashMap;

use komadai::bookgraph::BookGraph;
use komadai::{Position, Score};

/// The expected values of selected positions, by position.
#[derive(Debug, Default)]
pub(super) struct Expectations(HashMap<u64, Expected>);

/// The value that a book expected of a position.
#[derive(Debug)]
pub(super) struct Expected {
    /// The value for the side to move in the position.
    pub(super) score: Score,
    /// The position before as SFEN, and the move that leads to the position.
    pub(super) sfen_and_move: String,
}

impl Expectations {
    /// Stores the expected values of the first `2 * most` selected positions: the values of the moves that
    /// lead to them. A position in which no move was played has none.
    pub(super) fn note(&mut self, graph: &BookGraph, selected: &[Position], most: usize) {
        let start = Position::hirate().ply();
        // Twice as many as are taken, as positions that are already queued are skipped.
        for position in selected.iter().take(most.saturating_mul(2)) {
            if position.ply() == start {
                continue;
            }
            let mut before = position.clone();
            let Some(m) = before.undo_move() else { continue };
            let moves = graph.moves(&before);
            let Some(listed) = moves.iter().find(|listed| listed.m == m) else { continue };
            let score = -listed.value.score;
            let expected = Expected { score, sfen_and_move: format!("{before} {m}") };
            self.0.insert(turned_key(position), expected);
        }
    }

    /// Removes and returns the expected value of a position.
    pub(super) fn take(&mut self, position: &Position) -> Option<Expected> {
        self.0.remove(&turned_key(position))
    }
}

/// Returns a key that is the same for a position and for the position turned by 180 degrees with exchanged
/// colours: the store may return a job's position in the other orientation.
fn turned_key(position: &Position) -> u64 {
    let setup = position.to_setup();
    let flipped = Position::from_setup(&setup.flipped()).map(|turned| turned.key());
    flipped.map_or(position.key(), |key| key.min(position.key()))
}
