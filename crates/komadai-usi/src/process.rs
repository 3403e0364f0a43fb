//! A supervised engine process.

mod pondering;

use std::process::ExitStatus;
use std::time::Duration;

use komadai_base::clock::Instant;
use komadai_core::{Analysis, Budget, Move, Position, UsiPosition};
use komadai_movegen::{MoveGen, play};

use crate::analysis_builder::AnalysisBuilder;
use crate::client_error::{ClientError, ClientFault};
use crate::command::{GameResult, GuiCommand};
use crate::handler::Identity;
use crate::info::Info;
use crate::launch::EngineConfig;
use crate::limits::{GoLimits, MateLimit};
use crate::line_queue::Taken;
use crate::line_reader::RawLine;
use crate::link::Link;
use crate::message::{BestMove, Checkmate, EngineMessage, MessageError, says_no_move};
use crate::option::{OptionError, OptionSpec};
use crate::pipes::{EXIT_DELAY, Pipes};
use crate::transcript::last_stderr;
use crate::words::shorten;

/// The time after the start of a search within which a report counts as one about the start: long
/// enough for the depth that a table has, short for a search.
const EARLY: Duration = Duration::from_millis(30);

/// Interval at which a stop flag is checked.
const FLAG_INTERVAL: Duration = Duration::from_millis(5);

/// A USI engine in a process of its own: the side of the GUI.
///
/// [`launch`](Self::launch) speaks the dialogue up to `readyok`. Then [`analyse`](Self::analyse)
/// asks for values, [`go`](Self::go) for a move under the limits of a game, and
/// [`find_mate`](Self::find_mate) for a mate. Each call waits for its answer; a stop flag in the
/// budget ends it from another thread. One question at a time: several engines are several
/// processes.
///
/// No call blocks for ever: an engine without output for longer than its
/// [`Patience`](crate::Patience) is killed. Answers are checked: a move is returned only if it is
/// legal. After an error, [`restart`](Self::restart) starts a new process with the same options.
/// Dropping this kills the process, on Unix with the processes that it has started.
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
    /// True if no option has been set since the last `readyok`.
    is_ready: bool,
    /// The search of an expected position, whose answer is still to come.
    pondering: Option<Pondering>,
}

/// The answer to a search.
///
/// # Examples
///
/// ```no_run
/// use komadai_core::{Budget, Position};
/// use komadai_usi::{BestMove, EngineConfig, EngineProcess, GoLimits};
///
/// let mut engine = EngineProcess::launch(EngineConfig::new("/opt/engines/some-engine"))?;
/// let limits = GoLimits::nodes(10_000);
/// let answer = engine.go(&Position::hirate(), &limits, &Budget::unlimited(), &mut |_| {})?;
/// match answer.best {
///     BestMove::Move { best, .. } => println!("{best} after {:?}", answer.elapsed),
///     BestMove::Resign => println!("the engine resigns"),
///     BestMove::Win => println!("the engine declares a win"),
/// }
/// # Ok::<(), komadai_usi::ClientError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The move, a resignation or a declaration of a win.
    pub best: BestMove,
    /// The analysis from the `info` lines, [`completed`](Analysis::completed) unless the engine had
    /// to be stopped.
    pub analysis: Analysis,
    /// The time from sending `go` or `ponderhit` to reading the answer.
    pub elapsed: Duration,
    /// The depth reported within 30 ms after that, in plies: that of a search which has pondered or
    /// found much in its table. 0 if nothing was reported.
    pub start_depth: u32,
}

/// A search of an expected position.
#[derive(Debug)]
struct Pondering {
    game: UsiPosition,
    position: Position,
}

/// A search to run, with its budget.
struct SearchRequest<'a> {
    game: &'a UsiPosition,
    limits: GoLimits,
    budget: &'a Budget,
    progress: &'a mut dyn FnMut(&Info),
}

/// The answer of an engine, of any kind.
struct SearchReply {
    message: EngineMessage,
    position: Position,
    analysis: Analysis,
    elapsed: Duration,
    start_depth: u32,
}

impl EngineProcess {
    /// Starts an engine, reads its name and options, sets options and waits until it is ready.
    ///
    /// # Errors
    ///
    /// [`ClientFault::Launch`] if it does not start, [`ClientFault::Option`] for options that it
    /// lacks, and other faults if it violates the protocol.
    pub fn launch(config: EngineConfig) -> Result<Self, ClientError> {
        let mut engine = Self::spawn(config)?;
        let ready = engine.introduce().and_then(|()| engine.configure());
        ready.map_err(|fault| engine.report(fault))?;
        Ok(engine)
    }

    /// Starts an engine only to ask for its name, author and options, which it tells before it
    /// loads anything.
    ///
    /// # Errors
    ///
    /// [`ClientFault::Launch`] if it does not start, and other faults if it violates the protocol.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use komadai_usi::{EngineConfig, EngineProcess};
    ///
    /// let config = EngineConfig::new("python3").with_arguments(["engine.py"]);
    /// let (identity, options) = EngineProcess::identify(config)?;
    /// println!("{} has {} options", identity.name, options.len());
    /// # Ok::<(), komadai_usi::ClientError>(())
    /// ```
    pub fn identify(config: EngineConfig) -> Result<(Identity, Vec<OptionSpec>), ClientError> {
        let mut engine = Self::spawn(config)?;
        engine.introduce().map_err(|fault| engine.report(fault))?;
        let found = (engine.identity.clone(), std::mem::take(&mut engine.options));
        engine.quit();
        Ok(found)
    }

    /// Starts the process.
    fn spawn(config: EngineConfig) -> Result<Self, ClientError> {
        let pipes = config.spawn().and_then(Pipes::new).map_err(|source| {
            let program = config.program.clone();
            let engine = program.display().to_string();
            ClientError::new(engine, ClientFault::Launch { program, source }, Vec::new())
        })?;
        let link = Link::new(pipes);
        let identity = Identity::default();
        let options = Vec::new();
        Ok(Self { config, link, identity, options, is_ready: false, pondering: None })
    }

    /// Kills the process and starts a new one with the same options.
    ///
    /// # Errors
    ///
    /// The same as those of [`launch`](Self::launch). The old process is killed in any case.
    pub fn restart(&mut self) -> Result<(), ClientError> {
        self.link.pipes.kill();
        *self = Self::launch(self.config.clone())?;
        Ok(())
    }

    /// Name and author of the engine.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The declared options of the engine.
    pub fn options(&self) -> &[OptionSpec] {
        &self.options
    }

    /// The configuration, with the options set since the start.
    pub fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.link.pipes.id()
    }

    /// Returns the last lines of the dialogue, oldest first: `<` to the engine, `>` from it, `!`
    /// from its standard error.
    pub fn transcript(&self) -> Vec<String> {
        self.link.pipes.transcript.lines()
    }

    /// Returns the last lines of the standard error in one, at most three, separated by ` / `.
    /// Empty if there are none.
    pub fn stderr(&self) -> String {
        last_stderr(&self.transcript())
    }

    /// Sets an option, or presses a button if there is no value. A [`restart`](Self::restart) sets
    /// the value again.
    ///
    /// # Errors
    ///
    /// [`ClientFault::Option`] if the engine does not declare the option, or the value is out of
    /// its range.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), ClientError> {
        self.send_option(name, value).map_err(|fault| self.report(fault))?;
        if let Some(value) = value {
            let settings = &mut self.config.options;
            settings.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
            settings.push((name.to_owned(), value.to_owned()));
        }
        Ok(())
    }

    /// Sends `usinewgame` as soon as the engine is ready.
    ///
    /// # Errors
    ///
    /// If the engine has ended or does not answer.
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        let sent = self.prepare().and_then(|()| self.link.send(&GuiCommand::NewGame));
        sent.map_err(|fault| self.report(fault))
    }

    /// Sends `gameover` with the result, after the end of a ponder search.
    ///
    /// # Errors
    ///
    /// If the engine has ended, or does not answer `stop`.
    pub fn game_over(&mut self, result: GameResult) -> Result<(), ClientError> {
        self.is_ready = false;
        let ended = self.end_pondering();
        let sent = ended.and_then(|()| self.link.send(&GuiCommand::GameOver(result)));
        sent.map_err(|fault| self.report(fault))
    }

    /// Analyses a position within `budget`: the usual way to ask an engine.
    ///
    /// `game` is a start with the moves played from it, or a [`Position`]. Nodes and depth of the
    /// budget are sent to the engine. A deadline is sent as `movetime` and enforced. `progress` is
    /// called with every `info` line.
    ///
    /// The result consists of the last reports of the engine. It has no lines if there were none.
    ///
    /// # Errors
    ///
    /// [`ClientFault::Position`] if `game` is not legal; otherwise the engine's faults.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use std::time::{Duration, Instant};
    ///
    /// use komadai_core::{Budget, Position};
    /// use komadai_usi::{EngineConfig, EngineProcess};
    ///
    /// let mut engine = EngineProcess::launch(EngineConfig::new("/opt/engines/some-engine"))?;
    /// let budget = Budget { deadline: Some(Instant::now() + Duration::from_secs(1)), ..Budget::unlimited() };
    /// let analysis = engine.analyse(&Position::hirate(), &budget, &mut |info| println!("{info}"))?;
    /// println!("{:?} {:?}", analysis.best_move(), analysis.score());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyse(
        &mut self,
        game: impl Into<UsiPosition>,
        budget: &Budget,
        progress: &mut dyn FnMut(&Info),
    ) -> Result<Analysis, ClientError> {
        let limits = GoLimits {
            depth: budget.depth,
            nodes: budget.least_nodes(),
            move_time: time_left(budget),
            ..GoLimits::default()
        };
        self.go(game, &limits, budget, progress).map(|answer| answer.analysis)
    }

    /// Runs a search with the limits of a game and waits for its answer.
    ///
    /// This is for programs that need more than [`analyse`](Self::analyse) offers: the clocks of a
    /// game, `searchmoves`, a move to ponder on, resignation and declaration.
    ///
    /// There are two sets of limits. The engine itself obeys `limits`. (`ponder` and `mate` are
    /// ignored; for mates see [`find_mate`](Self::find_mate).) `budget` supervises it: when the
    /// deadline has passed or the flag is set, the engine receives `stop`, and is killed if it does
    /// not answer then. The nodes and depth of the budget are ignored; they belong into `limits`.
    /// [`Budget::unlimited`] waits as long as the engine reports something.
    ///
    /// # Errors
    ///
    /// The same as those of [`analyse`](Self::analyse).
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use std::time::Duration;
    ///
    /// use komadai_core::{Budget, UsiPosition};
    /// use komadai_usi::{ClockTimes, EngineConfig, EngineProcess, GoLimits};
    ///
    /// let mut engine = EngineProcess::launch(EngineConfig::new("/opt/engines/some-engine"))?;
    /// let game = UsiPosition::from_usi("startpos moves 7g7f")?;
    /// let limits = GoLimits::clock(ClockTimes::byoyomi(Duration::from_secs(1)));
    /// let answer = engine.go(&game, &limits, &Budget::unlimited(), &mut |_| {})?;
    /// println!("{} after {:?}", answer.best, answer.elapsed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn go(
        &mut self,
        game: impl Into<UsiPosition>,
        limits: &GoLimits,
        budget: &Budget,
        progress: &mut dyn FnMut(&Info),
    ) -> Result<Answer, ClientError> {
        let game: &UsiPosition = &game.into();
        let limits = GoLimits { ponder: false, mate: None, ..limits.clone() };
        let request = SearchRequest { game, limits, budget, progress };
        let answer = self.search(request).and_then(|reply| check_answer(game, reply));
        answer.map_err(|fault| self.report(fault))
    }

    /// Runs a mate search within `budget`.
    ///
    /// # Errors
    ///
    /// The same as those of [`analyse`](Self::analyse), with [`ClientFault::IllegalMove`] for a
    /// line with an illegal move. It is not checked whether a legal line ends in mate.
    pub fn find_mate(
        &mut self,
        game: impl Into<UsiPosition>,
        budget: &Budget,
        progress: &mut dyn FnMut(&Info),
    ) -> Result<Checkmate, ClientError> {
        let game: &UsiPosition = &game.into();
        let limits = GoLimits {
            mate: Some(time_left(budget).map_or(MateLimit::Infinite, MateLimit::Within)),
            nodes: budget.least_nodes(),
            ..GoLimits::default()
        };
        let request = SearchRequest { game, limits, budget, progress };
        let checkmate = self.search(request).and_then(|reply| check_mate(game, reply));
        checkmate.map_err(|fault| self.report(fault))
    }

    /// Sends `quit`, and kills the process if it does not exit.
    ///
    /// Returns the exit status, or `None` if the process had to be killed.
    pub fn quit(mut self) -> Option<ExitStatus> {
        let pipes = &mut self.link.pipes;
        // Sending fails if the engine has already ended, which is the aim.
        let _ = pipes.send(GuiCommand::Quit.to_string());
        let until = Instant::now() + self.config.patience.quit;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match pipes.receive_from_deaf(left) {
                Taken::Line(RawLine::Unfinished(_), _) | Taken::End => return pipes.finish(),
                Taken::Line(..) if !left.is_zero() => {}
                _ => return None,
            }
        }
    }

    /// Kills the process, and returns the last lines of its [standard error](Self::stderr).
    ///
    /// They are the last of all that it has written, unless a program that it started keeps the stream
    /// open for half a second.
    pub fn kill(mut self) -> String {
        self.link.pipes.kill();
        self.link.pipes.read_stderr(Instant::now() + EXIT_DELAY);
        self.stderr()
    }

    /// Runs the dialogue from the start to `usiok`.
    fn introduce(&mut self) -> Result<(), ClientFault> {
        let Self { link, identity, options, .. } = self;
        link.send(&GuiCommand::Usi)?;
        let patience = self.config.patience.launch;
        link.receive_until(&EngineMessage::UsiOk, "`usiok`", patience, |message| match message {
            EngineMessage::Name(name) => identity.name = shortened_name(name),
            EngineMessage::Author(author) => identity.author = shortened_name(author),
            EngineMessage::Option(option) => options.push(option),
            _ => {}
        })
    }

    /// Sets the options of the configuration, and waits for the first `readyok`.
    fn configure(&mut self) -> Result<(), ClientFault> {
        for (name, value) in self.config.preferences.clone() {
            if self.has_value(&name, &value) {
                self.send_option(&name, Some(&value))?;
            }
        }
        for (name, value) in self.config.options.clone() {
            self.send_option(&name, Some(&value))?;
        }
        self.prepare()
    }

    /// Returns whether the engine has declared an option with this value.
    pub fn has_value(&self, name: &str, value: &str) -> bool {
        let mut options = self.options.iter();
        let known = options.find(|option| option.is_named(name));
        known.is_some_and(|option| option.accept_exactly(Some(value)).is_ok())
    }

    fn prepare(&mut self) -> Result<(), ClientFault> {
        self.end_pondering()?;
        self.link.discard_late_lines()?;
        self.link.send(&GuiCommand::IsReady)?;
        let patience = self.config.patience.ready;
        self.link.receive_until(&EngineMessage::ReadyOk, "`readyok`", patience, drop)?;
        self.is_ready = true;
        Ok(())
    }

    fn send_option(&mut self, name: &str, value: Option<&str>) -> Result<(), ClientFault> {
        self.end_pondering()?;
        let known = self.options.iter().find(|option| option.is_named(name));
        // The protocol defines these two. Engines may accept them without declaring them.
        let is_reserved = matches!(name, "USI_Hash" | "USI_Ponder");
        match known {
            Some(option) => drop(option.accept_exactly(value)?),
            None if is_reserved => {}
            None => return Err(OptionError::UnknownName { name: shorten(name) }.into()),
        }
        self.is_ready = false;
        let name = known.map_or(name, |option| &option.name).to_owned();
        self.link.send(&GuiCommand::SetOption { name, value: value.map(str::to_owned) })
    }

    fn search(&mut self, request: SearchRequest<'_>) -> Result<SearchReply, ClientFault> {
        let position = self.begin(request.game, &request.limits)?;
        self.await_reply(request, position, None)
    }

    /// Starts a search.
    fn begin(&mut self, game: &UsiPosition, limits: &GoLimits) -> Result<Position, ClientFault> {
        let position = play(game)?;
        self.end_pondering()?;
        if !self.is_ready {
            self.prepare()?;
        }
        self.link.discard_late_lines()?;
        self.link.send(&GuiCommand::Position(game.clone()))?;
        self.link.send(&GuiCommand::Go(limits.clone()))?;
        Ok(position)
    }

    /// Stops a ponder search, if there is one, and drops its answer.
    fn end_pondering(&mut self) -> Result<(), ClientFault> {
        let Some(Pondering { game, position }) = self.pondering.take() else { return Ok(()) };
        self.link.pipes.keep_latest(false);
        let request = SearchRequest {
            game: &game,
            limits: GoLimits::default(),
            budget: &Budget::unlimited(),
            progress: &mut |_| {},
        };
        self.await_reply(request, position, Some(GuiCommand::Stop)).map(drop)
    }

    /// Waits for the answer to the search of `position`. `signal`, the end of pondering, is sent
    /// unless the answer has arrived already.
    fn await_reply(
        &mut self,
        request: SearchRequest<'_>,
        position: Position,
        mut signal: Option<GuiCommand>,
    ) -> Result<SearchReply, ClientFault> {
        let awaited = "answer to `go`";
        let patience = self.config.patience;
        let SearchRequest { budget, progress, .. } = request;
        let mut analysis = AnalysisBuilder::new(&position);
        let start = Instant::now();
        let mut last_line = start;
        let mut start_depth = 0;
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
            let pause = match (&signal, stopped) {
                (Some(_), _) => Duration::ZERO,
                (None, None) => until_next_check(budget, left),
                (None, Some(_)) => left,
            };
            let received = match self.link.receive(awaited, pause) {
                // Without a legal move such a word is the truth.
                Err(ClientFault::BadAnswer(MessageError::BadBestMove { found }))
                    if says_no_move(&found) && position.legal_moves().is_empty() =>
                {
                    Some((EngineMessage::BestMove(BestMove::Resign), Instant::now()))
                }
                received => received?,
            };
            // Lines from before this call may contain the answer of an engine that has not waited.
            if received.as_ref().is_none_or(|(_, at)| *at > start)
                && let Some(signal) = signal.take()
            {
                self.link.send(&signal)?;
                if signal == GuiCommand::Stop {
                    stopped = Some(Instant::now());
                }
            }
            let Some((message, at)) = received else { continue };
            last_line = at.max(start);
            match message {
                EngineMessage::Info(info) => {
                    if at.saturating_duration_since(start) <= EARLY {
                        start_depth = start_depth.max(info.depth.unwrap_or(0));
                    }
                    analysis.add(&info);
                    progress(&info);
                }
                EngineMessage::BestMove(_) | EngineMessage::Checkmate(_) => {
                    let completed = stopped.is_none();
                    let analysis = Analysis { completed, ..analysis.into_analysis() };
                    let elapsed = at.saturating_duration_since(start);
                    return Ok(SearchReply { message, position, analysis, elapsed, start_depth });
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

/// Returns a name for error messages and books. No engine has one of more than 200 characters.
fn shortened_name(mut name: String) -> String {
    const LONGEST: usize = 200;
    if let Some((end, _)) = name.char_indices().nth(LONGEST) {
        name.truncate(end);
    }
    name
}

/// Returns the time to wait for a line before the next check of the budget.
fn until_next_check(budget: &Budget, left: Duration) -> Duration {
    let left = time_left(budget).map_or(left, |time| time.min(left));
    if budget.stop.is_some() { left.min(FLAG_INTERVAL) } else { left }
}

fn time_left(budget: &Budget) -> Option<Duration> {
    budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
}

fn check_answer(game: &UsiPosition, reply: SearchReply) -> Result<Answer, ClientFault> {
    let SearchReply { message, position, analysis, elapsed, start_depth } = reply;
    let best = match message {
        EngineMessage::BestMove(BestMove::Move { best, ponder }) => {
            check_line(game, &position, &[best])?;
            let ponder = ponder.filter(|&reply| position.after(best).is_legal(reply));
            BestMove::Move { best, ponder }
        }
        EngineMessage::BestMove(best) => best,
        other => return Err(wrong_answer(&other, "`bestmove`")),
    };
    Ok(Answer { best, analysis, elapsed, start_depth })
}

fn check_mate(game: &UsiPosition, reply: SearchReply) -> Result<Checkmate, ClientFault> {
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

/// Checks whether the moves are legal from `position`, the end of `game`.
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
