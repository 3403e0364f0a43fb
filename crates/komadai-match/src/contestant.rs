//! Who plays in a match.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use komadai_core::{Position, UsiPosition};
use komadai_usi::{BestMove, GameResult, GoLimits};

use crate::cpu_time::CpuClock;
use crate::fault::Fault;

/// A player as the referee sees it.
///
/// Nothing that it answers is believed: the referee checks every move and every declaration.
///
/// # Examples
///
/// A player that resigns:
///
/// ```
/// use std::time::Duration;
///
/// use komadai_match::{Contestant, Fault, Reply, Turn};
/// use komadai_usi::BestMove;
///
/// struct Pessimist;
///
/// impl Contestant for Pessimist {
///     fn choose(&mut self, _: &Turn<'_>) -> Result<Reply, Fault> {
///         Ok(Reply::new(BestMove::Resign, Duration::ZERO))
///     }
/// }
/// ```
pub trait Contestant {
    /// Prepares for the game of this number, from 0. What it does must not depend on the games
    /// before, or a match has another result on another number of threads.
    ///
    /// # Errors
    ///
    /// When the contestant cannot play.
    fn new_game(&mut self, game: usize) -> Result<(), Fault> {
        let _ = game;
        Ok(())
    }

    /// Chooses a move.
    ///
    /// # Errors
    ///
    /// When there is no sensible answer; the game is lost then.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, Fault>;

    /// Hears how the game has ended. A fault here is one of the next game.
    fn game_over(&mut self, result: GameResult) {
        let _ = result;
    }

    /// Starts anew after a fault.
    ///
    /// # Errors
    ///
    /// When that fails.
    fn restart(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    /// Where to look for the processor time that it uses.
    fn cpu_clock(&self) -> CpuClock {
        CpuClock::Unknown
    }
}

/// What a contestant is asked.
#[derive(Debug, Clone)]
pub struct Turn<'a> {
    /// The position, with the game that led to it.
    pub position: &'a Position,
    /// The same game as USI's `position` says it.
    pub game: &'a UsiPosition,
    /// What it may spend, as USI's `go` says it.
    pub limits: &'a GoLimits,
    /// When the referee loses patience: the move is late by then, or the contestant hangs.
    pub deadline: Instant,
    /// Set when the match is broken off: whatever the answer then is, it does not count.
    pub stop: &'a Arc<AtomicBool>,
}

/// What a contestant answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// What it plays.
    pub best: BestMove,
    /// How long it took from being asked to the answer.
    pub elapsed: Duration,
    /// What it says the position is worth: centipawns, positive is good for itself; ±30,000 and
    /// beyond are mates.
    pub score: Option<i32>,
    /// The nodes that it says it has visited; 0 if it does not say.
    pub nodes: u64,
    /// The depth that it says it has reached; 0 if it does not say.
    pub depth: u32,
}

impl Reply {
    /// An answer without explanations.
    #[must_use]
    pub fn new(best: BestMove, elapsed: Duration) -> Self {
        Self { best, elapsed, score: None, nodes: 0, depth: 0 }
    }
}
