//! A contestant with a book.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use komadai_book::{BookChoice, KnownMoves};
use komadai_core::{Move, SplitMix64};
use komadai_match::{Contestant, ContestantFault, CpuClock, Reply, Turn};
use komadai_movegen::MoveGen;
use komadai_usi::{BestMove, GameResult};

/// A contestant for whom the arena plays the moves of a book, as long as there are any; whatever
/// engine it is need not know.
///
/// When a game comes back to the book, so does the contestant.
pub(super) struct WithBook<'b> {
    inner: Box<dyn Contestant + 'b>,
    shelf: Shelf<'b>,
    random: SplitMix64,
    game: usize,
    has_left: bool,
}

/// The book of a match, and what was noted about its use.
#[derive(Clone, Copy)]
pub(super) struct Shelf<'b> {
    pub(super) book: &'b (dyn KnownMoves + Sync),
    pub(super) choice: BookChoice,
    pub(super) seed: u64,
    pub(super) departures: &'b Departures,
}

/// Where the games of a match have left the book.
#[derive(Debug, Default)]
pub(super) struct Departures {
    /// By the number of the game: how many moves had been made, those of the opening included.
    moves_made: Mutex<HashMap<usize, usize>>,
}

impl Departures {
    fn note(&self, game: usize, moves_made: usize) {
        let mut departures = self.moves_made.lock().unwrap_or_else(PoisonError::into_inner);
        departures.insert(game, moves_made);
    }

    /// Where a game has left the book. It is forgotten.
    pub(super) fn take(&self, game: usize) -> Option<usize> {
        let mut departures = self.moves_made.lock().unwrap_or_else(PoisonError::into_inner);
        departures.remove(&game)
    }
}

impl<'b> WithBook<'b> {
    pub(super) fn new(inner: Box<dyn Contestant + 'b>, shelf: Shelf<'b>) -> Self {
        let random = SplitMix64::new(shelf.seed);
        Self { inner, shelf, random, game: 0, has_left: false }
    }

    /// A move of the book. Moves that are illegal, as of a book whose keys collide, are none.
    fn book_move(&mut self, turn: &Turn<'_>) -> Option<Move> {
        let mut known = self.shelf.book.known_moves(turn.position)?;
        known.retain(|known| turn.position.is_legal(known.m));
        self.shelf.choice.choose(&known, self.random.next_u64())
    }
}

impl Contestant for WithBook<'_> {
    fn new_game(&mut self, game: usize) -> Result<(), ContestantFault> {
        self.game = game;
        self.has_left = false;
        // Not the next numbers of the game before, so that threads do not matter.
        let seed = SplitMix64::new(self.shelf.seed.wrapping_add(game as u64)).next_u64();
        self.random = SplitMix64::new(seed);
        self.inner.new_game(game)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
        if let Some(best) = self.book_move(turn) {
            return Ok(Reply::new(BestMove::Move { best, ponder: None }, Duration::ZERO));
        }
        if !self.has_left {
            self.has_left = true;
            self.shelf.departures.note(self.game, turn.game.moves.len());
        }
        self.inner.choose(turn)
    }

    fn game_over(&mut self, result: GameResult) {
        self.inner.game_over(result);
    }

    fn restart(&mut self) -> Result<(), ContestantFault> {
        self.inner.restart()
    }

    fn cpu_clock(&self) -> CpuClock {
        self.inner.cpu_clock()
    }
}
