//! The player that a client asks for moves.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai_core::{Color, Move, Position, Score};

use crate::clock::ClockState;
use crate::error::CsaError;
use crate::game::FinishedGame;
use crate::session::Event;
use crate::summary::GameSummary;

/// A turn of the own player, or of its opponent while it ponders.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The position, with the game that led to it.
    pub position: &'a Position,
    /// The side of the player.
    pub color: Color,
    /// The game as the server offered it.
    pub summary: &'a GameSummary,
    /// The time of both sides.
    pub clock: &'a ClockState,
    /// Set when the game ends before the answer, for example because time is up, or the connection
    /// is lost.
    pub stop: &'a Arc<AtomicBool>,
}

/// The action of a player in its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// A move.
    Move(Move),
    /// Resignation, `%TORYO`.
    Resign,
    /// The declaration of a win, `%KACHI`.
    DeclareWin,
}

/// The answer of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The action.
    pub action: Action,
    /// The value of the position for the player, sent as a comment.
    pub score: Option<Score>,
    /// The moves expected after the own one, sent with the value.
    pub line: Vec<Move>,
}

impl Answer {
    /// Creates an answer without a value.
    pub fn new(action: Action) -> Self {
        Self { action, score: None, line: Vec::new() }
    }
}

/// A player in games on a server.
pub trait CsaPlayer {
    /// Returns whether the player accepts the game, and prepares for it.
    ///
    /// # Errors
    ///
    /// If the player cannot play. The game is refused then.
    fn accept(&mut self, _game: &GameSummary) -> Result<bool, Box<dyn Error + Send + Sync>> {
        Ok(true)
    }

    /// Chooses a move.
    ///
    /// # Errors
    ///
    /// If there is no answer. The client resigns then, and reports the error after the game.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Box<dyn Error + Send + Sync>>;

    /// Begins to think while the opponent does: the server has made the own move. Must return at
    /// once. The default does nothing.
    fn ponder(&mut self, _turn: &Turn<'_>) {}

    /// Sees what happens: moves of both sides, other lines of the server.
    fn see(&mut self, _event: &Event) {}

    /// Receives the game in play at its start and after each move, as it would be if it were broken
    /// off now: a player that keeps records loses no move if the process ends.
    fn game_so_far(&mut self, _game: &FinishedGame) {}

    /// Sees an error after which the client logs in again.
    fn logs_in_again(&mut self, _error: &CsaError) {}

    /// Receives a game that is over or broken off.
    fn game_over(&mut self, _game: &FinishedGame) {}
}
