//! The seam between the referee and a player.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use komadai_base::clock::Instant;
use komadai_core::{Analysis, Bound, Move, Position, UsiPosition};
use komadai_usi::{BestMove, GameResult, GoLimits};

use crate::cpu_time::CpuClock;
use crate::fault::ContestantFault;

/// A player in a match, as the referee uses it.
///
/// The referee checks every move and every declaration that a contestant answers.
///
/// # Examples
///
/// A player that resigns:
///
/// ```
/// use std::time::Duration;
///
/// use komadai_match::{Contestant, ContestantFault, Reply, Turn};
/// use komadai_usi::BestMove;
///
/// struct Pessimist;
///
/// impl Contestant for Pessimist {
///     fn choose(&mut self, _: &Turn<'_>) -> Result<Reply, ContestantFault> {
///         Ok(Reply::new(BestMove::Resign, Duration::ZERO))
///     }
/// }
/// ```
pub trait Contestant {
    /// Prepares for the game with this number, counted from 0. The moves of the game must not
    /// depend on earlier games; otherwise the results of a match depend on its number of threads.
    ///
    /// # Errors
    ///
    /// If the contestant cannot play.
    fn new_game(&mut self, _game: usize) -> Result<(), ContestantFault> {
        Ok(())
    }

    /// Chooses a move.
    ///
    /// # Errors
    ///
    /// If there is no valid answer. The game is then lost.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault>;

    /// Begins to think about the next turn while the opponent thinks: `turn` is that after the
    /// reply which the last answer expects. Returns at once, and whether the contestant does so.
    /// The default does not.
    ///
    /// The next [`choose`](Self::choose) shows by its game whether the reply was played. What the
    /// contestant has thought until then costs it no time. A game may also end instead.
    ///
    /// # Errors
    ///
    /// If the contestant cannot go on. The game is then lost.
    fn ponder(&mut self, _turn: &Turn<'_>) -> Result<bool, ContestantFault> {
        Ok(false)
    }

    /// Receives the result of the game. A contestant that fails here reports the fault in the next
    /// game.
    fn game_over(&mut self, _result: GameResult) {}

    /// Starts again after a fault.
    ///
    /// # Errors
    ///
    /// If the contestant cannot be started.
    fn restart(&mut self) -> Result<(), ContestantFault> {
        Ok(())
    }

    /// Returns the clock that measures the processor time of the contestant.
    fn cpu_clock(&self) -> CpuClock {
        CpuClock::Unknown
    }
}

/// A request to a contestant for a move.
///
/// # Examples
///
/// A player that looks for a mate in one and otherwise plays the first legal move:
///
/// ```
/// use std::time::Duration;
///
/// use komadai_match::{Contestant, ContestantFault, Reply, Turn};
/// use komadai_movegen::MoveGen;
/// use komadai_usi::BestMove;
///
/// struct Simple;
///
/// impl Contestant for Simple {
///     fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
///         let mate = turn.position.mate_in_one();
///         let best = mate.or_else(|| turn.position.legal_moves().first().copied());
///         let answer = best.map_or(BestMove::Resign, |best| BestMove::Move { best, ponder: None });
///         Ok(Reply::new(answer, Duration::ZERO))
///     }
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Turn<'a> {
    /// The position, with the game that led to it.
    pub position: &'a Position,
    /// The same game in the form of USI's `position`.
    pub game: &'a UsiPosition,
    /// The limits in the form of USI's `go`.
    pub limits: &'a GoLimits,
    /// The time at which an engine is told to stop. What it answers soon after is still in time.
    pub deadline: Instant,
    /// Set when the match is stopped. The answer is then ignored.
    pub stop: &'a Arc<AtomicBool>,
}

/// The answer of a contestant.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_match::Reply;
/// use komadai_usi::BestMove;
///
/// let mut reply = Reply::new(BestMove::Resign, Duration::from_millis(3));
/// reply.score = Some(-2_500); // bad for the player that answers
/// assert_eq!((reply.nodes, reply.depth), (0, 0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The move, a resignation or a declaration of a win.
    pub best: BestMove,
    /// The time between request and answer.
    pub elapsed: Duration,
    /// The value that the contestant reports, in centipawns, positive if good for itself. Values
    /// from ±30,000 on are mates.
    pub score: Option<i32>,
    /// The relation of `score` to the value: a search that was cut off within an iteration knows
    /// only a bound.
    pub bound: Bound,
    /// The reported number of nodes; 0 if none is reported.
    pub nodes: u64,
    /// The reported depth in plies; 0 if none is reported.
    pub depth: u32,
    /// The depth reported at the start of the turn, in plies; 0 if none is reported. It shows what
    /// the contestant has kept from earlier searches, or pondered.
    pub start_depth: u32,
    /// The moves that the contestant expects after its own, as far as it reports them.
    pub line: Vec<Move>,
}

impl Reply {
    /// Returns an answer without a value, nodes and depth.
    pub fn new(best: BestMove, elapsed: Duration) -> Self {
        Self {
            best,
            elapsed,
            score: None,
            bound: Bound::Exact,
            nodes: 0,
            depth: 0,
            start_depth: 0,
            line: Vec::new(),
        }
    }

    /// Returns the same answer with the moves that an analysis expects after its move; with the
    /// reply to ponder on if the analysis is about other moves.
    #[must_use]
    pub fn with_line_of(mut self, analysis: &Analysis) -> Self {
        if let BestMove::Move { best, ponder } = self.best {
            let lines = analysis.lines.iter().map(|line| &line.pv[..]);
            let mut after = lines.filter_map(|pv| pv.strip_prefix(&[best]));
            let expected = after.next().filter(|rest| !rest.is_empty());
            self.line = expected.map_or_else(|| ponder.into_iter().collect(), <[Move]>::to_vec);
        }
        self
    }
}
