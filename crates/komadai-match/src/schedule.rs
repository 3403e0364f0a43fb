//! Many games on several threads.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use komadai_core::{Color, SplitMix64};

use crate::contestant::Contestant;
use crate::ending::Ending;
use crate::game::{Game, Opening, Side, play_game};
use crate::rules::Rules;
use crate::time_control::TimeControl;

/// A match of two players: what is played, not yet by whom.
///
/// Games come in pairs with the same opening. The first player has Black in games of even number and
/// White in the others. Openings are taken in an order that the seed shuffles, over and over if there
/// are fewer than pairs: players that always answer alike repeat their games then.
#[derive(Debug, Clone)]
pub struct Match {
    /// The openings.
    pub openings: Vec<Opening>,
    /// How many games are played; an odd last one has no partner.
    pub games: usize,
    /// How many random moves follow each opening, the same ones for both games of a pair. They make
    /// more openings of few, though not all of them balanced.
    pub random_plies: u32,
    /// What each player may spend, the first player's first.
    pub controls: [TimeControl; 2],
    /// When a game is over.
    pub rules: Rules,
    /// What the order of the openings and the random moves depend on.
    pub seed: u64,
}

/// A game of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchGame {
    /// Its number, from 0; the pair's is half of it.
    pub number: usize,
    /// Which opening it began with.
    pub opening: usize,
    /// The side of the first player.
    pub first: Color,
    /// What was played, and how it ended.
    pub game: Game,
}

/// Why a match cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// There is nothing to begin with.
    #[error("a match needs at least one opening")]
    NoOpenings,
    /// A player does not start, or fails again and again before its first move.
    #[error("player {} cannot be started: {reason}", player + 1)]
    Start {
        /// 0 for the first player, 1 for the second.
        player: usize,
        /// Why not.
        reason: String,
    },
    /// The system has no thread for it.
    #[error("cannot start a thread: {0}")]
    Thread(String),
}

/// Makes a player, on the thread on which it will play.
pub type MakeContestant<'a> = MakeGuest<'a, 'static>;

/// Makes a player that borrows something for `'c`, such as a book.
pub type MakeGuest<'a, 'c> = dyn Fn() -> Result<Box<dyn Contestant + 'c>, Box<dyn std::error::Error + Send + Sync>>
    + Sync
    + 'a;

/// How often in a row a player may fail to start again, or before its first move.
const MOST_FAILURES: u32 = 3;

impl MatchGame {
    /// Half points for the first player: 0, 1 or 2.
    #[must_use]
    pub fn half_points(&self) -> usize {
        match self.game.verdict.winner {
            None => 1,
            Some(winner) if winner == self.first => 2,
            Some(_) => 0,
        }
    }
}

/// What a thread sends: a game, or why there will be no more.
type Sent = Result<MatchGame, MatchError>;

impl Match {
    /// Plays all games but those that `is_done` names, on `threads` threads with two players each.
    ///
    /// `hear` is told of every game on the caller's thread, in the order in which they end, and may
    /// break the match off; so may `stop`, which other threads set. Games in progress then count for
    /// nothing.
    ///
    /// # Errors
    ///
    /// When a player cannot be started, or not started again after a fault. What was heard of until
    /// then is sound.
    pub fn run<'c>(
        &self,
        players: [&MakeGuest<'_, 'c>; 2],
        threads: NonZero<usize>,
        is_done: &dyn Fn(usize) -> bool,
        stop: &Arc<AtomicBool>,
        hear: &mut dyn FnMut(MatchGame) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        if self.openings.is_empty() {
            return Err(MatchError::NoOpenings);
        }
        let todo: Vec<usize> = (0..self.games).filter(|&number| !is_done(number)).collect();
        let hall = Hall { plan: self, order: self.order(), todo, next: AtomicUsize::new(0), stop };
        let threads = threads.get().min(hall.todo.len());
        // Games whose listener is slow wait for it.
        let (sender, receiver) = sync_channel(threads.max(1));
        thread::scope(|scope| {
            for index in 0..threads {
                let (hall, sender) = (&hall, sender.clone());
                let spawned = thread::Builder::new()
                    .name(format!("match-{index}"))
                    .spawn_scoped(scope, move || hall.work(players, &sender));
                if let Err(error) = spawned {
                    stop.store(true, Ordering::Relaxed);
                    return Err(MatchError::Thread(error.to_string()));
                }
            }
            drop(sender);
            listen(&receiver, stop, hear)
        })
    }

    /// Returns the index of the opening and the side of the first player for each game, in order.
    #[must_use = "iterators are lazy"]
    pub fn schedule(&self) -> impl Iterator<Item = (usize, Color)> {
        let order = self.order();
        (0..self.games).map(move |number| (order[number / 2 % order.len()], first_side(number)))
    }

    /// The numbers of the openings, shuffled (Fisher and Yates).
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.openings.len()).collect();
        let mut random = SplitMix64::new(self.seed);
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last as u64 + 1) as usize);
        }
        order
    }
}

/// The side of the first player.
fn first_side(number: usize) -> Color {
    if number.is_multiple_of(2) { Color::Black } else { Color::White }
}

fn listen(
    receiver: &Receiver<Sent>,
    stop: &AtomicBool,
    hear: &mut dyn FnMut(MatchGame) -> ControlFlow<()>,
) -> Result<(), MatchError> {
    let mut result = Ok(());
    let mut is_listening = true;
    // To the last message, or a thread would wait for its listener for ever.
    for sent in receiver {
        match sent {
            Ok(game) if is_listening => is_listening = hear(game).is_continue(),
            Err(error) if result.is_ok() => {
                is_listening = false;
                result = Err(error);
            }
            _ => {}
        }
        if !is_listening {
            stop.store(true, Ordering::Relaxed);
        }
    }
    result
}

/// Where the games take place.
struct Hall<'a> {
    plan: &'a Match,
    order: Vec<usize>,
    todo: Vec<usize>,
    next: AtomicUsize,
    stop: &'a Arc<AtomicBool>,
}

impl Hall<'_> {
    fn work(&self, players: [&MakeGuest<'_, '_>; 2], sender: &SyncSender<Sent>) {
        let result = self.play_games(players, sender);
        if let Err(error) = result {
            // The listener outlives the threads.
            let _ = sender.send(Err(error));
        }
    }

    fn play_games(
        &self,
        players: [&MakeGuest<'_, '_>; 2],
        sender: &SyncSender<Sent>,
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

/// A player at its place.
struct Seat<'a> {
    player: usize,
    contestant: Box<dyn Contestant + 'a>,
    /// How often in a row it has failed before its first move.
    failures: u32,
}

impl<'a> Seat<'a> {
    fn fill(player: usize, make: &MakeGuest<'_, 'a>) -> Result<Self, MatchError> {
        match make() {
            Ok(contestant) => Ok(Self { player, contestant, failures: 0 }),
            Err(error) => Err(MatchError::Start { player, reason: error.to_string() }),
        }
    }

    /// After a fault.
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
