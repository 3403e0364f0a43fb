//! The player of this crate in a match, without a process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use komadai_core::{Bound, Position};
use komadai_engine::{GamePlayer, OpeningBookError, Parts, PlayerError, SearchMode, Settings};
use komadai_match::{Contestant, ContestantFault, CpuClock, FaultKind, Reply, Turn};
use komadai_usi::GoLimits;

/// A [`GamePlayer`] on the thread of the match. It suits thousands of short games, in which an
/// engine process would mostly wait for its pipes.
///
/// It plays as the [`UsiEngine`](komadai_engine::UsiEngine) with the same settings and parts does.
/// Its memory is cleared between games, so that a game depends on its opening and limits only.
/// Clearing takes time for the entries that a game has written, not for the size of the hash.
///
/// With [`Settings::ponders`] and a limit in nodes it ponders with as many nodes as a turn has: the
/// game is that of two machines of equal speed, and repeatable. It does not ponder under a clock.
///
/// # Examples
///
/// A game between the standard evaluation and one of your own:
///
/// ```
/// use std::sync::Arc;
///
/// use komadai_analysis::EmbeddedContestant;
/// use komadai_core::{PieceKind, Position};
/// use komadai_engine::{Parts, Settings};
/// use komadai_eval::from_fn;
/// use komadai_match::{Opening, Rules, Side, TimeControl, play_game};
///
/// let pawns = from_fn(|position: &Position| {
///     let held = |color| position.hand(color).count(PieceKind::Pawn) as i32;
///     100 * (held(position.side()) - held(!position.side()))
/// });
/// let mut settings = Settings::default();
/// (settings.hash_mib, settings.mate_hash_mib) = (1, 1);
/// let parts = Parts::default().with_evaluator(pawns);
/// let mut own = EmbeddedContestant::with_parts(parts, settings.clone())?;
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
pub struct EmbeddedContestant {
    parts: Parts,
    settings: Settings,
    /// `None` during a search, and after a panic.
    player: Option<GamePlayer>,
    /// The position after the expected reply, if the player ponders on it.
    expected: Option<Position>,
    on_book_fault: Option<fn(&OpeningBookError)>,
    /// True once the present fault of the book has been passed on.
    has_told: bool,
}

impl EmbeddedContestant {
    /// Returns a player with these settings and the [parts](Parts) of the embedded player. Its book
    /// may be a working book as well.
    ///
    /// # Errors
    ///
    /// If book or evaluation cannot be read.
    pub fn new(settings: Settings) -> Result<Self, PlayerError> {
        Self::with_parts(Parts::default().with_books(komadai_book::open_book), settings)
    }

    /// Returns a player with these parts and settings.
    ///
    /// # Errors
    ///
    /// If book or evaluation cannot be read.
    pub fn with_parts(parts: Parts, settings: Settings) -> Result<Self, PlayerError> {
        let player = Some(GamePlayer::with_parts(parts.clone(), settings.clone())?);
        Ok(Self { parts, settings, player, expected: None, on_book_fault: None, has_told: false })
    }

    /// Returns the same player with a function that is called once with an error after which it
    /// plays without its book.
    #[must_use]
    pub fn with_book_fault_handler(self, handler: fn(&OpeningBookError)) -> Self {
        Self { on_book_fault: Some(handler), ..self }
    }

    /// The error after which the player goes on without its book, if there was one: a book that
    /// could be read at the start may be damaged during a match.
    pub fn book_fault(&self) -> Option<&OpeningBookError> {
        self.player.as_ref()?.book_fault()
    }

    fn tell_book_fault(&mut self) {
        let fault = self.player.as_ref().and_then(GamePlayer::book_fault);
        if let (Some(fault), Some(handler), false) = (fault, self.on_book_fault, self.has_told) {
            handler(fault);
        }
        self.has_told = fault.is_some();
    }
}

impl Contestant for EmbeddedContestant {
    fn new_game(&mut self, game: usize) -> Result<(), ContestantFault> {
        let Some(player) = &mut self.player else { return self.restart() };
        player.new_game(game);
        self.expected = None;
        self.tell_book_fault();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
        let asked = Instant::now();
        let mut player = self.player.take().ok_or_else(gone)?;
        let expected = self.expected.take();
        let is_hit =
            expected.as_ref().is_some_and(|expected| expected.key() == turn.position.key());
        let ponders_on_one = self.settings.multi_ponder < 2 && !self.settings.stochastic_ponder;
        let choice = catch_unwind(AssertUnwindSafe(|| {
            let mut limits = turn.limits.clone();
            match expected {
                // The search of the expected position goes on.
                Some(_) if is_hit && ponders_on_one => {
                    limits.nodes = limits.nodes.map(|nodes| nodes.saturating_mul(2));
                }
                Some(expected) => player.ponder(&expected, &limits, turn.stop),
                None => {}
            }
            let choice = player.choose(turn.position, &limits, turn.stop);
            (player, choice)
        }));
        let (player, choice) = choice.map_err(|_| {
            ContestantFault::new(FaultKind::Crash, format!("panic at `position {}`", turn.game))
        })?;
        self.player = Some(player);
        self.tell_book_fault();
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

    fn ponder(&mut self, turn: &Turn<'_>) -> Result<bool, ContestantFault> {
        let GoLimits { nodes, clock, move_time, .. } = turn.limits;
        let is_timed = clock.is_some() || move_time.is_some();
        let ponders = self.settings.ponders && nodes.is_some() && !is_timed;
        // The search follows at the next turn. Under a limit in nodes it makes no difference.
        self.expected = ponders.then(|| turn.position.clone());
        Ok(ponders)
    }

    fn restart(&mut self) -> Result<(), ContestantFault> {
        let player = GamePlayer::despite_book(self.parts.clone(), self.settings.clone());
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
