//! The seam between the protocol and an engine.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use komadai_core::UsiPosition;

use crate::command::GameResult;
use crate::info::Info;
use crate::limits::{ClockTimes, GoLimits};
use crate::message::{BestMove, Checkmate};
use crate::option::{OptionSpec, OptionValue};

/// An engine as the protocol sees it.
///
/// A [`Session`](crate::Session) calls these methods, and sees to it that the calls make sense:
/// one job at a time, values that fit their options, a stop before anything that a running search
/// could not bear. No method may take long, for the next line from the GUI waits meanwhile: work
/// goes on in the background (on a thread, or in slices within [`poll`](Self::poll)), and what
/// comes of it is fetched by `poll`.
///
/// # Examples
///
/// An engine that plays the first move it may:
///
/// ```
/// use std::convert::Infallible;
/// use std::time::Instant;
///
/// use komadai_core::{Position, UsiPosition};
/// use komadai_movegen::{MoveList, generate_legal};
/// use komadai_usi::{
///     BestMove, ClockTimes, Event, GoLimits, Handler, Identity, OptionSpec, OptionValue, Session,
/// };
///
/// struct FirstMove {
///     position: Position,
///     event: Option<Event>,
/// }
///
/// impl Handler for FirstMove {
///     type Error = komadai_core::PositionError;
///
///     fn identity(&self) -> Identity {
///         Identity { name: "First move".into(), author: "the komadai developers".into() }
///     }
///
///     fn options(&self) -> Vec<OptionSpec> {
///         Vec::new()
///     }
///
///     fn set_option(&mut self, _: &str, _: OptionValue) -> Result<(), Self::Error> {
///         Ok(())
///     }
///
///     fn prepare(&mut self) {
///         self.event = Some(Event::Ready);
///     }
///
///     fn set_position(&mut self, position: &UsiPosition) -> Result<(), Self::Error> {
///         self.position = Position::from_setup(&position.setup)?;
///         position.moves.iter().for_each(|&m| self.position.do_move(m));
///         Ok(())
///     }
///
///     fn go(&mut self, _: &GoLimits, _: Instant) {
///         let mut moves = MoveList::new();
///         generate_legal(&self.position, &mut moves);
///         let best = moves.first().map(|&best| BestMove::Move { best, ponder: None });
///         self.event = Some(Event::BestMove(best.unwrap_or(BestMove::Resign)));
///     }
///
///     fn stop(&mut self) {}
///
///     fn ponder_hit(&mut self, _: Option<&ClockTimes>, _: Instant) {}
///
///     fn poll(&mut self) -> Option<Event> {
///         self.event.take()
///     }
/// }
///
/// let mut session = Session::new(FirstMove { position: Position::hirate(), event: None });
/// for line in ["isready", "position startpos moves 7g7f", "go byoyomi 1000"] {
///     session.feed_line(line);
/// }
/// let lines: Vec<_> = session.poll().iter().map(ToString::to_string).collect();
/// assert_eq!(lines[0], "readyok");
/// assert!(lines[1].starts_with("bestmove "));
/// ```
pub trait Handler {
    /// Why a position or an option is not accepted.
    type Error: std::error::Error;

    /// What the engine is called and who made it.
    fn identity(&self) -> Identity;

    /// What can be set. Asked once, when the session begins; must be fast.
    fn options(&self) -> Vec<OptionSpec>;

    /// Sets the option of this name, spelled as declared, to a value that fits it.
    ///
    /// Whatever takes long belongs into [`prepare`](Self::prepare), which comes before the next
    /// search.
    ///
    /// # Errors
    ///
    /// When the value cannot be had; the GUI is told.
    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), Self::Error>;

    /// Begins to prepare for searching: books, tables. Ends with [`Event::Ready`] or
    /// [`Event::NotReady`]. Comes before every game and after every change of options, so a
    /// second time must be cheap.
    fn prepare(&mut self);

    /// A new game begins: what was learned of the last one may be forgotten.
    fn new_game(&mut self) {}

    /// Sets the position that the next [`go`](Self::go) is about; before the first call it is the
    /// start of an even game.
    ///
    /// An engine that finds an illegal move in the list may keep the position before it and say
    /// so in an [`Event::Info`].
    ///
    /// # Errors
    ///
    /// When there is no such position; until there is, every `go` is answered with `resign`.
    fn set_position(&mut self, position: &UsiPosition) -> Result<(), Self::Error>;

    /// Begins to think. Ends with exactly one answer, [`Event::Checkmate`] for a mate search,
    /// [`Event::BestMove`] for any other.
    ///
    /// The clock has been running since `received`. The session keeps an answer back for as long
    /// as `ponder` or `infinite` ask for it: an engine that is done early just answers.
    fn go(&mut self, limits: &GoLimits, received: Instant);

    /// Makes the running search answer as soon as it can. Called at most once for each search,
    /// unless the session quits.
    fn stop(&mut self);

    /// The move pondered on was played at `received`: from now on the clock runs, with these
    /// times if any are given, else with those of [`go`](Self::go).
    fn ponder_hit(&mut self, clock: Option<&ClockTimes>, received: Instant);

    /// The game is over.
    fn game_over(&mut self, _result: GameResult) {}

    /// What has happened since the last call, one event at a time; `None` if no more has.
    ///
    /// Called every few milliseconds while there is a job, and at once after [`Waker::wake`].
    fn poll(&mut self) -> Option<Event>;

    /// When [`poll`](Self::poll) should be called next even if nothing wakes the driver: a time at
    /// which the engine wants to look at the clock. A driver calls it every few milliseconds anyway;
    /// this is for engines whose clock is a matter of single ones.
    fn due(&self) -> Option<Instant> {
        None
    }

    /// Takes note of a way to have [`poll`](Self::poll) called at once. Called once, before
    /// anything else, by drivers that have one; work on another thread should use it.
    fn set_waker(&mut self, _waker: Waker) {}
}

/// What an engine says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Identity {
    /// The engine's name, with its version.
    pub name: String,
    /// Who made it.
    pub author: String,
}

/// Something an engine has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A look at its thoughts, or words for a person.
    Info(Info),
    /// It is prepared.
    Ready,
    /// It cannot be prepared, for this reason.
    NotReady(String),
    /// The answer to a search.
    BestMove(BestMove),
    /// The answer to a mate search.
    Checkmate(Checkmate),
}

/// Asks for a call of [`Handler::poll`] at once, from any thread.
#[derive(Clone)]
pub struct Waker(Arc<dyn Fn() + Send + Sync>);

impl Waker {
    /// A waker that calls this.
    #[must_use]
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(wake))
    }

    /// Asks for the call; it comes soon, from the driver's thread.
    pub fn wake(&self) {
        (self.0)();
    }
}

impl fmt::Debug for Waker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waker").finish_non_exhaustive()
    }
}
