//! The moves of a book with the number of games that played them.

use std::collections::HashMap;

use komadai_bookgraph::{BookGraph, PlayableMove};
use komadai_core::Position;

use crate::games::{GameWalk, KnownMoves, MoveKey};
use crate::run_error::RunError;
use crate::working_book::WorkingBook;

/// The moves of a book with their propagated values and the number of games in which its side
/// played them.
pub(super) struct PlayedMoves<'b> {
    graph: &'b BookGraph,
    games: HashMap<MoveKey, u32>,
}

impl WorkingBook {
    /// Returns the moves of the book with the number of games before a generation in which the
    /// book's side played them, inside the book or outside. Games of the generation itself do not
    /// count, so that an interrupted one continues as it began.
    pub(super) fn with_played_moves(&self, generation: u32) -> Result<PlayedMoves<'_>, RunError> {
        let mut games: HashMap<MoveKey, u32> = HashMap::new();
        for row in self.store().games()? {
            let (number, game) = row?;
            if game.generation < generation {
                let walk = GameWalk::new(&game, self.graph())
                    .map_err(|error| RunError::Game { number, error })?;
                for turn in walk.turns() {
                    *games.entry(turn.key).or_default() += 1;
                }
            }
        }
        Ok(PlayedMoves { graph: self.graph(), games })
    }
}

impl KnownMoves for PlayedMoves<'_> {
    fn known_moves(&self, position: &Position) -> Option<Vec<PlayableMove>> {
        let mut moves = self.graph.known_moves(position)?;
        for known in &mut moves {
            let key = MoveKey::of(position, known.m);
            known.games = key.and_then(|key| self.games.get(&key).copied()).unwrap_or(0);
        }
        Some(moves)
    }
}
