//! A player that plays games under the clock, on the caller's thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use komadai_base::clock::Instant;
use komadai_core::{Position, Score};
use komadai_usi::GoLimits;

use crate::clock::TimeLimits;
use crate::opening_book::OpeningBookError;
use crate::parts::Parts;
use crate::player::{Player, PlayerError};
use crate::request::{Choice, MoveRequest};
use crate::settings::Settings;
use crate::time_manager::TimeManager;

/// A [`Player`] with the time management and the memory of a game, for programs that play whole
/// games in their own process.
///
/// It plays as the [`UsiEngine`](crate::UsiEngine) with the same settings and parts does. Use a
/// [`Player`] instead where your program decides how long each search may take.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use komadai_core::Position;
/// use komadai_engine::{GamePlayer, Settings};
/// use komadai_usi::{BestMove, GoLimits};
///
/// let mut settings = Settings::default();
/// (settings.hash_mib, settings.mate_hash_mib) = (1, 1);
/// let mut player = GamePlayer::new(settings)?;
/// let limits = GoLimits::from_usi("btime 0 wtime 0 byoyomi 1200");
/// player.new_game(0);
/// let choice = player.choose(&Position::hirate(), &limits, &Arc::default());
/// assert!(matches!(choice.best, BestMove::Move { .. }));
/// # Ok::<(), komadai_engine::PlayerError>(())
/// ```
#[derive(Debug)]
pub struct GamePlayer {
    settings: Settings,
    player: Player,
    /// The value for which its last move was chosen.
    last_move: Option<Score>,
}

impl GamePlayer {
    /// Returns a player with these settings and the [parts](Parts) of the embedded player.
    ///
    /// # Errors
    ///
    /// If book or evaluation cannot be read.
    pub fn new(settings: Settings) -> Result<Self, PlayerError> {
        Self::with_parts(Parts::default(), settings)
    }

    /// Returns a player with these parts and settings.
    ///
    /// # Errors
    ///
    /// If book or evaluation cannot be read.
    pub fn with_parts(parts: Parts, settings: Settings) -> Result<Self, PlayerError> {
        let player = Player::with_parts(parts, settings)?;
        Ok(Self::of(player))
    }

    /// Returns a player with these parts and settings, without its book if that cannot be read:
    /// then [`book_fault`](Self::book_fault) is the reason.
    ///
    /// # Errors
    ///
    /// If the evaluation cannot be read: a player with another one would be a different player.
    pub fn despite_book(parts: Parts, settings: Settings) -> Result<Self, PlayerError> {
        let player = Player::despite_book(parts, settings)?;
        Ok(Self::of(player))
    }

    fn of(player: Player) -> Self {
        Self { settings: player.settings().clone(), player, last_move: None }
    }

    /// The error after which the player goes on without its book, if there was one: a book that
    /// could be read at the start may be damaged during a game.
    pub fn book_fault(&self) -> Option<&OpeningBookError> {
        self.player.book_fault()
    }

    /// Begins a game: clears the memory, so that a game depends on its opening and limits only.
    /// Games with different numbers choose different moves of the book.
    ///
    /// Clearing takes time for the entries that a game has written, not for the size of the hash.
    pub fn new_game(&mut self, game: usize) {
        self.last_move = None;
        self.player.new_game();
        if !self.player.books().is_empty() {
            // Choices of book moves differ between games, and do not depend on the games before.
            let seed = self.settings.seed.wrapping_add(game as u64);
            self.player.set_other_settings(Settings { seed, ..self.settings.clone() });
        }
    }

    /// Chooses a move within the limits, of which clock, time a move, nodes and depth count. `stop`
    /// ends the search soon.
    pub fn choose(
        &mut self,
        position: &Position,
        limits: &GoLimits,
        stop: &Arc<AtomicBool>,
    ) -> Choice {
        let asked = Instant::now();
        let mut budget = self.settings.budget(limits);
        let time_manager = TimeManager::new(asked, self.last_move);
        let searcher = self.player.searcher();
        time_manager.watch(searcher.state().root_visits, searcher.scale());
        match self.time_limits(position, limits) {
            Some(limits) => {
                time_manager.start(asked, limits);
                budget.stop = Some(time_manager.flag());
                budget.deadline = time_manager.deadline();
            }
            None => budget.stop = Some(Arc::clone(stop)),
        }
        let draw = self.settings.draw.value(position.side(), limits.clock.as_ref());
        let request = MoveRequest {
            expected: time_manager.expected(),
            draw_value: Some(draw),
            ..MoveRequest::new(position, budget)
        };
        let choice = self.player.choose(&request, &mut |analysis| {
            time_manager.on_report(analysis, Instant::now());
            if stop.load(Ordering::Relaxed) {
                time_manager.stop();
            }
        });
        self.last_move = time_manager.score();
        choice
    }

    /// Ponders, on the caller's thread, until `stop` is set or the limits of nodes and depth are
    /// reached: the last move of `position` is the reply that the last choice expects. What is
    /// searched follows from `multi_ponder` and `stochastic_ponder` of the settings.
    ///
    /// The next [`choose`](Self::choose) finds the results in the transposition table, whichever
    /// reply is played.
    pub fn ponder(&mut self, position: &Position, limits: &GoLimits, stop: &Arc<AtomicBool>) {
        let mut budget = self.settings.budget(limits);
        budget.stop = Some(Arc::clone(stop));
        let draw = self.settings.draw.value(position.side(), limits.clock.as_ref());
        let request = MoveRequest { draw_value: Some(draw), ..MoveRequest::new(position, budget) };
        self.player.ponder(&request);
    }

    fn time_limits(&self, position: &Position, limits: &GoLimits) -> Option<TimeLimits> {
        let clock = limits.clock.as_ref();
        let by_clock = clock.map(|clock| self.settings.limits(position, clock, None));
        let by_move = limits.move_time.map(TimeLimits::exactly);
        [by_clock, by_move].into_iter().flatten().reduce(TimeLimits::min)
    }
}
