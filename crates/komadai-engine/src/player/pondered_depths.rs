//! The depths at which searches after pondering continue.

use komadai_core::Position;

/// The depths that pondering on several replies has reached in the positions after them.
///
/// A search of one of them continues there, whichever of the replies is played: its results are in
/// the transposition table.
#[derive(Debug, Default)]
pub(super) struct PonderedDepths(Vec<(u64, u32)>);

impl PonderedDepths {
    /// Records that a search of a position has reached a depth, in plies.
    pub(super) fn record(&mut self, position: &Position, depth: u32) {
        let key = position.key();
        match self.0.iter_mut().find(|(known, _)| *known == key) {
            Some((_, reached)) => *reached = depth.max(*reached),
            None => self.0.push((key, depth)),
        }
    }

    /// Returns the depth of the first iteration of a search, or 0 for a position that has not been
    /// pondered on.
    pub(super) fn first_depth(&self, position: &Position) -> u32 {
        let found = self.0.iter().find(|(key, _)| *key == position.key());
        found.map_or(0, |&(_, depth)| depth.saturating_add(1))
    }

    /// Forgets all positions but this one: the game goes on with it, and the others may come again
    /// much later only, as repetitions.
    pub(super) fn retain(&mut self, position: &Position) {
        self.0.retain(|(key, _)| *key == position.key());
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
