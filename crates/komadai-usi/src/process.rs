//! An engine in a process of its own, supervised.

use std::process::ExitStatus;
use std::time::{Duration, Instant};

use komadai_core::{Analysis, Budget, Move, Position, UsiPosition};
use komadai_movegen::{MoveGen, play};

use crate::client_error::{ClientError, ClientFault};
use crate::command::{GameResult, GuiCommand};
use crate::gather::Gather;
use crate::handler::Identity;
use crate::info::Info;
use crate::launch::EngineConfig;
use crate::limits::{GoLimits, MateLimit};
use crate::link::Link;
use crate::message::{BestMove, Checkmate, EngineMessage};
use crate::option::{OptionError, OptionSpec};
use crate::pipes::{Pipes, Received};
use crate::words::shorten;

/// How often a stop flag is looked at.
const FLAG_INTERVAL: Duration = Duration::from_millis(5);

/// A USI engine in a process of its own.
///
/// Whatever the engine does, no call here blocks for ever: one that is silent for longer than its
/// [`Patience`](crate::Patience) is killed, during a search after being told to stop. Answers are
/// checked: a move is returned only if it is legal. After an error, [`restart`](Self::restart)
/// gives a fresh process with the same options. The process is killed when this is dropped.
///
/// # Examples
///
/// ```no_run
/// use komadai_core::{Budget, UsiPosition};
/// use komadai_usi::{EngineConfig, EngineProcess};
///
/// let config = EngineConfig::new("/opt/engines/some-engine").with_option("USI_Hash", "64");
/// let mut engine = EngineProcess::launch(config)?;
/// let game = UsiPosition::from_usi("startpos moves 7g7f")?;
/// let analysis = engine.analyse(&game, &Budget::nodes(100_000), &mut |_| {})?;
/// println!("{}: {:?}", engine.identity().name, analysis.best_move());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EngineProcess {
    config: EngineConfig,
    link: Link,
    identity: Identity,
    options: Vec<OptionSpec>,
    /// Whether nothing has been set since it last said `readyok`.
    is_ready: bool,
}

/// The answer to a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What the engine plays.
    pub best: BestMove,
    /// What it saw; [`completed`](Analysis::completed) unless it had to be told to stop.
    pub analysis: Analysis,
    /// From sending `go` to reading the answer, as a referee measures it.
    pub elapsed: Duration,
}

/// A question to an engine, and what may cut the search for its answer short.
struct Question<'a> {
    game: &'a UsiPosition,
    limits: GoLimits,
    budget: &'a Budget,
    progress: &'a mut dyn FnMut(&Info),
}

/// What an engine said to a question, of whatever kind.
struct Reply {
    message: EngineMessage,
    position: Position,
    analysis: Analysis,
    elapsed: Duration,
}

impl EngineProcess {
    /// Starts an engine, lets it introduce itself, sets its options and waits until it is ready.
    ///
    /// # Errors
    ///
    /// [`ClientFault::Launch`] if it does not start, [`ClientFault::Option`] for options that it
    /// does not have, others if it does not behave.
    pub fn launch(config: EngineConfig) -> Result<Self, ClientError> {
        let child = config.spawn().map_err(|source| {
            let program = config.program.clone();
            let engine = program.display().to_string();
            ClientError::new(engine, ClientFault::Launch { program, source }, Vec::new())
        })?;
        let mut engine = Self {
            config,
            link: Link { pipes: Pipes::new(child) },
            identity: Identity::default(),
            options: Vec::new(),
            is_ready: false,
        };
        match engine.shake_hands() {
            Ok(()) => Ok(engine),
            Err(fault) => Err(engine.report(fault)),
        }
    }

    /// Kills the process and starts another in its place, with the same options.
    ///
    /// # Errors
    ///
    /// As [`launch`](Self::launch); the old process is gone all the same.
    pub fn restart(&mut self) -> Result<(), ClientError> {
        self.link.pipes.kill();
        *self = Self::launch(self.config.clone())?;
        Ok(())
    }

    /// What the engine says about itself.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The options that the engine declares.
    #[must_use]
    pub fn options(&self) -> &[OptionSpec] {
        &self.options
    }

    /// How it was started, with the options set since.
    #[must_use]
    pub fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// The number of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.link.pipes.id()
    }

    /// The last lines that passed, oldest first: `<` to the engine, `>` from it, `!` from its
    /// standard error.
    #[must_use]
    pub fn transcript(&self) -> Vec<String> {
        self.link.pipes.transcript().lines()
    }

    /// Sets an option, or presses a button if there is no value. A value is kept for
    /// [`restart`](Self::restart).
    ///
    /// # Errors
    ///
    /// [`ClientFault::Option`] if the engine does not declare the option, or not for this value.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), ClientError> {
        self.send_option(name, value).map_err(|fault| self.report(fault))?;
        if let Some(value) = value {
            let settings = &mut self.config.options;
            settings.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
            settings.push((name.to_owned(), value.to_owned()));
        }
        Ok(())
    }

    /// Tells the engine that a new game begins, once it is ready for one.
    ///
    /// # Errors
    ///
    /// When the engine is gone or silent.
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        let told = self.prepare().and_then(|()| self.link.send(&GuiCommand::NewGame));
        told.map_err(|fault| self.report(fault))
    }

    /// Tells the engine that the game is over.
    ///
    /// # Errors
    ///
    /// When the engine is gone.
    pub fn game_over(&mut self, result: GameResult) -> Result<(), ClientError> {
        self.is_ready = false;
        let told = self.link.send(&GuiCommand::GameOver(result));
        told.map_err(|fault| self.report(fault))
    }

    /// Has the engine search, and waits for its answer.
    ///
    /// The engine keeps to `limits` on its own account (`ponder` and `mate` are left out: for the
    /// latter see [`find_mate`](Self::find_mate)). When `budget` runs out of time or is stopped,
    /// the engine is told to stop, and killed if it does not answer then. The budget's nodes and
    /// depth are not looked at; they belong into `limits`. `progress` hears every `info` line.
    ///
    /// # Errors
    ///
    /// [`ClientFault::Position`] if `game` is not legal; otherwise the engine's faults.
    pub fn go(
        &mut self,
        game: &UsiPosition,
        limits: &GoLimits,
        budget: &Budget,
        progress: &mut dyn FnMut(&Info),
    ) -> Result<Answer, ClientError> {
        let limits = GoLimits { ponder: false, mate: None, ..limits.clone() };
        let question = Question { game, limits, budget, progress };
        let answer = self.ask(question).and_then(|reply| check_answer(game, reply));
        answer.map_err(|fault| self.report(fault))
    }

    /// Has the engine judge a position within `budget`: nodes and depth are passed on; a deadline
    /// is passed on as `movetime` and enforced.
    ///
    /// The result is what the engine said last, which has no lines if it said nothing.
    ///
    /// # Errors
    ///
    /// As [`go`](Self::go).
    pub fn analyse(
        &mut self,
        game: &UsiPosition,
        budget: &Budget,
        progress: &mut dyn FnMut(&Info),
    ) -> Result<Analysis, ClientError> {
        let limits = GoLimits {
            depth: budget.depth,
            nodes: budget.nodes,
            move_time: time_left(budget),
            ..GoLimits::default()
        };
        self.go(game, &limits, budget, progress).map(|answer| answer.analysis)
    }

    /// Has the engine look for a mate within `budget`.
    ///
    /// # Errors
    ///
    /// As [`go`](Self::go), with [`ClientFault::IllegalMove`] for a line that cannot be played.
    /// Whether a legal line ends in mate is not checked.
    pub fn find_mate(
        &mut self,
        game: &UsiPosition,
        budget: &Budget,
        progress: &mut dyn FnMut(&Info),
    ) -> Result<Checkmate, ClientError> {
        let limits = GoLimits {
            mate: Some(time_left(budget).map_or(MateLimit::Infinite, MateLimit::Within)),
            nodes: budget.nodes,
            ..GoLimits::default()
        };
        let question = Question { game, limits, budget, progress };
        let checkmate = self.ask(question).and_then(|reply| check_mate(game, reply));
        checkmate.map_err(|fault| self.report(fault))
    }

    /// Asks the engine to exit, and kills it if it does not.
    ///
    /// Returns how it exited; `None` if it had to be killed.
    pub fn quit(mut self) -> Option<ExitStatus> {
        let pipes = &mut self.link.pipes;
        // An engine that is gone cannot be told, and need not be.
        let _ = pipes.send(GuiCommand::Quit.to_string());
        let until = Instant::now() + self.config.patience.quit;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match pipes.receive(left) {
                Received::Closed => return pipes.finish(),
                Received::Line(..) | Received::TooLong if !left.is_zero() => {}
                _ => return None,
            }
        }
    }

    /// From the start to the first `readyok`.
    fn shake_hands(&mut self) -> Result<(), ClientFault> {
        let Self { link, identity, options, .. } = self;
        link.send(&GuiCommand::Usi)?;
        let patience = self.config.patience.launch;
        link.receive_until(&EngineMessage::UsiOk, "`usiok`", patience, |message| match message {
            EngineMessage::Name(name) => identity.name = name,
            EngineMessage::Author(author) => identity.author = author,
            EngineMessage::Option(option) => options.push(option),
            _ => {}
        })?;
        for (name, value) in self.config.options.clone() {
            self.send_option(&name, Some(&value))?;
        }
        self.prepare()
    }

    fn prepare(&mut self) -> Result<(), ClientFault> {
        self.link.discard_late_lines()?;
        self.link.send(&GuiCommand::IsReady)?;
        let patience = self.config.patience.ready;
        self.link.receive_until(&EngineMessage::ReadyOk, "`readyok`", patience, drop)?;
        self.is_ready = true;
        Ok(())
    }

    fn send_option(&mut self, name: &str, value: Option<&str>) -> Result<(), ClientFault> {
        let known = self.options.iter().find(|option| option.is_named(name));
        // These two belong to the protocol; engines may take them without declaring them.
        let is_reserved = matches!(name, "USI_Hash" | "USI_Ponder");
        match known {
            Some(option) => option.accept_exactly(value)?,
            None if is_reserved => {}
            None => return Err(OptionError::UnknownName { name: shorten(name) }.into()),
        }
        self.is_ready = false;
        let name = known.map_or(name, |option| &option.name).to_owned();
        self.link.send(&GuiCommand::SetOption { name, value: value.map(str::to_owned) })
    }

    fn ask(&mut self, question: Question<'_>) -> Result<Reply, ClientFault> {
        let position = play(question.game)?;
        if !self.is_ready {
            self.prepare()?;
        }
        self.link.discard_late_lines()?;
        self.link.send(&GuiCommand::Position(question.game.clone()))?;
        self.link.send(&GuiCommand::Go(question.limits.clone()))?;
        self.await_reply(question, position)
    }

    fn await_reply(
        &mut self,
        question: Question<'_>,
        position: Position,
    ) -> Result<Reply, ClientFault> {
        let awaited = "the answer to `go`";
        let patience = self.config.patience;
        let Question { budget, progress, .. } = question;
        let mut gather = Gather::new(&position);
        let asked = Instant::now();
        let mut last_line = asked;
        let mut stopped = None;
        loop {
            if stopped.is_none() && (budget.is_stopped() || budget.is_past_deadline()) {
                self.link.send(&GuiCommand::Stop)?;
                stopped = Some(Instant::now());
            }
            let (since, allowed) = match stopped {
                Some(stopped) => (stopped, patience.stop),
                None => (last_line, patience.silence),
            };
            let left = allowed.saturating_sub(since.elapsed());
            if left.is_zero() {
                return Err(self.link.silent(awaited, allowed));
            }
            let pause = if stopped.is_none() { until_next_look(budget, left) } else { left };
            let Some((message, at)) = self.link.receive(awaited, pause)? else { continue };
            last_line = at;
            match message {
                EngineMessage::Info(info) => {
                    gather.add(&info);
                    progress(&info);
                }
                EngineMessage::BestMove(_) | EngineMessage::Checkmate(_) => {
                    let completed = stopped.is_none();
                    let analysis = Analysis { completed, ..gather.into_analysis() };
                    let elapsed = at.saturating_duration_since(asked);
                    return Ok(Reply { message, position, analysis, elapsed });
                }
                _ => {}
            }
        }
    }

    fn report(&self, fault: ClientFault) -> ClientError {
        let engine = match self.identity.name.as_str() {
            "" => self.config.program.display().to_string(),
            name => name.to_owned(),
        };
        ClientError::new(engine, fault, self.transcript())
    }
}

/// How long to wait for a line before looking at the budget again.
fn until_next_look(budget: &Budget, left: Duration) -> Duration {
    let left = time_left(budget).map_or(left, |time| time.min(left));
    if budget.stop.is_some() { left.min(FLAG_INTERVAL) } else { left }
}

fn time_left(budget: &Budget) -> Option<Duration> {
    budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
}

fn check_answer(game: &UsiPosition, reply: Reply) -> Result<Answer, ClientFault> {
    let Reply { message, position, analysis, elapsed } = reply;
    let best = match message {
        EngineMessage::BestMove(BestMove::Move { best, ponder }) => {
            check_line(game, &position, &[best])?;
            let ponder = ponder.filter(|&reply| position.after(best).is_legal(reply));
            BestMove::Move { best, ponder }
        }
        EngineMessage::BestMove(best) => best,
        other => return Err(wrong_answer(&other, "`bestmove`")),
    };
    Ok(Answer { best, analysis, elapsed })
}

fn check_mate(game: &UsiPosition, reply: Reply) -> Result<Checkmate, ClientFault> {
    let EngineMessage::Checkmate(checkmate) = reply.message else {
        return Err(wrong_answer(&reply.message, "`checkmate`"));
    };
    if let Checkmate::Mate(line) = &checkmate {
        check_line(game, &reply.position, line)?;
    }
    Ok(checkmate)
}

fn wrong_answer(message: &EngineMessage, expected: &'static str) -> ClientFault {
    ClientFault::WrongAnswer { found: shorten(&message.to_string()), expected }
}

/// Whether the moves can be played from `position`, to which `game` led.
fn check_line(game: &UsiPosition, position: &Position, line: &[Move]) -> Result<(), ClientFault> {
    let mut position = position.clone();
    for (index, &m) in line.iter().enumerate() {
        if let Err(reason) = position.check_legality(m) {
            let mut played = game.clone();
            played.moves.extend_from_slice(&line[..index]);
            return Err(ClientFault::IllegalMove { m, position: played.to_string(), reason });
        }
        position.do_move(m);
    }
    Ok(())
}
