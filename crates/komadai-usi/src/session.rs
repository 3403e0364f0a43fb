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
//! 6. However many commands wait, none is refused (see `waiting.rs` for how that fits into bounded
//!    memory), and a position that cannot be read takes the place of the one before.
//!
//! So each `go` has exactly one answer, whatever the order of the lines, unless `quit` comes first.

mod waiting;

use std::time::{Duration, Instant};

use komadai_core::{UsiError, UsiPosition};

use crate::command::{CommandError, GuiCommand};
use crate::handler::{Event, Handler};
use crate::info::Info;
use crate::limits::{ClockTimes, GoLimits};
use crate::message::{BestMove, Checkmate, EngineMessage};
use crate::option::{OptionError, OptionSpec, OptionValue};
use crate::words::shorten;
use waiting::{Order, Overtaken, Waiting};

/// Once there is so much to say, orders wait until it has been fetched.
const MOST_MESSAGES: usize = 1024;

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
    waiting: Waiting,
    outbox: Vec<EngineMessage>,
    /// No more commands will come.
    is_closing: bool,
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
            waiting: Waiting::new(),
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

    /// Takes what was read of a line that is too long to be read whole.
    pub(crate) fn feed_cut_line_at(&mut self, start: &str, received: Instant) {
        const FAULT: &str = "a line of more than 1 MiB";
        let command = match start.parse() {
            Ok(GuiCommand::Position(_)) | Err(CommandError::Position(_)) => {
                return self.take(Order::Position(Err(FAULT.to_owned())), received);
            }
            // A limit may be lost: the search must rather end at once than never.
            Ok(GuiCommand::Go(limits)) => {
                GuiCommand::Go(GoLimits { move_time: Some(Duration::ZERO), ..limits })
            }
            Ok(GuiCommand::SetOption { .. } | GuiCommand::Unknown(_)) | Err(_) => {
                return self.tell(format!("Error! : {FAULT}, ignored"));
            }
            Ok(command) => command,
        };
        self.tell(format!("Error! : {FAULT}, cut"));
        self.feed(command, received);
    }

    /// A bad word among the moves leaves the game up to there; anything else leaves no position.
    fn feed_broken_position(&mut self, line: &str, error: &UsiError, received: Instant) {
        let readable = match error {
            UsiError::BadMove { at, .. } => line.get(..*at).unwrap_or_default(),
            _ => "",
        };
        let position = UsiPosition::from_usi(readable).map_err(|_| error.to_string());
        if position.is_ok() {
            self.tell(format!("Error! : position: {error}; the moves before it are kept"));
        }
        self.take(Order::Position(position), received);
    }

    /// Takes a command that came at `received`, from which the clock runs.
    pub fn feed(&mut self, command: GuiCommand, received: Instant) {
        if self.has_quit() {
            return;
        }
        let order = match command {
            GuiCommand::Usi => return self.introduce(),
            GuiCommand::Quit => return self.quit(),
            GuiCommand::Unknown(line) => {
                return self.tell(format!("unknown command: {}", shorten(&line)));
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
        };
        self.take(order, received);
    }

    fn take(&mut self, order: Order, received: Instant) {
        match self.state {
            State::Quit => {}
            State::Idle if self.waiting.is_empty() => self.obey(order, received),
            _ => self.take_while_busy(order, received),
        }
    }

    fn take_while_busy(&mut self, order: Order, received: Instant) {
        let go_waits = self.waiting.has_go();
        match order {
            Order::Stop if !go_waits => self.stop(),
            Order::PonderHit(clock) if !go_waits => self.ponder_hit(clock.as_ref(), received),
            order => {
                if order.interrupts() {
                    self.stop();
                }
                if self.waiting.push(order, received) {
                    let text = "too many commands are waiting: \
                                a search that another one follows is answered without being done";
                    self.tell(text.to_owned());
                }
            }
        }
    }

    fn quit(&mut self) {
        self.handler.stop();
        self.waiting.clear();
        self.state = State::Quit;
    }

    /// Fetches what there is to say: each message is a line for the GUI. There may be more at
    /// once, as long as the session [is busy](Self::is_busy).
    pub fn poll(&mut self) -> Vec<EngineMessage> {
        loop {
            while let Some(event) = self.handler.poll() {
                self.hear(event);
            }
            if !matches!(self.state, State::Idle) || self.outbox.len() >= MOST_MESSAGES {
                break;
            }
            match self.waiting.pop() {
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

    /// When [`poll`](Self::poll) should be called at the latest, if the engine has a time in mind.
    #[must_use]
    pub fn due(&self) -> Option<Instant> {
        self.handler.due()
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
        match order {
            Order::Set { name, value } => self.set_option(&name, value),
            Order::Prepare { times } => {
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

    /// The option of this name as it is declared and the value as it fits; the GUI is told where
    /// they differ from what it said.
    fn fit(&mut self, name: &str, value: Option<&str>) -> Option<(String, OptionValue)> {
        let Some(spec) = self.options.iter().find(|spec| spec.is_named(name)) else {
            // GUIs send these two whether or not they are declared.
            if !["USI_Hash", "USI_Ponder"].iter().any(|known| name.eq_ignore_ascii_case(known)) {
                self.tell(OptionError::UnknownName { name: shorten(name) }.to_string());
            }
            return None;
        };
        let name = spec.name.clone();
        match spec.accept(value) {
            Ok(accepted) => {
                if let (OptionValue::Spin(number), Some(said)) = (&accepted, value)
                    && said.trim_ascii().parse() != Ok(*number)
                {
                    self.tell(format!("{name}: {} is cut to {number}", shorten(said)));
                }
                Some((name, accepted))
            }
            Err(error) => {
                self.tell(error.to_string());
                None
            }
        }
    }

    fn set_option(&mut self, name: &str, value: OptionValue) {
        self.is_prepared = false;
        if let Err(error) = self.handler.set_option(name, value) {
            self.tell(format!("{name}: {error}"));
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
            self.waiting.put_back(Order::Go(limits), received);
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

    /// Answers one search that was overtaken while it waited; the others have their turn next.
    fn answer_overtaken(&mut self, mut overtaken: Overtaken, received: Instant) {
        if let Some(answer) = overtaken.answer_one() {
            self.outbox.push(answer);
            self.waiting.put_back(Order::GiveUp(overtaken), received);
        }
    }

    /// A search runs. What came for it before it did is obeyed now.
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
        if !reply && let Some(limits) = self.waiting.pop_go() {
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
