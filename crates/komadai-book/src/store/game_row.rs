//! Rows of the table of games.

use komadai_bookfile::EntryError;
use komadai_bookgraph::BookGame;
use komadai_core::{PackedSfen, Setup};
use serde::{Deserialize, Serialize};

use super::codes::{move_of, side_code, side_of};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct GameRow {
    start: [u8; 32],
    ply: u32,
    moves: Vec<u16>,
    book_side: u8,
    winner: Option<u8>,
    opponent: String,
    generation: u32,
    left_at: Option<u32>,
    times_ms: Vec<u32>,
    scores: Vec<Option<i32>>,
    ending: String,
    when: u64,
}

impl GameRow {
    pub(crate) fn new(game: &BookGame) -> Result<Self, EntryError> {
        let start = PackedSfen::from_setup(&game.start);
        let start = start
            .map_err(|reason| EntryError::Position { position: game.start.to_string(), reason })?;
        Ok(Self {
            start: *start.as_bytes(),
            ply: game.start.ply,
            moves: game.moves.iter().map(|m| m.to_bits()).collect(),
            book_side: side_code(game.book_side),
            winner: game.winner.map(side_code),
            opponent: game.opponent.clone(),
            generation: game.generation,
            left_at: game.left_at,
            times_ms: game.times_ms.clone(),
            scores: game.scores.clone(),
            ending: game.ending.clone(),
            when: game.when,
        })
    }

    pub(crate) fn into_game(self) -> Result<BookGame, String> {
        let start = PackedSfen::from_bytes(self.start).to_setup();
        let start = start.map_err(|error| error.to_string())?;
        Ok(BookGame {
            start: Setup { ply: self.ply, ..start },
            moves: self.moves.into_iter().map(move_of).collect::<Result<_, _>>()?,
            book_side: side_of(self.book_side)?,
            winner: self.winner.map(side_of).transpose()?,
            opponent: self.opponent,
            generation: self.generation,
            left_at: self.left_at,
            times_ms: self.times_ms,
            scores: self.scores,
            ending: self.ending,
            when: self.when,
        })
    }
}
