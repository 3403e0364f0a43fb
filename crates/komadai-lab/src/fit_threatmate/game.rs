//! A game, and its identity.

use komadai::core::SplitMix64;
use komadai::prelude::*;

/// One game in this many is held out.
const HELD_OUT: u64 = 6;

/// A start position and the moves played from it.
#[derive(Debug, Clone)]
pub(super) struct Game {
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
}

impl Game {
    /// Returns a number that equal games share, whatever file they come from.
    pub(super) fn hash(&self) -> u64 {
        let mix = |hash, m: &Move| {
            m.to_string().bytes().fold(hash, |hash, byte| SplitMix64::mix(hash ^ u64::from(byte)))
        };
        self.moves.iter().fold(self.start.key(), mix)
    }

    /// Returns true if the game is test data. Whole games are: positions of one game are too
    /// similar to test on.
    pub(super) fn is_held_out(&self) -> bool {
        self.hash().is_multiple_of(HELD_OUT)
    }
}
