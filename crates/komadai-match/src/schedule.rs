//! Matches: many games on several threads.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use komadai_core::{Color, SplitMix64};

use crate::contestant::Contestant;
use crate::ending::Ending;
use crate::game::{PlayedGame, Side, play_game};
use crate::opening::Opening;
use crate::rules::Rules;
use crate::time_control::TimeControl;

/// The plan of a match between two players.
///
/// [`run`](Self::run) plays it on several threads, with two contestants of its own for each. A
/// [`Contestant`] is anything that answers a turn: a USI engine ([`UsiContestant`](crate::UsiContestant)), an embedded
/// player (crate `komadai-analysis`), or a few lines as below. The referee keeps the clocks, ends
/// games by the [`Rules`], and counts a fault of a player as a loss. A game that is over goes to the
/// caller at once, so that a match may be stopped at any time and resumed: `is_done` names the games
/// that need not be played again.
///
/// A plan gives no verdict on strength: [`Tally`](crate::Tally) counts games, and
/// [`Sprt`](crate::Sprt) and [`Ratings`](crate::Ratings) judge them. For a single game there is
/// [`play_game`].
///
/// Games form pairs with the same opening. The first player has Black in games with an even number
/// and White in the others. The seed shuffles the openings. If there are fewer openings than pairs,
/// they are used again in the same order; deterministic players then repeat their games.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// use komadai_match::{
///     Contestant, ContestantFault, Ending, Match, Opening, Reply, Rules, TimeControl, Turn,
/// };
/// use komadai_usi::BestMove;
///
/// struct Pessimist;
///
/// impl Contestant for Pessimist {
///     fn choose(&mut self, _: &Turn<'_>) -> Result<Reply, ContestantFault> {
///         Ok(Reply::new(BestMove::Resign, Duration::ZERO))
///     }
/// }
///
/// let planned = Match {
///     openings: vec![Opening::from_usi("startpos moves 7g7f")?],
///     games: 2,
///     random_plies: 0,
///     controls: [TimeControl::nodes(1), TimeControl::nodes(1)],
///     rules: Rules::default(),
///     seed: 1,
/// };
/// let make = || Ok(Box::new(Pessimist) as Box<_>);
/// let mut endings = Vec::new();
/// planned.run([&make, &make], NonZero::<usize>::MIN, &|_| false, &Arc::default(), &mut |game| {
///     endings.push(game.game.verdict.ending);
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(endings, [Ending::Resignation; 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Match {
    /// The openings.
    pub openings: Vec<Opening>,
    /// Number of games. If it is odd, the last game has no partner.
    pub games: usize,
    /// Number of random moves after each opening, the same ones for both games of a pair. They
    /// multiply the openings, but not all of the resulting positions are balanced.
    pub random_plies: u32,
    /// The limits of each player, the first player's first.
    pub controls: [TimeControl; 2],
    /// The rules of the games.
    pub rules: Rules,
    /// Seed for the order of the openings and for the random moves.
    pub seed: u64,
}

/// A game of a match.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, UsiPosition};
/// use komadai_match::{Ending, MatchGame, PlayedGame, Verdict};
///
/// let verdict = Verdict { winner: Some(Color::White), ending: Ending::Resignation };
/// let opening = UsiPosition::from_usi("startpos")?;
/// let (moves, detail, cpu) = (Vec::new(), String::new(), [None; 2]);
/// let game = PlayedGame { opening, moves, verdict, detail, cpu };
/// // The first player had White and won: two half points.
/// let played = MatchGame { number: 1, opening: 0, first: Color::White, game };
/// assert_eq!(played.half_points(), 2);
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MatchGame {
    /// The number of the game, from 0. Half of it, rounded down, is the number of the pair.
    pub number: usize,
    /// Index of the opening.
    pub opening: usize,
    /// The side of the first player.
    pub first: Color,
    /// The moves and the end of the game.
    pub game: PlayedGame,
}

/// An error that ends a match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// The plan has no openings.
    #[error("a match needs at least one opening")]
    NoOpenings,
    /// A player does not start, or fails repeatedly before its first move.
    #[error("player {} cannot be started: {reason}", player + 1)]
    Start {
        /// 0 for the first player, 1 for the second.
        player: usize,
        /// The reason.
        reason: String,
    },
    /// The system cannot start a thread.
    #[error("cannot start a thread: {0}")]
    Thread(String),
}

/// A function that makes a player, called on the thread on which the player will run.
///
/// # Examples
///
/// ```
/// use komadai_match::{ContestantFactory, UsiContestant};
/// use komadai_usi::EngineConfig;
///
/// // A function that starts an engine, once for each thread of a match.
/// let config = EngineConfig::new("/opt/engines/some-engine");
/// let make = move || Ok(Box::new(UsiContestant::launch(config.clone())?) as Box<_>);
/// let factory: Box<ContestantFactory<'_>> = Box::new(make);
/// assert!(factory().is_err()); // there is no such engine
/// ```
pub type ContestantFactory<'a> = ScopedContestantFactory<'a, 'static>;

/// A function that makes a player that borrows data for `'c`, such as a book.
pub type ScopedContestantFactory<'a, 'c> = dyn Fn() -> Result<Box<dyn Contestant + 'c>, Box<dyn std::error::Error + Send + Sync>>
    + Sync
    + 'a;

/// Maximum number of failures in a row to start, or to make the first move. An engine may fail once
/// under load; one that fails three times will not play.
const MOST_FAILURES: u32 = 3;

impl MatchGame {
    /// Returns the half points of the first player: 0, 1 or 2.
    pub fn half_points(&self) -> usize {
        match self.game.verdict.winner {
            None => 1,
            Some(winner) if winner == self.first => 2,
            Some(_) => 0,
        }
    }
}

/// A message of a thread: a game, or the error that ends the match.
type Message = Result<MatchGame, MatchError>;

impl Match {
    /// Plays all games except those for which `is_done` is true, on `threads` threads with two
    /// players each.
    ///
    /// `on_game` receives every game on the caller's thread, in the order in which the games end.
    /// The match stops when it returns `Break`, or when another thread sets `stop`. Unfinished
    /// games are then discarded.
    ///
    /// # Errors
    ///
    /// If a player cannot be started, or not be started again after a fault. The games received
    /// until then are valid.
    pub fn run<'c>(
        &self,
        players: [&ScopedContestantFactory<'_, 'c>; 2],
        threads: NonZero<usize>,
        is_done: &dyn Fn(usize) -> bool,
        stop: &Arc<AtomicBool>,
        on_game: &mut dyn FnMut(MatchGame) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        if self.openings.is_empty() {
            return Err(MatchError::NoOpenings);
        }
        let todo: Vec<usize> = (0..self.games).filter(|&number| !is_done(number)).collect();
        let shared =
            Shared { plan: self, order: self.order(), todo, next: AtomicUsize::new(0), stop };
        let threads = threads.get().min(shared.todo.len());
        // The channel is bounded: if `on_game` is slow, the players wait instead of filling the
        // memory.
        let (sender, receiver) = sync_channel(threads.max(1));
        thread::scope(|scope| {
            for index in 0..threads {
                let (shared, sender) = (&shared, sender.clone());
                let spawned = thread::Builder::new()
                    .name(format!("match-{index}"))
                    .spawn_scoped(scope, move || shared.run(players, &sender));
                if let Err(error) = spawned {
                    stop.store(true, Ordering::Relaxed);
                    return Err(MatchError::Thread(error.to_string()));
                }
            }
            drop(sender);
            receive_games(&receiver, stop, on_game)
        })
    }

    /// Returns the index of the opening and the side of the first player for each game, in order.
    #[must_use = "iterators are lazy"]
    pub fn schedule(&self) -> impl Iterator<Item = (usize, Color)> {
        let order = self.order();
        (0..self.games).map(move |number| (order[number / 2 % order.len()], first_side(number)))
    }

    /// Returns the indices of the openings, shuffled (Fisher and Yates).
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.openings.len()).collect();
        let mut random = SplitMix64::new(self.seed);
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last as u64 + 1) as usize);
        }
        order
    }
}

/// Returns the side of the first player in the game with this number.
fn first_side(number: usize) -> Color {
    if number.is_multiple_of(2) { Color::Black } else { Color::White }
}

/// Passes games on to `on_game` until all threads have ended.
fn receive_games(
    receiver: &Receiver<Message>,
    stop: &AtomicBool,
    on_game: &mut dyn FnMut(MatchGame) -> ControlFlow<()>,
) -> Result<(), MatchError> {
    let mut result = Ok(());
    let mut is_running = true;
    // Messages are received to the last one even after a stop: the channel is bounded, and a thread
    // would otherwise wait for ever.
    for message in receiver {
        match message {
            Ok(game) if is_running => is_running = on_game(game).is_continue(),
            Err(error) if result.is_ok() => {
                is_running = false;
                result = Err(error);
            }
            _ => {}
        }
        if !is_running {
            stop.store(true, Ordering::Relaxed);
        }
    }
    result
}

/// Data that the threads of a match share.
struct Shared<'a> {
    plan: &'a Match,
    order: Vec<usize>,
    todo: Vec<usize>,
    next: AtomicUsize,
    stop: &'a Arc<AtomicBool>,
}

impl Shared<'_> {
    fn run(&self, players: [&ScopedContestantFactory<'_, '_>; 2], sender: &SyncSender<Message>) {
        let result = self.play_games(players, sender);
        if let Err(error) = result {
            // The receiver outlives the threads, so this cannot fail.
            let _ = sender.send(Err(error));
        }
    }

    fn play_games(
        &self,
        players: [&ScopedContestantFactory<'_, '_>; 2],
        sender: &SyncSender<Message>,
    ) -> Result<(), MatchError> {
        let mut seats = [Seat::fill(0, players[0])?, Seat::fill(1, players[1])?];
        while !self.stop.load(Ordering::Relaxed) {
            let Some(&number) = self.todo.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let Some(played) = self.play(number, &mut seats) else { break };
            let loser =
                played.game.verdict.winner.map(|winner| usize::from(winner == played.first));
            let is_fault = matches!(played.game.verdict.ending, Ending::Fault(_));
            let detail = played.game.detail.clone();
            let was_played = !played.game.moves.is_empty();
            if sender.send(Ok(played)).is_err() {
                break;
            }
            if was_played {
                seats.iter_mut().for_each(|seat| seat.failures = 0);
            }
            if let (Some(loser), true) = (loser, is_fault) {
                seats[loser].restart(was_played, detail)?;
            }
        }
        Ok(())
    }

    fn play(&self, number: usize, seats: &mut [Seat<'_>; 2]) -> Option<MatchGame> {
        let opening = self.order[number / 2 % self.order.len()];
        let first = first_side(number);
        let [control, other_control] = &self.plan.controls;
        let [seat, other_seat] = seats;
        let mut sides = [
            Side { contestant: &mut *seat.contestant, control },
            Side { contestant: &mut *other_seat.contestant, control: other_control },
        ];
        if first == Color::White {
            sides.reverse();
        }
        let pair_seed = self.plan.seed.wrapping_add(1 + number as u64 / 2);
        let start = self.plan.openings[opening].extended(self.plan.random_plies, pair_seed);
        let game = play_game(number, &start, sides, &self.plan.rules, self.stop)?;
        Some(MatchGame { number, opening, first, game })
    }
}

/// A player with its number and its record of failures.
struct Seat<'a> {
    player: usize,
    contestant: Box<dyn Contestant + 'a>,
    /// Number of failures in a row before the first move.
    failures: u32,
}

impl<'a> Seat<'a> {
    fn fill(player: usize, make: &ScopedContestantFactory<'_, 'a>) -> Result<Self, MatchError> {
        match make() {
            Ok(contestant) => Ok(Self { player, contestant, failures: 0 }),
            Err(error) => Err(MatchError::Start { player, reason: error.to_string() }),
        }
    }

    /// Starts the player again after a fault.
    fn restart(&mut self, was_played: bool, detail: String) -> Result<(), MatchError> {
        let mut reason = detail;
        if !was_played {
            self.failures += 1;
        }
        while self.failures < MOST_FAILURES {
            match self.contestant.restart() {
                Ok(()) => return Ok(()),
                Err(fault) => (reason, self.failures) = (fault.detail, self.failures + 1),
            }
        }
        Err(MatchError::Start { player: self.player, reason })
    }
}
