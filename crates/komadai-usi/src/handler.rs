//! The seam between the protocol and an engine.

use std::fmt;
use std::sync::Arc;

use komadai_base::clock::Instant;
use komadai_core::UsiPosition;

use crate::command::GameResult;
use crate::info::Info;
use crate::limits::{ClockTimes, GoLimits};
use crate::message::{BestMove, Checkmate};
use crate::option::{OptionSpec, OptionValue};

/// An engine, as the protocol uses it.
///
/// A [`Session`](crate::Session) calls these methods in a valid order: one job at a time, option
/// values in their range, and a stop before any command that a running search cannot handle. All
/// methods must return quickly, because the next line from the GUI waits for them. Work runs in the
/// background (on a thread, or in slices within [`poll`](Self::poll)), and `poll` returns its
/// results.
///
/// # Examples
///
/// An engine that plays the first legal move:
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
///         Identity::new("First move", "the komadai developers")
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
    /// The reason why a position or an option is not accepted.
    type Error: std::error::Error;

    /// Returns name and author of the engine.
    fn identity(&self) -> Identity;

    /// Returns the options. Called once, at the start of the session; must be fast.
    fn options(&self) -> Vec<OptionSpec>;

    /// Returns the name of the option that had another name in earlier versions, if this is one.
    /// GUIs keep options and send them for years. The session sets the option and reports its name.
    fn renamed_option(&self, former: &str) -> Option<String> {
        let _ = former;
        None
    }

    /// Sets the option with this name, in the declared spelling, to a value in its range.
    ///
    /// Slow work belongs into [`prepare`](Self::prepare), which is called before the next search.
    ///
    /// # Errors
    ///
    /// If the value cannot be used. The session reports the error to the GUI.
    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), Self::Error>;

    /// Starts to prepare for a search: books, tables. Ends with [`Event::Ready`] or
    /// [`Event::NotReady`]. It is called before every game and after every change of options, so a
    /// repetition must be cheap.
    fn prepare(&mut self);

    /// Starts a new game. Data learned in the last game may be cleared.
    fn new_game(&mut self) {}

    /// Sets the position for the next [`go`](Self::go). Before the first call it is the start
    /// position of an even game.
    ///
    /// If the list contains an illegal move, an engine may keep the position before it and report
    /// that in an [`Event::Info`].
    ///
    /// # Errors
    ///
    /// If the position is invalid. Until a valid one is set, the session answers every `go` with
    /// `resign`.
    fn set_position(&mut self, position: &UsiPosition) -> Result<(), Self::Error>;

    /// Starts a search. It ends with exactly one answer: [`Event::Checkmate`] for a mate search,
    /// [`Event::BestMove`] for any other.
    ///
    /// The clock has been running since `received`. With `ponder` or `infinite`, the session holds
    /// the answer back as long as required, so an engine that finishes early simply answers.
    fn go(&mut self, limits: &GoLimits, received: Instant);

    /// Makes the running search answer as soon as possible. Called at most once for each search,
    /// unless the session quits.
    fn stop(&mut self);

    /// Continues a ponder search as a normal one: the expected move was played at `received`. The
    /// clock runs from then on, with these times, or else those of [`go`](Self::go).
    fn ponder_hit(&mut self, clock: Option<&ClockTimes>, received: Instant);

    /// Returns the static evaluation of the position for the side to move, which the command `e`
    /// prints as `eval = N`. Called after a preparation, also during a search.
    ///
    /// The command is not part of USI: YaneuraOu has it, for tests of evaluations. The default,
    /// `None`, is that the engine does not know it.
    fn evaluate(&mut self) -> Option<i32> {
        None
    }

    /// Receives the result of the game.
    fn game_over(&mut self, _result: GameResult) {}

    /// Returns the next event since the last call, or `None` if there are no more.
    ///
    /// Called every few milliseconds during a job, and at once after [`Waker::wake`].
    fn poll(&mut self) -> Option<Event>;

    /// Returns the time of the next call of [`poll`](Self::poll) that the engine needs, for
    /// instance to read the clock. Drivers call `poll` every few milliseconds anyway; this is for
    /// engines that need single milliseconds.
    fn due(&self) -> Option<Instant> {
        None
    }

    /// Receives a waker, which makes the driver call [`poll`](Self::poll) at once. Drivers that
    /// have one call this once, before all other methods. Work on another thread should use it.
    fn set_waker(&mut self, _waker: Waker) {}
}

/// Name and author of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Identity {
    /// The name of the engine with its version.
    pub name: String,
    /// The author.
    pub author: String,
}

impl Identity {
    /// Returns an identity with this name and author.
    pub fn new(name: impl Into<String>, author: impl Into<String>) -> Self {
        Self { name: name.into(), author: author.into() }
    }
}

/// An event of an engine.
///
/// # Examples
///
/// ```
/// use komadai_usi::{BestMove, Event, Info};
///
/// // The events of a short search, in the order in which `poll` returns them.
/// let best = BestMove::Move { best: "7g7f".parse()?, ponder: None };
/// let events = [Event::Info(Info::text("book move")), Event::BestMove(best)];
/// assert_eq!(events.len(), 2);
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A report of the search, or text for the user.
    Info(Info),
    /// The preparation is complete.
    Ready,
    /// The preparation has failed, for this reason.
    NotReady(String),
    /// The answer to a search.
    BestMove(BestMove),
    /// The answer to a mate search.
    Checkmate(Checkmate),
}

/// Requests a call of [`Handler::poll`], from any thread.
#[derive(Clone)]
pub struct Waker(Arc<dyn Fn() + Send + Sync>);

impl Waker {
    /// Returns a waker that calls `wake`.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(wake))
    }

    /// Requests the call. It follows soon, on the thread of the driver.
    pub fn wake(&self) {
        (self.0)();
    }
}

impl fmt::Debug for Waker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waker").finish_non_exhaustive()
    }
}
