//! The player of this crate in a match, without a process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use komadai_core::{Bound, Budget, Score};
use komadai_match::{Contestant, ContestantFault, CpuClock, FaultKind, Reply, Turn};
use komadai_search::Searcher as _;

use crate::clock::TimeLimits;
use crate::opening_book::OpeningBookError;
use crate::parts::{PlayerParts, StandardParts};
use crate::player::{Player, PlayerError};
use crate::request::MoveRequest;
use crate::search_mode::SearchMode;
use crate::settings::Settings;
use crate::time_manager::TimeManager;

/// A [`Player`] on the thread of the match. It suits thousands of short games, in which an engine
/// process would mostly wait for its pipes.
///
/// It plays as the [`UsiEngine`](crate::UsiEngine) with the same settings and parts does. Its
/// memory is cleared between games, so that a game depends on its opening and limits only.
/// Clearing takes time for the entries that a game has written, not for the size of the hash.
///
/// # Examples
///
/// A game between the standard evaluation and one of your own:
///
/// ```
/// use std::sync::Arc;
///
/// use komadai_core::{PieceKind, Position};
/// use komadai_engine::{AlphaBetaParts, EmbeddedContestant, Settings};
/// use komadai_eval::from_fn;
/// use komadai_match::{Opening, Rules, Side, TimeControl, play_game};
///
/// let pawns = from_fn(|position: &Position| {
///     let held = |color| position.hand(color).count(PieceKind::Pawn) as i32;
///     100 * (held(position.side()) - held(!position.side()))
/// });
/// let mut settings = Settings::default();
/// (settings.hash_mib, settings.mate_hash_mib) = (1, 1);
/// let mut own = EmbeddedContestant::with_parts(AlphaBetaParts::new(pawns), settings.clone())?;
/// let mut standard = EmbeddedContestant::new(settings)?;
/// let control = TimeControl::nodes(50);
/// let sides = [
///     Side { contestant: &mut own, control: &control },
///     Side { contestant: &mut standard, control: &control },
/// ];
/// let rules = Rules { max_plies: 20, ..Rules::default() };
/// let opening = Opening::from_usi("startpos moves 7g7f 3c3d")?;
/// let game = play_game(0, &opening, sides, &rules, &Arc::default()).expect("it is not stopped");
/// assert!(!game.moves.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EmbeddedContestant<P: PlayerParts = StandardParts> {
    parts: P,
    settings: Settings,
    /// `None` during a search, and after a panic.
    player: Option<Player<P>>,
    /// The value for which its last move was chosen.
    last_move: Option<Score>,
    on_book_fault: Option<fn(&OpeningBookError)>,
    /// True once the present fault of the book has been passed on.
    has_told: bool,
}

impl EmbeddedContestant {
    /// Returns a player with these settings and the [standard parts](StandardParts).
    ///
    /// # Errors
    ///
    /// If book or evaluation cannot be read.
    pub fn new(settings: Settings) -> Result<Self, PlayerError> {
        Self::with_parts(StandardParts, settings)
    }
}

impl<P: PlayerParts> EmbeddedContestant<P> {
    /// Returns a player with these parts and settings.
    ///
    /// # Errors
    ///
    /// If book or evaluation cannot be read.
    pub fn with_parts(parts: P, settings: Settings) -> Result<Self, PlayerError> {
        let player = Some(Player::with_parts(parts.clone(), settings.clone())?);
        Ok(Self { parts, settings, player, last_move: None, on_book_fault: None, has_told: false })
    }

    /// Returns the same player with a function that is called once with an error after which it plays without its
    /// book.
    #[must_use]
    pub fn with_book_fault_handler(self, handler: fn(&OpeningBookError)) -> Self {
        Self { on_book_fault: Some(handler), ..self }
    }

    /// The error after which the player goes on without its book, if there was one: a book that could be read at the
    /// start may be damaged during a match.
    #[must_use]
    pub fn book_fault(&self) -> Option<&OpeningBookError> {
        self.player.as_ref()?.book_fault()
    }

    fn tell_book_fault(&mut self) {
        let fault = self.player.as_ref().and_then(Player::book_fault);
        if let (Some(fault), Some(handler), false) = (fault, self.on_book_fault, self.has_told) {
            handler(fault);
        }
        self.has_told = fault.is_some();
    }

    fn time_limits(&self, turn: &Turn<'_>) -> Option<TimeLimits> {
        let clock = turn.limits.clock.as_ref();
        let by_clock = clock.map(|clock| self.settings.limits(turn.position, clock, None));
        let by_move = turn.limits.move_time.map(TimeLimits::exactly);
        [by_clock, by_move].into_iter().flatten().reduce(TimeLimits::min)
    }

    fn budget(&self, turn: &Turn<'_>) -> Budget {
        let (nodes, depth) = (self.settings.nodes_limit, self.settings.depth_limit);
        let mut budget = Budget::unlimited();
        budget.nodes = turn.limits.nodes.into_iter().chain((nodes > 0).then_some(nodes)).min();
        budget.depth = turn.limits.depth.into_iter().chain((depth > 0).then_some(depth)).min();
        budget
    }
}

impl<P: PlayerParts> Contestant for EmbeddedContestant<P> {
    fn new_game(&mut self, game: usize) -> Result<(), ContestantFault> {
        self.last_move = None;
        let Some(player) = &mut self.player else { return self.restart() };
        player.new_game();
        if player.book().is_some() {
            // Choices of book moves differ between games, and do not depend on the games before.
            let seed = self.settings.seed.wrapping_add(game as u64);
            player.set_other_settings(Settings { seed, ..self.settings.clone() });
            self.tell_book_fault();
        }
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
        let asked = Instant::now();
        let mut player = self.player.take().ok_or_else(gone)?;
        let mut budget = self.budget(turn);
        let time_manager = TimeManager::new(asked, self.last_move);
        time_manager.watch(player.searcher().root_visits());
        match self.time_limits(turn) {
            Some(limits) => {
                time_manager.start(asked, limits);
                budget = budget.with_stop(time_manager.flag());
                budget.deadline = time_manager.deadline();
            }
            None => budget = budget.with_stop(Arc::clone(turn.stop)),
        }
        let draw = self.settings.draw.value(turn.position.side(), turn.limits.clock.as_ref());
        let request = MoveRequest {
            expected: time_manager.expected(),
            draw_value: Some(draw),
            ..MoveRequest::new(turn.position, budget)
        };
        let choice = catch_unwind(AssertUnwindSafe(|| {
            let choice = player.choose(&request, &mut |analysis| {
                time_manager.on_report(analysis, Instant::now());
                if turn.stop.load(Ordering::Relaxed) {
                    time_manager.stop();
                }
            });
            (player, choice)
        }));
        let (player, choice) = choice.map_err(|_| {
            ContestantFault::new(FaultKind::Crash, format!("panic at `position {}`", turn.game))
        })?;
        self.player = Some(player);
        self.tell_book_fault();
        self.last_move = time_manager.score();
        let reply = Reply {
            score: choice.analysis.score().map(|score| score.raw()),
            bound: choice.analysis.lines.first().map_or(Bound::Exact, |line| line.bound),
            nodes: choice.analysis.nodes,
            // The depth of the line, which is what an engine process reports last.
            depth: choice.analysis.lines.first().map_or(0, |line| line.depth),
            ..Reply::new(choice.best, asked.elapsed())
        };
        Ok(reply.with_line_of(&choice.analysis))
    }

    fn restart(&mut self) -> Result<(), ContestantFault> {
        let player = Player::despite_book(self.parts.clone(), self.settings.clone());
        self.player = Some(
            player.map_err(|error| ContestantFault::new(FaultKind::Crash, error.to_string()))?,
        );
        Ok(())
    }

    fn cpu_clock(&self) -> CpuClock {
        let threads = match self.settings.search_mode {
            SearchMode::Both if self.settings.skill_level == 0 => 2,
            _ => self.settings.threads,
        };
        if threads > 1 { CpuClock::Unknown } else { CpuClock::ThisThread }
    }
}

fn gone() -> ContestantFault {
    ContestantFault::new(FaultKind::Crash, "the player has panicked and was not started again")
}
