//! Expected values of positions that were selected for analysis.

use std::collections::HashMap;

use komadai::Position;
use komadai::bookfile::position_key::shared_zobrist_key;
use komadai::bookgraph::{BookGraph, Expectation};

/// The expected values of selected positions, by the key that both orientations share: the store may return
/// a job's position in the other orientation.
#[derive(Debug, Default)]
pub(super) struct Expectations(HashMap<u64, Expectation>);

impl Expectations {
    /// Stores the expected values of the first `2 * most` selected positions.
    pub(super) fn note(&mut self, graph: &BookGraph, selected: &[Position], most: usize) {
        // Twice as many as are taken, as positions that are already queued are skipped.
        for position in selected.iter().take(most.saturating_mul(2)) {
            if let Some(expected) = graph.expectation(position) {
                self.0.insert(shared_zobrist_key(position), expected);
            }
        }
    }

    /// Removes and returns the expected value of a position.
    pub(super) fn take(&mut self, position: &Position) -> Option<Expectation> {
        self.0.remove(&shared_zobrist_key(position))
    }
}
