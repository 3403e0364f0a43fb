//! The engine's side of a USI dialogue, without input and output.
//!
//! GUIs differ, and some send commands at unusual times. The session puts them in order for the
//! [`Handler`]:
//!
//! 1. A job (`isready`, `go`) runs in the background. Lines are read meanwhile.
//! 2. `stop` and `ponderhit` apply to the running search. Without one they are ignored.
//! 3. Commands that a running search cannot handle (`position`, `go`, `isready`, `usinewgame`,
//!    `gameover`) stop it, and are executed after its answer. `setoption` waits without stopping
//!    it.
//! 4. As long as a `go` is waiting, `stop` and `ponderhit` apply to that `go` and wait as well.
//! 5. A search with `ponder` or `infinite` that ends early holds its answer until `ponderhit` or
//!    `stop`.
//! 6. `e` waits for its position as well, but during a search without waiting commands it is
//!    answered at once.
//! 7. No other command is refused, for any number of waiting commands (`waiting.rs` describes how
//!    memory stays bounded). A position that cannot be read replaces the one before.
//!
//! Each `go` therefore has exactly one answer, for any order of the lines, unless `quit` comes
//! first.

mod static_evaluation;
mod waiting;

use std::time::Duration;

use komadai_base::clock::Instant;
use komadai_core::{UsiError, UsiPosition};

use crate::command::{CommandError, GuiCommand};
use crate::handler::{Event, Handler};
use crate::info::Info;
use crate::limits::{ClockTimes, GoLimits};
use crate::message::{BestMove, Checkmate, EngineMessage};
use crate::option::{OptionError, OptionSpec, OptionValue};
use crate::session::waiting::{Order, Overtaken, Waiting};
use crate::words::shorten;

/// Number of unread messages from which on orders wait until the messages have been read.
const MOST_MESSAGES: usize = 1024;

/// The engine's side of a USI dialogue, without input and output: it takes lines and returns
/// messages.
///
/// It knows in which state which command is right: orders wait until a search has ended, a `go`
/// without `isready` prepares the engine first, an answer after `go infinite` or `go ponder` is held
/// until the GUI asks for it, and a broken command is reported and changes nothing. The [`Handler`]
/// below it is called in order, by one thread, with values that are checked.
///
/// An engine on streams needs no session of its own: [`serve`](crate::serve) drives one. Feed it
/// directly where lines come from elsewhere, as in tests, in a browser or over a network; whoever
/// does so calls [`poll`](Self::poll) after each line and often while the session
/// [is busy](Self::is_busy). The GUI's side, which controls an engine, is
/// [`EngineProcess`](crate::EngineProcess).
///
/// # Examples
///
/// A dialogue with an engine that resigns at once:
///
/// ```
/// use std::convert::Infallible;
/// use std::time::Instant;
///
/// use komadai_core::UsiPosition;
/// use komadai_usi::{
///     BestMove, ClockTimes, Event, GoLimits, GuiCommand, Handler, Identity, OptionSpec, OptionValue,
///     Session,
/// };
///
/// #[derive(Default)]
/// struct Pessimist(Option<Event>);
///
/// impl Handler for Pessimist {
///     type Error = Infallible;
///
///     fn identity(&self) -> Identity {
///         Identity::new("Pessimist", "an author")
///     }
///
///     fn options(&self) -> Vec<OptionSpec> {
///         Vec::new()
///     }
///
///     fn set_option(&mut self, _: &str, _: OptionValue) -> Result<(), Infallible> {
///         Ok(())
///     }
///
///     fn prepare(&mut self) {
///         self.0 = Some(Event::Ready);
///     }
///
///     fn set_position(&mut self, _: &UsiPosition) -> Result<(), Infallible> {
///         Ok(())
///     }
///
///     fn go(&mut self, _: &GoLimits, _: Instant) {
///         self.0 = Some(Event::BestMove(BestMove::Resign));
///     }
///
///     fn stop(&mut self) {}
///
///     fn ponder_hit(&mut self, _: Option<&ClockTimes>, _: Instant) {}
///
///     fn poll(&mut self) -> Option<Event> {
///         self.0.take()
///     }
/// }
///
/// let mut session = Session::new(Pessimist::default());
/// let mut answers = Vec::new();
/// for line in ["isready", "position startpos", "go infinite", "stop"] {
///     // The clock of a search runs from the time at which the line arrived.
///     session.feed_line_at(line, Instant::now());
///     assert_eq!(session.is_preparing(), line == "isready");
///     answers.extend(session.poll().iter().map(ToString::to_string));
///     assert_eq!(session.is_busy(), line == "go infinite");
/// }
/// assert_eq!(answers, ["readyok", "bestmove resign"]); // an infinite search answers after `stop`
/// session.feed(GuiCommand::Quit, Instant::now());
/// assert!(session.has_quit());
/// ```
#[derive(Debug)]
pub struct Session<H> {
    handler: H,
    options: Vec<OptionSpec>,
    state: State,
    /// True if no option has changed since the handler was last ready.
    is_prepared: bool,
    /// The reason why there is no valid position.
    fault: Option<String>,
    waiting: Waiting,
    outbox: Vec<EngineMessage>,
    /// True after the end of the input.
    is_closing: bool,
}

#[derive(Debug)]
enum State {
    Idle,
    /// The handler is preparing. `reply` is false if the GUI has not sent `isready`, but a `go`
    /// requires it.
    Preparing {
        reply: bool,
    },
    Thinking(Box<Thinking>),
    Quit,
}

/// A search whose answer has not been sent to the GUI yet.
#[derive(Debug)]
struct Thinking {
    limits: GoLimits,
    /// True if the answer must be held until `stop`, or until `ponderhit`.
    keeps_for_stop: bool,
    keeps_for_ponder_hit: bool,
    /// True if the handler has been stopped.
    is_stopped: bool,
    /// An answer that is being held.
    kept: Option<EngineMessage>,
}

impl Thinking {
    fn new(limits: GoLimits) -> Self {
        Self {
            // `go mate infinite` is answered as soon as a mate is found, and `go ponder` without
            // limits waits for `ponderhit` only.
            keeps_for_stop: limits.infinite
                || limits.is_endless() && !limits.ponder && limits.mate.is_none(),
            keeps_for_ponder_hit: limits.ponder,
            limits,
            is_stopped: false,
            kept: None,
        }
    }

    /// Converts an answer of the wrong kind, so that an error of the handler does not reach the
    /// GUI.
    fn fit(&self, answer: EngineMessage) -> EngineMessage {
        match (self.limits.mate, &answer) {
            (Some(_), EngineMessage::BestMove(_)) => {
                EngineMessage::Checkmate(Checkmate::NotImplemented)
            }
            (None, EngineMessage::Checkmate(_)) => EngineMessage::BestMove(BestMove::Resign),
            _ => answer,
        }
    }

    fn is_free(&self) -> bool {
        !self.keeps_for_stop && !self.keeps_for_ponder_hit
    }
}

impl<H: Handler> Session<H> {
    /// Returns a session of this engine.
    pub fn new(handler: H) -> Self {
        let options = handler.options();
        Self {
            handler,
            options,
            state: State::Idle,
            is_prepared: false,
            fault: None,
            waiting: Waiting::new(),
            outbox: Vec::new(),
            is_closing: false,
        }
    }

    /// Takes a line from the GUI that has just arrived.
    pub fn feed_line(&mut self, line: &str) {
        self.feed_line_at(line, Instant::now());
    }

    /// Takes a line from the GUI that arrived at `received`, from which on the clock runs.
    pub fn feed_line_at(&mut self, line: &str, received: Instant) {
        match line.parse() {
            Ok(command) => self.feed(command, received),
            Err(CommandError::Empty) => {}
            Err(CommandError::Position(error)) => self.feed_broken_position(line, &error, received),
            Err(error) => self.report(error.to_string()),
        }
    }

    /// Takes the start of a line that is too long to be read whole.
    pub(crate) fn feed_cut_line_at(&mut self, start: &str, received: Instant) {
        const FAULT: &str = "a line of more than 1 MiB";
        let command = match start.parse() {
            Ok(GuiCommand::Position(_)) | Err(CommandError::Position(_)) => {
                return self.take(Order::Position(Err(FAULT.to_owned())), received);
            }
            // Limits may be missing in the part that was read. The search ends at once rather than
            // never.
            Ok(GuiCommand::Go(limits)) => {
                GuiCommand::Go(GoLimits { move_time: Some(Duration::ZERO), ..limits })
            }
            Ok(GuiCommand::SetOption { .. } | GuiCommand::Unknown(_)) | Err(_) => {
                return self.report(format!("Error! : {FAULT}, ignored"));
            }
            Ok(command) => command,
        };
        self.report(format!("Error! : {FAULT}, cut"));
        self.feed(command, received);
    }

    /// Takes a position with an error. If the error is among the moves, the moves before it are
    /// kept; otherwise there is no position.
    fn feed_broken_position(&mut self, line: &str, error: &UsiError, received: Instant) {
        let readable = match error {
            UsiError::BadMove { at, .. } => line.get(..*at).unwrap_or_default(),
            _ => "",
        };
        let position = UsiPosition::from_usi(readable).map_err(|_| error.to_string());
        if position.is_ok() {
            self.report(format!("Error! : position: {error}; the moves before it are kept"));
        }
        self.take(Order::Position(position), received);
    }

    /// Takes a command that arrived at `received`, from which on the clock runs.
    pub fn feed(&mut self, command: GuiCommand, received: Instant) {
        if self.has_quit() {
            return;
        }
        let order = match command {
            GuiCommand::Usi => return self.introduce(),
            GuiCommand::Quit => return self.quit(),
            GuiCommand::Unknown(line) => {
                return self.report(format!("unknown command: {}", shorten(&line)));
            }
            GuiCommand::SetOption { name, value } => match self.fit(&name, value.as_deref()) {
                Some((name, value)) => Order::Set { name, value },
                None => return,
            },
            GuiCommand::IsReady => Order::Prepare { times: 1 },
            GuiCommand::NewGame => Order::NewGame,
            GuiCommand::Position(position) => Order::Position(Ok(position)),
            GuiCommand::Go(limits) => Order::Go(limits),
            GuiCommand::Stop => Order::Stop,
            GuiCommand::PonderHit(clock) => Order::PonderHit(clock),
            GuiCommand::GameOver(result) => Order::GameOver(result),
            GuiCommand::Evaluate => Order::Evaluate,
        };
        self.take(order, received);
    }

    fn take(&mut self, order: Order, received: Instant) {
        match self.state {
            State::Quit => {}
            State::Idle if self.waiting.is_empty() => self.execute(order, received),
            _ => self.take_while_busy(order, received),
        }
    }

    fn take_while_busy(&mut self, order: Order, received: Instant) {
        let go_waits = self.waiting.has_go();
        match order {
            // With a search that waits, the command is meant for that one and waits behind it.
            Order::Stop if !go_waits => self.stop(),
            Order::PonderHit(clock) if !go_waits => self.ponder_hit(clock.as_ref(), received),
            Order::Evaluate if self.can_evaluate_now() => self.evaluate(received),
            Order::Evaluate if self.waiting.is_full() => {
                self.report("Error! : too many commands are waiting: `e` is ignored".to_owned());
            }
            order => {
                if order.interrupts() {
                    self.stop();
                }
                if self.waiting.push(order, received) {
                    let text = "too many commands are waiting: \
                                a search that another one follows is answered without being done";
                    self.report(text.to_owned());
                }
            }
        }
    }

    fn quit(&mut self) {
        self.handler.stop();
        self.waiting.clear();
        self.state = State::Quit;
    }

    /// Returns the messages since the last call, each a line for the GUI. As long as the session
    /// [is busy](Self::is_busy), more may follow at any time.
    pub fn poll(&mut self) -> Vec<EngineMessage> {
        loop {
            while let Some(event) = self.handler.poll() {
                self.on_event(event);
            }
            if !matches!(self.state, State::Idle) || self.outbox.len() >= MOST_MESSAGES {
                break;
            }
            // One order at a time: it may make the engine busy again.
            match self.waiting.pop() {
                Some((order, received)) => self.execute(order, received),
                None if self.is_closing => self.state = State::Quit,
                None => break,
            }
        }
        std::mem::take(&mut self.outbox)
    }

    /// Marks the end of the input: the GUI has ended, or the script is over.
    ///
    /// Work that ends by itself (`isready`, a search limited by nodes, depth or time of its own) is
    /// finished, and other work is stopped. Then [`has_quit`](Self::has_quit) becomes true.
    pub fn close(&mut self) {
        self.is_closing = true;
        self.stop_if_endless();
    }

    /// Returns whether there is a job. The driver should then call [`poll`](Self::poll) often.
    pub fn is_busy(&self) -> bool {
        matches!(self.state, State::Preparing { .. } | State::Thinking(_))
            || !self.waiting.is_empty()
    }

    /// Returns the time of the next call of [`poll`](Self::poll) that the engine needs, if it
    /// states one.
    pub fn due(&self) -> Option<Instant> {
        self.handler.due()
    }

    /// Returns whether the engine is preparing. Some GUIs require output during this time.
    pub fn is_preparing(&self) -> bool {
        matches!(self.state, State::Preparing { .. })
    }

    /// Returns whether the session is over.
    pub fn has_quit(&self) -> bool {
        matches!(self.state, State::Quit)
    }

    /// The engine.
    pub fn handler(&self) -> &H {
        &self.handler
    }

    /// Executes an order while there is no job.
    fn execute(&mut self, order: Order, received: Instant) {
        match order {
            Order::Set { name, value } => self.set_option(&name, value),
            Order::Prepare { times } => {
                // Each `isready` gets its own `readyok`.
                if times > 1 {
                    self.waiting.put_back(Order::Prepare { times: times - 1 }, received);
                }
                self.prepare(true);
            }
            Order::NewGame => self.handler.new_game(),
            Order::Position(position) => {
                let fault = match position {
                    Ok(position) => {
                        self.handler.set_position(&position).err().map(|error| error.to_string())
                    }
                    Err(reason) => Some(reason),
                };
                self.set_fault(fault);
            }
            Order::Go(limits) => self.go(limits, received),
            Order::GiveUp(overtaken) => self.answer_overtaken(overtaken, received),
            Order::GameOver(result) => self.handler.game_over(result),
            Order::Evaluate => self.evaluate(received),
            Order::Stop | Order::PonderHit(_) => {}
        }
    }

    fn introduce(&mut self) {
        let identity = self.handler.identity();
        self.outbox.push(EngineMessage::Name(identity.name));
        self.outbox.push(EngineMessage::Author(identity.author));
        self.outbox.extend(self.options.iter().cloned().map(EngineMessage::Option));
        self.outbox.push(EngineMessage::UsiOk);
    }

    /// Returns the declared name of the option and the value within its range. Reports a difference
    /// to the GUI.
    fn fit(&mut self, name: &str, value: Option<&str>) -> Option<(String, OptionValue)> {
        let find = |name: &str| self.options.iter().find(|spec| spec.is_named(name)).cloned();
        let renamed = || {
            let spec = find(&self.handler.renamed_option(name)?)?;
            Some((format!("option {} is {} now", shorten(name), spec.name), spec))
        };
        let found = find(name).map(|spec| (None, spec));
        let found = found.or_else(|| renamed().map(|(text, spec)| (Some(text), spec)));
        let Some((text, spec)) = found else {
            // GUIs send these two even if they are not declared.
            if !["USI_Hash", "USI_Ponder"].iter().any(|known| name.eq_ignore_ascii_case(known)) {
                self.report(OptionError::UnknownName { name: shorten(name) }.to_string());
            }
            return None;
        };
        if let Some(text) = text {
            self.report(text);
        }
        let name = spec.name.clone();
        match spec.accept(value) {
            Ok(accepted) => {
                if let (OptionValue::Spin(number), Some(given)) = (&accepted, value)
                    && given.trim_ascii().parse() != Ok(*number)
                {
                    self.report(format!("{name}: {} is cut to {number}", shorten(given)));
                }
                Some((name, accepted))
            }
            Err(error) => {
                self.report(error.to_string());
                None
            }
        }
    }

    fn set_option(&mut self, name: &str, value: OptionValue) {
        self.is_prepared = false;
        if let Err(error) = self.handler.set_option(name, value) {
            self.report(format!("{name}: {error}"));
        }
    }

    fn prepare(&mut self, reply: bool) {
        self.state = State::Preparing { reply };
        self.handler.prepare();
    }

    fn set_fault(&mut self, fault: Option<String>) {
        if let Some(fault) = &fault {
            self.report(format!("Error! : position: {fault}"));
        }
        self.fault = fault;
    }

    fn go(&mut self, limits: GoLimits, received: Instant) {
        if !self.is_prepared {
            self.waiting.put_back(Order::Go(limits), received);
            self.prepare(false);
            return;
        }
        if let Some(fault) = &self.fault {
            let text = format!("Error! : no position to think about: {fault}");
            self.report(text);
            self.give_up(limits);
            return;
        }
        // The lines of a script are read long before they are executed.
        let received = if self.is_closing { Instant::now() } else { received };
        self.handler.go(&limits, received);
        self.begin(Thinking::new(limits));
    }

    /// Answers a search that cannot be run, at once or after `ponderhit` or `stop`.
    fn give_up(&mut self, limits: GoLimits) {
        let answer = match limits.mate {
            Some(_) => EngineMessage::Checkmate(Checkmate::Timeout),
            None => EngineMessage::BestMove(BestMove::Resign),
        };
        self.begin(Thinking { kept: Some(answer), ..Thinking::new(limits) });
        self.release();
    }

    /// Answers one of the searches that were overtaken while waiting. The others follow.
    fn answer_overtaken(&mut self, mut overtaken: Overtaken, received: Instant) {
        if let Some(answer) = overtaken.answer_one() {
            self.outbox.push(answer);
            self.waiting.put_back(Order::GiveUp(overtaken), received);
        }
    }

    /// Starts a search and executes the `stop` and `ponderhit` that arrived for it earlier.
    fn begin(&mut self, thinking: Thinking) {
        self.state = State::Thinking(Box::new(thinking));
        while let Some((signal, received)) = self.waiting.pop_signal() {
            match signal {
                Order::PonderHit(clock) => self.ponder_hit(clock.as_ref(), received),
                _ => self.stop(),
            }
        }
        if self.waiting.interrupts() {
            self.stop();
        }
        if self.is_closing {
            self.stop_if_endless();
        }
    }

    fn stop(&mut self) {
        let State::Thinking(thinking) = &mut self.state else { return };
        thinking.keeps_for_stop = false;
        thinking.keeps_for_ponder_hit = false;
        if thinking.kept.is_none() && !std::mem::replace(&mut thinking.is_stopped, true) {
            self.handler.stop();
        }
        self.release();
    }

    fn stop_if_endless(&mut self) {
        if let State::Thinking(thinking) = &self.state
            && !thinking.limits.is_self_limiting()
        {
            self.stop();
        }
    }

    fn ponder_hit(&mut self, clock: Option<&ClockTimes>, received: Instant) {
        let State::Thinking(thinking) = &mut self.state else { return };
        if std::mem::take(&mut thinking.keeps_for_ponder_hit) {
            // From now on the search ends by itself if its limits do.
            thinking.limits.ponder = false;
            thinking.limits.clock = clock.cloned().or(thinking.limits.clock.take());
            if thinking.kept.is_none() {
                self.handler.ponder_hit(clock, received);
            }
            self.release();
        }
    }

    /// Sends the held answer, if it need not be held any longer.
    fn release(&mut self) {
        let State::Thinking(thinking) = &mut self.state else { return };
        if thinking.is_free()
            && let Some(answer) = thinking.kept.take()
        {
            self.outbox.push(answer);
            self.state = State::Idle;
        }
    }

    fn on_event(&mut self, event: Event) {
        match event {
            Event::Info(info) => self.outbox.push(EngineMessage::Info(info)),
            Event::Ready => self.on_ready(),
            Event::NotReady(reason) => self.on_not_ready(&reason),
            Event::BestMove(best) => self.on_answer(EngineMessage::BestMove(best)),
            Event::Checkmate(line) => self.on_answer(EngineMessage::Checkmate(line)),
        }
    }

    fn on_ready(&mut self) {
        if let State::Preparing { reply } = self.state {
            if reply {
                self.outbox.push(EngineMessage::ReadyOk);
            }
            self.is_prepared = true;
            self.state = State::Idle;
        }
    }

    fn on_not_ready(&mut self, reason: &str) {
        let State::Preparing { reply } = self.state else { return };
        self.report(format!("Error! : {reason}"));
        self.state = State::Idle;
        // The `go` that required the preparation must be answered nevertheless; the report is an
        // answer to `e`.
        if !reply && let Some(Order::Go(limits)) = self.waiting.pop_barrier() {
            self.give_up(limits);
        }
    }

    /// Handles an answer. Without a search it is dropped, because the GUI would take it for the
    /// next answer.
    fn on_answer(&mut self, answer: EngineMessage) {
        let State::Thinking(thinking) = &mut self.state else { return };
        if thinking.kept.is_none() {
            thinking.kept = Some(thinking.fit(answer));
            self.release();
        }
    }

    fn report(&mut self, text: String) {
        self.outbox.push(EngineMessage::Info(Info::text(text)));
    }
}

#[cfg(test)]
mod tests;
