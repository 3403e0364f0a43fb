//! The identity of a game, and whether it is test data.

use komadai::core::SplitMix64;
use komadai::prelude::*;

use crate::recorded_games::Game;

/// One game in this many is held out.
const HELD_OUT: u64 = 6;

impl Game {
    /// Returns a number that equal games share, whatever file they come from.
    pub(crate) fn hash(&self) -> u64 {
        let mix = |hash, m: &Move| {
            m.to_string().bytes().fold(hash, |hash, byte| SplitMix64::mix(hash ^ u64::from(byte)))
        };
        self.moves.iter().fold(self.start.key(), mix)
    }

    /// Returns true if the game is test data. Whole games are: positions of one game are too
    /// similar to test on.
    pub(crate) fn is_held_out(&self) -> bool {
        self.hash().is_multiple_of(HELD_OUT)
    }
}
