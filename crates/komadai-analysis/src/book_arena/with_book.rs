//! A contestant with a book.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use komadai_book::arena::BookChoice;
use komadai_book::games::{KnownMoves, PlayableMove};
use komadai_core::{Move, Position, Score, SplitMix64};
use komadai_match::{Contestant, ContestantFault, CpuClock, Reply, Turn};
use komadai_movegen::{MoveGen, Repetition};
use komadai_usi::{BestMove, GameResult};

/// A contestant for which the arena plays book moves as long as there are any. The engine itself
/// needs no support for books.
///
/// If a game returns to the book by transposition, book moves are played again.
pub(super) struct WithBook<'b> {
    inner: Box<dyn Contestant + 'b>,
    shared: SharedBook<'b>,
    random: SplitMix64,
    game: usize,
    has_left: bool,
}

/// The book of a match and the record of its use.
#[derive(Clone, Copy)]
pub(super) struct SharedBook<'b> {
    pub(super) book: &'b (dyn KnownMoves + Sync),
    pub(super) choice: BookChoice,
    pub(super) seed: u64,
    pub(super) departures: &'b Departures,
}

/// The points at which the games of a match have left the book.
#[derive(Debug, Default)]
pub(super) struct Departures {
    /// Number of moves made before, including the opening, by the number of the game.
    moves_made: Mutex<HashMap<usize, usize>>,
}

impl Departures {
    fn note(&self, game: usize, moves_made: usize) {
        let mut departures = self.moves_made.lock().unwrap_or_else(PoisonError::into_inner);
        departures.insert(game, moves_made);
    }

    /// Removes and returns the point at which a game has left the book.
    pub(super) fn take(&self, game: usize) -> Option<usize> {
        let mut departures = self.moves_made.lock().unwrap_or_else(PoisonError::into_inner);
        departures.remove(&game)
    }
}

impl<'b> WithBook<'b> {
    pub(super) fn new(inner: Box<dyn Contestant + 'b>, shared: SharedBook<'b>) -> Self {
        let random = SplitMix64::new(shared.seed);
        Self { inner, shared, random, game: 0, has_left: false }
    }

    /// Returns a book move. Illegal moves, which a book with colliding keys can contain, are
    /// skipped, as are moves that the game before makes worse than the book says.
    fn book_move(&mut self, turn: &Turn<'_>) -> Option<Move> {
        let mut known = self.shared.book.known_moves(turn.position)?;
        known.retain(|known| turn.position.is_legal(known.m) && keeps_value(turn.position, known));
        self.shared.choice.choose(&known, self.random.next_u64())
    }
}

/// Returns whether a legal move is worth as much after the game before as in the book: it does not
/// lose by perpetual check, and makes no draw by repetition that is worse.
fn keeps_value(position: &Position, known: &PlayableMove) -> bool {
    // The repetition is that for the opponent, who is to move.
    match position.after(known.m).repetition() {
        Repetition::Win => false,
        Repetition::Draw => known.score.is_some_and(|score| score <= Score::ZERO),
        _ => true,
    }
}

impl Contestant for WithBook<'_> {
    fn new_game(&mut self, game: usize) -> Result<(), ContestantFault> {
        self.game = game;
        self.has_left = false;
        // Seeded by the number of the game, so that the moves do not depend on the number of
        // threads.
        let seed = SplitMix64::new(self.shared.seed.wrapping_add(game as u64)).next_u64();
        self.random = SplitMix64::new(seed);
        self.inner.new_game(game)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
        if let Some(best) = self.book_move(turn) {
            return Ok(Reply::new(BestMove::Move { best, ponder: None }, Duration::ZERO));
        }
        if !self.has_left {
            self.has_left = true;
            self.shared.departures.note(self.game, turn.game.moves.len());
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
