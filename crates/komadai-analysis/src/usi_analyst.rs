//! An engine process that analyses book positions.

mod engine_output;
mod engine_version;

use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use komadai_base::text::shorten;
use komadai_core::{Analysis, Analyst, AnalystError, AnalystId, Budget, Position, UsiPosition};
use komadai_movegen::MoveGen;
use komadai_usi::{ClientError, ClientFault, EngineConfig, EngineProcess, GoLimits};

use self::engine_output::{BadOutput, EngineOutput};
use self::engine_version::{MULTI_PV, engine_version, is_relevant};

/// The most characters of an answer that an error quotes.
const LONGEST_ANSWER: usize = 200;

/// Analyses positions with a USI engine in a process of its own.
///
/// An engine that crashes, hangs or sends an invalid answer is started again, and the position is
/// sent once more. Only a second failure is an error ([`attempts`](Self::attempts)). For
/// each rank the last complete line counts: one with a value and a legal first move. Lines with a
/// value alone, which some engines send while a search fails high or low, do not replace the
/// variation before them.
///
/// Nodes and depth of a budget are sent to the engine. A deadline alone becomes `go infinite`, and
/// `stop` when it is reached, for engines that know neither `nodes` nor `depth` nor `movetime`.
///
/// An engine that resigns or declares a win, with a value and without a variation, yields a line
/// without moves, and one without a value [`AnalystError::NoLine`], for which it is not started
/// again.
///
/// A second answer to one question is not taken as the answer to the next one if it arrives before
/// that question, before `readyok` (each [`forget`](Analyst::forget) waits for it), or without a
/// value.
///
/// # Examples
///
/// ```no_run
/// use std::num::NonZero;
/// use std::time::Duration;
///
/// use komadai_analysis::UsiAnalyst;
/// use komadai_core::{Analyst, AnalystId, Budget, Position};
/// use komadai_usi::EngineConfig;
///
/// let config = EngineConfig::new("/opt/engines/some-engine").with_option("MultiPV", "3");
/// let mut analyst = UsiAnalyst::launch(config)?;
/// // The same name for all builds of this engine, so that a book takes them for one.
/// analyst.identity = AnalystId::new("Some engine", "9");
/// analyst.job_limit = Duration::from_secs(600);
/// analyst.attempts = NonZero::<u32>::MIN;
/// // For the analysis of games, in which repetition counts.
/// analyst.sends_game = true;
/// let analysis = analyst.analyse(&Position::hirate(), &Budget::nodes(1_000_000))?;
/// println!("{}: {:?}", analyst.identity(), analysis.best_move());
/// println!("process {:?}: {:#?}", analyst.process_id(), analyst.transcript());
/// # Ok::<(), komadai_core::AnalystError>(())
/// ```
#[derive(Debug)]
pub struct UsiAnalyst {
    config: EngineConfig,
    /// The identity, which may be replaced, for instance by one that two builds of an engine share.
    pub identity: AnalystId,
    /// The time limit for a single job, one hour by default. An engine without an answer by then
    /// counts as hanging, even if it sends other lines. Reaching a deadline of the budget is not a
    /// fault.
    pub job_limit: Duration,
    /// The largest number of attempts at a position, 2 by default.
    pub attempts: NonZero<u32>,
    /// The number of lines without a job that states one; `None` for the engine's own.
    own_lines: Option<NonZero<u32>>,
    /// Sends the moves that led to a position as well, for the analysis of games: the engine then
    /// knows which positions repeat. By default it receives the position alone, so that the values
    /// of a book do not depend on the way to a position.
    pub sends_game: bool,
    /// `None` after a fault: the state of the old process is unknown.
    process: Option<EngineProcess>,
}

/// Maximum number of attempts for a position without another setting.
const ATTEMPTS: NonZero<u32> = NonZero::new(2).expect("2 is not 0");

/// Wait after the end of an engine. Where it belongs to the group of this process, Ctrl-C in a
/// terminal ends it as well, and the flag that Ctrl-C sets may arrive after its end.
const INTERRUPT_DELAY: Duration = Duration::from_millis(100);

impl UsiAnalyst {
    /// Starts an engine with its options.
    ///
    /// Its [identity](Analyst::identity) has three parts, so that an engine with another network at
    /// the same path, or another build under the same name, is another source of evaluations:
    ///
    /// - the text after `id name`;
    /// - as version, `options:` with a hash of the defaults of the options that `config` does not
    ///   set, and the name of the network's file with the first 16 digits of its SHA-256. This file
    ///   is the `EvalFile` in the folder `EvalDir` or in the folder of the engine, otherwise
    ///   `nn.bin` in `EvalDir`. A file that cannot be read, such as one on another machine, is left
    ///   out;
    /// - the options of `config` that change an analysis, sorted.
    ///
    /// # Errors
    ///
    /// If it does not start, or lacks one of the options.
    pub fn launch(config: EngineConfig) -> Result<Self, AnalystError> {
        let process = EngineProcess::launch(config.clone()).map_err(|error| fault(&error))?;
        let name = process.identity().name.clone();
        let version = engine_version(&config, &process);
        let options = relevant_options(&config);
        let identity = AnalystId { options, ..AnalystId::new(name, version) };
        let job_limit = Duration::from_secs(3_600);
        let (process, own_lines) = (Some(process), lines_of(&config));
        Ok(Self {
            config,
            identity,
            job_limit,
            attempts: ATTEMPTS,
            own_lines,
            sends_game: false,
            process,
        })
    }

    /// Starts the same engine several times, for
    /// [`analyse_all`](komadai_book::analyse_all). Analysts of several engines go into one vector.
    ///
    /// # Errors
    ///
    /// The same as those of [`launch`](Self::launch).
    pub fn launch_pool(
        config: &EngineConfig,
        processes: NonZero<usize>,
    ) -> Result<Vec<Self>, AnalystError> {
        (0..processes.get()).map(|_| Self::launch(config.clone())).collect()
    }

    /// Sets the number of lines from the next job on. This changes the identity.
    ///
    /// # Errors
    ///
    /// If the engine has no option `MultiPV`, rejects this number, or has ended.
    pub fn set_multi_pv(&mut self, lines: NonZero<u32>) -> Result<(), AnalystError> {
        self.send_multi_pv(lines)?;
        self.own_lines = Some(lines);
        Ok(())
    }

    fn send_multi_pv(&mut self, lines: NonZero<u32>) -> Result<(), AnalystError> {
        let value = lines.to_string();
        let set = self.process()?.set_option(MULTI_PV, Some(&value));
        set.map_err(|error| fault(&error))?;
        self.config.options.retain(|(known, _)| !known.eq_ignore_ascii_case(MULTI_PV));
        self.config.options.push((MULTI_PV.to_owned(), value));
        self.identity.options = relevant_options(&self.config);
        Ok(())
    }

    /// The number of the process, if it is running.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(EngineProcess::id)
    }

    /// Returns the last lines of the dialogue with the process, oldest first: `<` to the engine,
    /// `>` from it, `!` from its standard error. Empty if it is not running.
    pub fn transcript(&self) -> Vec<String> {
        self.process.as_ref().map_or_else(Vec::new, EngineProcess::transcript)
    }

    /// Returns the process, started again if necessary.
    fn process(&mut self) -> Result<&mut EngineProcess, AnalystError> {
        let process = match self.process.take() {
            Some(process) => process,
            None => EngineProcess::launch(self.config.clone()).map_err(|error| fault(&error))?,
        };
        Ok(self.process.insert(process))
    }

    /// Sends the position once.
    fn attempt(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError> {
        let (job_limit, sends_game) = (self.job_limit, self.sends_game);
        let process = self.process()?;
        let start = Instant::now();
        let mut supervised = budget.clone();
        supervised.deadline = budget.deadline.into_iter().chain(start.checked_add(job_limit)).min();
        let game = match sends_game {
            true => position.to_usi_position(),
            false => UsiPosition { setup: position.to_setup(), moves: Vec::new() },
        };
        let mut output = EngineOutput::new(position);
        let answer = process.go(&game, &limits(budget, start), &supervised, &mut |info| {
            output.add(info);
        });
        let answer = answer.map_err(|error| fault(&error))?;
        let is_cut_short = budget.is_stopped() || budget.is_past_deadline();
        let stderr = process.stderr();
        let engine = self.identity.name.clone();
        if !answer.analysis.completed && !is_cut_short {
            let waited_ms = u64::try_from(job_limit.as_millis()).unwrap_or(u64::MAX);
            return Err(AnalystError::Silent { engine, waited_ms, stderr });
        }
        match output.into_analysis(&answer) {
            Ok(found) if found.completed && found.lines.is_empty() => {
                Err(AnalystError::NoLine { engine, position: position.to_string() })
            }
            Ok(found) => Ok(found),
            Err(BadOutput { text, expected }) => {
                let answer = shorten(&text, LONGEST_ANSWER);
                Err(AnalystError::BadAnswer { engine, answer, expected, stderr })
            }
        }
    }
}

/// Returns the arguments of `go` for a budget. With a deadline alone, or without limits, the engine
/// searches until it is stopped: not every engine knows `movetime`, but every one knows `infinite`,
/// and `stop` comes at the deadline in any case.
fn limits(budget: &Budget, now: Instant) -> GoLimits {
    const LEAST: Duration = Duration::from_millis(1);
    let left = |deadline: Instant| deadline.saturating_duration_since(now).max(LEAST);
    let is_limited = budget.least_nodes().is_some() || budget.depth.is_some();
    GoLimits {
        nodes: budget.least_nodes(),
        depth: budget.depth,
        move_time: budget.deadline.map(left).filter(|_| is_limited),
        infinite: !is_limited,
        ..GoLimits::default()
    }
}

impl Analyst for UsiAnalyst {
    fn identity(&self) -> AnalystId {
        self.identity.clone()
    }

    /// The engine receives the position without the game that led to it, unless
    /// [`sends_game`](Self::sends_game) is set.
    fn analyse(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError> {
        if !position.has_legal_move() {
            return Ok(Analysis { completed: true, ..Analysis::default() });
        }
        let mut failure = None;
        let mut has_run = false;
        for _ in 0..self.attempts.get() {
            let started = self.process();
            has_run = started.is_ok();
            match started {
                Err(error) => failure = Some(error),
                // The start of the process may have taken the rest of the time.
                Ok(_) if failure.is_some() && budget.is_past_deadline() => break,
                Ok(_) => match self.attempt(position, budget) {
                    Ok(analysis) => return Ok(analysis),
                    // This is no fault of the process.
                    Err(error @ AnalystError::NoLine { .. }) => return Err(error),
                    Err(mut error) => {
                        let last = self.process.take().map(EngineProcess::kill);
                        if let AnalystError::BadAnswer { stderr, .. }
                        | AnalystError::Silent { stderr, .. } = &mut error
                            && let Some(last) = last
                        {
                            *stderr = last;
                        }
                        failure = Some(error);
                    }
                },
            }
            if budget.stop.is_some() {
                thread::sleep(INTERRUPT_DELAY);
            }
            if budget.is_stopped() {
                return Ok(Analysis::default());
            }
            if budget.is_past_deadline() {
                break;
            }
        }
        if has_run && self.process.is_none() {
            // The time of the next position is not for the start of its process. An error here is
            // found then.
            let _ = self.process();
        }
        Err(failure.expect("there is at least one attempt, and each has failed"))
    }

    /// Sets the option `MultiPV`, which is part of the identity, unless the engine has this number
    /// already: an engine without the option finds one line.
    fn set_lines(&mut self, lines: Option<NonZero<u16>>) -> Result<(), AnalystError> {
        let own = self.own_lines.unwrap_or(NonZero::<u32>::MIN);
        let lines = lines.map_or(own, NonZero::from);
        if lines == lines_of(&self.config).unwrap_or(NonZero::<u32>::MIN) {
            return Ok(());
        }
        self.send_multi_pv(lines)?;
        if self.own_lines.is_none() && lines == own {
            // The identity is that of the engine as it was started.
            self.config.options.retain(|(known, _)| !known.eq_ignore_ascii_case(MULTI_PV));
            self.identity.options = relevant_options(&self.config);
        }
        Ok(())
    }

    /// Sends `usinewgame`.
    fn forget(&mut self) {
        if let Some(process) = &mut self.process
            && process.new_game().is_err()
        {
            self.process = None;
        }
    }
}

/// Sends `quit` before the process is killed: some engines remove temporary files.
impl Drop for UsiAnalyst {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit();
        }
    }
}

/// Returns the number of lines among the options of an engine.
fn lines_of(config: &EngineConfig) -> Option<NonZero<u32>> {
    let is_lines = |(name, _): &&(String, String)| name.eq_ignore_ascii_case(MULTI_PV);
    config.options.iter().rev().find(is_lines)?.1.parse().ok()
}

/// Returns the options that change an analysis, sorted by name: `MultiPV=3 USI_Hash=64`.
fn relevant_options(config: &EngineConfig) -> String {
    let mut options: Vec<&(String, String)> =
        config.options.iter().filter(|(name, _)| is_relevant(name)).collect();
    options.sort();
    let texts: Vec<String> =
        options.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    texts.join(" ")
}

fn fault(error: &ClientError) -> AnalystError {
    let (engine, stderr) = (error.engine().to_owned(), error.stderr());
    let bad = |engine, answer: String, expected, stderr| {
        let answer = shorten(&answer, LONGEST_ANSWER);
        AnalystError::BadAnswer { engine, answer, expected, stderr }
    };
    match error.fault() {
        ClientFault::Silent { waited, .. } => {
            let waited_ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
            AnalystError::Silent { engine, waited_ms, stderr }
        }
        gone @ (ClientFault::Launch { .. } | ClientFault::Died { .. } | ClientFault::Deaf) => {
            let note = if stderr.is_empty() { "" } else { "; on its standard error: " };
            AnalystError::Gone { engine, reason: format!("{gone}{note}{stderr}") }
        }
        ClientFault::Option(error) => {
            bad(engine, error.to_string(), "the options that are to be set", stderr)
        }
        other => bad(engine, other.to_string(), "an answer that makes sense", stderr),
    }
}
