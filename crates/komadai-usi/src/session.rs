//! The engine's side of a conversation, without input and output.
//!
//! GUIs differ, and some send things at odd times. The session puts them in order for the
//! [`Handler`]:
//!
//! 1. A job (`isready`, `go`) runs in the background. Lines keep being read meanwhile.
//! 2. `stop` and `ponderhit` go to the running search, and nowhere if there is none.
//! 3. Whatever the search could not bear (`position`, `go`, `isready`, `usinewgame`, `gameover`)
//!    stops it first and is obeyed after its answer; `setoption` waits without stopping it.
//! 4. Once a `go` waits in that line, `stop` and `ponderhit` are meant for it and wait as well.
//! 5. A search on `ponder` or `infinite` that is done early keeps its answer until it is asked.
//!
//! So each `go` has exactly one answer, whatever the order of the lines.

use std::collections::VecDeque;
use std::time::Instant;

use komadai_core::{UsiError, UsiPosition};

use crate::command::{CommandError, GuiCommand};
use crate::handler::{Event, Handler};
use crate::info::Info;
use crate::limits::{ClockTimes, GoLimits};
use crate::message::{BestMove, Checkmate, EngineMessage};
use crate::option::{OptionError, OptionSpec, OptionValue};
use crate::words::shorten;

/// More commands than any GUI sends ahead; those beyond are refused, so that memory is bounded.
const MOST_WAITING: usize = 4096;

/// The engine's side of a conversation, without input and output: lines go in, messages come out.
///
/// [`serve`](crate::serve) drives one over stdin and stdout; tests and a browser feed it
/// themselves. See [`Handler`] for an example.
#[derive(Debug)]
pub struct Session<H> {
    handler: H,
    options: Vec<OptionSpec>,
    state: State,
    /// Whether nothing has changed since the handler was last ready.
    is_prepared: bool,
    /// Why there is no position to think about.
    fault: Option<String>,
    /// Orders for after the running job, with the time they came.
    waiting: VecDeque<(Order, Instant)>,
    outbox: Vec<EngineMessage>,
    /// No more commands will come.
    is_closing: bool,
}

/// What the GUI wants.
#[derive(Debug)]
enum Order {
    Obey(GuiCommand),
    /// A position that cannot be read, and why. It takes its turn like one that can.
    Unreadable(String),
}

impl Order {
    fn is_go(&self) -> bool {
        matches!(self, Self::Obey(GuiCommand::Go(_)))
    }

    /// Whether a running search must end before this.
    fn interrupts(&self) -> bool {
        use GuiCommand::{GameOver, Go, IsReady, NewGame, Position};
        matches!(
            self,
            Self::Unreadable(_) | Self::Obey(IsReady | NewGame | Position(_) | Go(_) | GameOver(_))
        )
    }
}

#[derive(Debug)]
enum State {
    Idle,
    /// `isready` is being worked on; without `reply` nobody has sent it, but a `go` needs it.
    Preparing {
        reply: bool,
    },
    Thinking(Box<Thinking>),
    Quit,
}

/// A search that has not been answered to the GUI yet.
#[derive(Debug)]
struct Thinking {
    limits: GoLimits,
    /// Whether the answer must be kept until `stop`, or until `ponderhit`.
    keeps_for_stop: bool,
    keeps_for_ponder_hit: bool,
    /// Whether the handler has been told to stop.
    is_stopped: bool,
    /// An answer that is being kept.
    kept: Option<EngineMessage>,
}

impl Thinking {
    fn new(limits: GoLimits) -> Self {
        Self {
            // A mate is told when it is found, and `go ponder` alone waits for `ponderhit` only.
            keeps_for_stop: limits.infinite
                || limits.is_endless() && !limits.ponder && limits.mate.is_none(),
            keeps_for_ponder_hit: limits.ponder,
            limits,
            is_stopped: false,
            kept: None,
        }
    }

    /// The answer of the wanted kind: a handler that mixes them up must not confuse the GUI.
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
    /// Begins a conversation about this engine.
    #[must_use]
    pub fn new(handler: H) -> Self {
        let options = handler.options();
        Self {
            handler,
            options,
            state: State::Idle,
            is_prepared: false,
            fault: None,
            waiting: VecDeque::new(),
            outbox: Vec::new(),
            is_closing: false,
        }
    }

    /// Takes a line from the GUI, now.
    pub fn feed_line(&mut self, line: &str) {
        self.feed_line_at(line, Instant::now());
    }

    /// Takes a line from the GUI that came at `received`, from which the clock runs.
    pub fn feed_line_at(&mut self, line: &str, received: Instant) {
        match line.parse() {
            Ok(command) => self.feed(command, received),
            Err(CommandError::Empty) => {}
            Err(CommandError::Position(error)) => self.feed_broken_position(line, &error, received),
            Err(error) => self.tell(error.to_string()),
        }
    }

    /// A bad word among the moves leaves the game up to there; anything else leaves no position.
    fn feed_broken_position(&mut self, line: &str, error: &UsiError, received: Instant) {
        let readable = match error {
            UsiError::BadMove { at, .. } => line.get(..*at).unwrap_or_default(),
            _ => "",
        };
        let order = match UsiPosition::from_usi(readable) {
            Ok(position) => {
                self.tell(format!("Error! : position: {error}; the moves before it are kept"));
                Order::Obey(GuiCommand::Position(position))
            }
            Err(_) => Order::Unreadable(error.to_string()),
        };
        self.take(order, received);
    }

    /// Takes a command that came at `received`, from which the clock runs.
    pub fn feed(&mut self, command: GuiCommand, received: Instant) {
        self.take(Order::Obey(command), received);
    }

    fn take(&mut self, order: Order, received: Instant) {
        match self.state {
            State::Quit => {}
            _ if matches!(order, Order::Obey(GuiCommand::Quit)) => self.quit(),
            State::Idle if self.waiting.is_empty() => self.obey(order, received),
            _ => self.take_while_busy(order, received),
        }
    }

    fn take_while_busy(&mut self, order: Order, received: Instant) {
        let go_waits = self.waiting.iter().any(|(order, _)| order.is_go());
        match order {
            Order::Obey(GuiCommand::Stop) if !go_waits => self.stop(),
            Order::Obey(GuiCommand::PonderHit(clock)) if !go_waits => {
                self.ponder_hit(clock.as_ref(), received);
            }
            Order::Obey(GuiCommand::Usi) => self.introduce(),
            order => {
                if order.interrupts() {
                    self.stop();
                }
                if self.waiting.len() < MOST_WAITING {
                    self.waiting.push_back((order, received));
                } else {
                    self.tell("too many commands are waiting, ignored one".to_owned());
                }
            }
        }
    }

    fn quit(&mut self) {
        self.handler.stop();
        self.waiting.clear();
        self.state = State::Quit;
    }

    /// Fetches what there is to say: each message is a line for the GUI.
    pub fn poll(&mut self) -> Vec<EngineMessage> {
        loop {
            while let Some(event) = self.handler.poll() {
                self.hear(event);
            }
            if !matches!(self.state, State::Idle) {
                break;
            }
            match self.waiting.pop_front() {
                Some((order, received)) => self.obey(order, received),
                None if self.is_closing => self.state = State::Quit,
                None => break,
            }
        }
        std::mem::take(&mut self.outbox)
    }

    /// Says that no more lines will come: the GUI is gone, or a script has said all it had to.
    ///
    /// Work that ends by itself (`isready`, a search limited by nodes, depth or time of its own)
    /// is finished, any other is stopped; then [`has_quit`](Self::has_quit) becomes true.
    pub fn close(&mut self) {
        self.is_closing = true;
        self.stop_if_endless();
    }

    /// Whether there is a job: [`poll`](Self::poll) often.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        matches!(self.state, State::Preparing { .. } | State::Thinking(_))
            || !self.waiting.is_empty()
    }

    /// Whether the engine is working on `isready`: some GUIs want to see a sign of life.
    #[must_use]
    pub fn is_preparing(&self) -> bool {
        matches!(self.state, State::Preparing { .. })
    }

    /// Whether it is time to exit.
    #[must_use]
    pub fn has_quit(&self) -> bool {
        matches!(self.state, State::Quit)
    }

    /// The engine.
    #[must_use]
    pub fn handler(&self) -> &H {
        &self.handler
    }

    /// The engine, for changes behind the protocol's back.
    pub fn handler_mut(&mut self) -> &mut H {
        &mut self.handler
    }

    /// Obeys an order while there is no job.
    fn obey(&mut self, order: Order, received: Instant) {
        let command = match order {
            Order::Obey(command) => command,
            Order::Unreadable(reason) => return self.set_fault(Some(reason)),
        };
        match command {
            GuiCommand::Usi => self.introduce(),
            GuiCommand::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            GuiCommand::IsReady => self.prepare(true),
            GuiCommand::NewGame => self.handler.new_game(),
            GuiCommand::Position(position) => {
                let fault = self.handler.set_position(&position).err();
                self.set_fault(fault.map(|error| error.to_string()));
            }
            GuiCommand::Go(limits) => self.go(limits, received),
            GuiCommand::GameOver(result) => self.handler.game_over(result),
            GuiCommand::Stop | GuiCommand::PonderHit(_) => {}
            GuiCommand::Quit => self.quit(),
            GuiCommand::Unknown(line) => self.tell(format!("unknown command: {}", shorten(&line))),
        }
    }

    fn introduce(&mut self) {
        let identity = self.handler.identity();
        self.outbox.push(EngineMessage::Name(identity.name));
        self.outbox.push(EngineMessage::Author(identity.author));
        self.outbox.extend(self.options.iter().cloned().map(EngineMessage::Option));
        self.outbox.push(EngineMessage::UsiOk);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let Some(spec) = self.options.iter().find(|spec| spec.is_named(name)) else {
            // GUIs send these two whether or not they are declared.
            if !["USI_Hash", "USI_Ponder"].iter().any(|known| name.eq_ignore_ascii_case(known)) {
                self.tell(OptionError::UnknownName { name: shorten(name) }.to_string());
            }
            return;
        };
        match spec.accept(value) {
            Ok(accepted) => {
                let name = spec.name.clone();
                if let (OptionValue::Spin(number), Some(said)) = (&accepted, value)
                    && said.trim_ascii().parse() != Ok(*number)
                {
                    self.tell(format!("{name}: {} is cut to {number}", shorten(said)));
                }
                self.is_prepared = false;
                if let Err(error) = self.handler.set_option(&name, accepted) {
                    self.tell(format!("{name}: {error}"));
                }
            }
            Err(error) => self.tell(error.to_string()),
        }
    }

    fn prepare(&mut self, reply: bool) {
        self.state = State::Preparing { reply };
        self.handler.prepare();
    }

    fn set_fault(&mut self, fault: Option<String>) {
        if let Some(fault) = &fault {
            self.tell(format!("Error! : position: {fault}"));
        }
        self.fault = fault;
    }

    fn go(&mut self, limits: GoLimits, received: Instant) {
        if !self.is_prepared {
            self.waiting.push_front((Order::Obey(GuiCommand::Go(limits)), received));
            self.prepare(false);
            return;
        }
        if let Some(fault) = &self.fault {
            let text = format!("Error! : no position to think about: {fault}");
            self.tell(text);
            self.give_up(limits);
            return;
        }
        // A script that is piped in is read long before its turn has come.
        let received = if self.is_closing { Instant::now() } else { received };
        self.handler.go(&limits, received);
        self.begin(Thinking::new(limits));
    }

    /// Answers a search that cannot be done: at once, or when it is asked.
    fn give_up(&mut self, limits: GoLimits) {
        let answer = match limits.mate {
            Some(_) => EngineMessage::Checkmate(Checkmate::Timeout),
            None => EngineMessage::BestMove(BestMove::Resign),
        };
        self.begin(Thinking { kept: Some(answer), ..Thinking::new(limits) });
        self.release();
    }

    /// A search runs. What came for it before it did is obeyed now.
    fn begin(&mut self, thinking: Thinking) {
        self.state = State::Thinking(Box::new(thinking));
        let mut index = 0;
        while let Some((order, received)) = self.waiting.get(index) {
            let received = *received;
            match order {
                Order::Obey(GuiCommand::Go(_)) => break,
                Order::Obey(GuiCommand::Stop) => {
                    self.waiting.remove(index);
                    self.stop();
                }
                Order::Obey(GuiCommand::PonderHit(clock)) => {
                    let clock = clock.clone();
                    self.waiting.remove(index);
                    self.ponder_hit(clock.as_ref(), received);
                }
                _ => index += 1,
            }
        }
        if self.waiting.iter().any(|(order, _)| order.interrupts()) {
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
            if thinking.kept.is_none() {
                self.handler.ponder_hit(clock, received);
            }
            self.release();
        }
    }

    /// Sends the answer that has been kept, if it need not be kept any longer.
    fn release(&mut self) {
        let State::Thinking(thinking) = &mut self.state else { return };
        if thinking.is_free()
            && let Some(answer) = thinking.kept.take()
        {
            self.outbox.push(answer);
            self.state = State::Idle;
        }
    }

    fn hear(&mut self, event: Event) {
        match event {
            Event::Info(info) => self.outbox.push(EngineMessage::Info(info)),
            Event::Ready => self.hear_ready(),
            Event::NotReady(reason) => self.hear_not_ready(&reason),
            Event::BestMove(best) => self.hear_answer(EngineMessage::BestMove(best)),
            Event::Checkmate(line) => self.hear_answer(EngineMessage::Checkmate(line)),
        }
    }

    fn hear_ready(&mut self) {
        if let State::Preparing { reply } = self.state {
            if reply {
                self.outbox.push(EngineMessage::ReadyOk);
            }
            self.is_prepared = true;
            self.state = State::Idle;
        }
    }

    fn hear_not_ready(&mut self, reason: &str) {
        let State::Preparing { reply } = self.state else { return };
        self.tell(format!("Error! : {reason}"));
        self.state = State::Idle;
        // The `go` that wanted the preparation gets its answer even so.
        if !reply && let Some((Order::Obey(GuiCommand::Go(limits)), _)) = self.waiting.pop_front() {
            self.give_up(limits);
        }
    }

    /// An answer without a search is dropped: the GUI would take it for the next one.
    fn hear_answer(&mut self, answer: EngineMessage) {
        let State::Thinking(thinking) = &mut self.state else { return };
        if thinking.kept.is_none() {
            thinking.kept = Some(thinking.fit(answer));
            self.release();
        }
    }

    fn tell(&mut self, text: String) {
        self.outbox.push(EngineMessage::Info(Info::text(text)));
    }
}

#[cfg(test)]
mod tests;
