//! An engine process as a judge of book positions.

use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use komadai_book::{Analyst, AnalystError, AnalystId};
use komadai_core::{Analysis, Budget, Position, UsiPosition};
use komadai_movegen::MoveGen;
use komadai_usi::{
    Answer, ClientError, ClientFault, EngineConfig, EngineProcess, Gather, GoLimits, Info, Tail,
};

/// Judges positions by asking a USI engine in a process of its own.
///
/// An engine that crashes, hangs or talks nonsense is started again and asked once more; only then
/// is there an error. Of what it says, the last whole line of each rank counts: one with a value and
/// a legal move. Lines that bring a value alone, as some engines send while a search fails, do not
/// wipe out the variation before them.
///
/// # Examples
///
/// ```no_run
/// use komadai_book::Analyst;
/// use komadai_core::{Budget, Position};
/// use komadai_engine::UsiAnalyst;
/// use komadai_usi::EngineConfig;
///
/// let config = EngineConfig::new("/opt/engines/some-engine").with_option("MultiPV", "3");
/// let mut analyst = UsiAnalyst::launch(config)?;
/// let analysis = analyst.analyse(&Position::hirate(), &Budget::nodes(1_000_000))?;
/// println!("{}: {:?}", analyst.identity(), analysis.best_move());
/// # Ok::<(), komadai_book::AnalystError>(())
/// ```
#[derive(Debug)]
pub struct UsiAnalyst {
    config: EngineConfig,
    identity: AnalystId,
    job_limit: Duration,
    /// None after a fault: what is left of the process cannot be trusted.
    process: Option<EngineProcess>,
}

/// How often an engine is asked about a position.
const ATTEMPTS: u32 = 2;

/// How long after the end of an engine it may become known that all programs were to end.
const AFTERMATH: Duration = Duration::from_millis(100);

/// Options that do not change what an engine thinks of a position, in lower case.
const IRRELEVANT_OPTIONS: [&str; 6] = [
    "usi_ponder",
    "networkdelay",
    "networkdelay2",
    "minimumthinkingtime",
    "slowmover",
    "resignvalue",
];

impl UsiAnalyst {
    /// Starts an engine with its options.
    ///
    /// Its [identity](Analyst::identity) is what it says after `id name`, with the options of
    /// `config` that matter, sorted. An engine's version is part of the name.
    ///
    /// # Errors
    ///
    /// If it does not start, or does not have one of the options.
    pub fn launch(config: EngineConfig) -> Result<Self, AnalystError> {
        let process = EngineProcess::launch(config.clone()).map_err(|error| fault(&error))?;
        let name = process.identity().name.clone();
        let identity = AnalystId::new(name, "").with_options(relevant_options(&config));
        let job_limit = Duration::from_secs(3_600);
        Ok(Self { config, identity, job_limit, process: Some(process) })
    }

    /// Starts the same engine several times, for
    /// [`analyse_all`](komadai_book::analyse_all). Analysts of several engines go into one vector.
    ///
    /// # Errors
    ///
    /// As [`launch`](Self::launch).
    pub fn launch_pool(
        config: &EngineConfig,
        processes: NonZero<usize>,
    ) -> Result<Vec<Self>, AnalystError> {
        (0..processes.get()).map(|_| Self::launch(config.clone())).collect()
    }

    /// The same under another name, such as one that two builds of an engine share.
    #[must_use]
    pub fn with_identity(mut self, identity: AnalystId) -> Self {
        self.identity = identity;
        self
    }

    /// The same with another limit for a single job, an hour by default: an engine that has not
    /// answered by then hangs, however much it says. A deadline of the budget is not a fault.
    #[must_use]
    pub fn with_job_limit(mut self, limit: Duration) -> Self {
        self.job_limit = limit;
        self
    }

    /// Sets how many lines are asked for from the next job on, which changes the identity.
    ///
    /// # Errors
    ///
    /// If the engine has no option `MultiPV`, not for this number, or is gone.
    pub fn set_multi_pv(&mut self, lines: NonZero<u32>) -> Result<(), AnalystError> {
        const NAME: &str = "MultiPV";
        let value = lines.to_string();
        let set = self.process()?.set_option(NAME, Some(&value));
        set.map_err(|error| fault(&error))?;
        self.config.options.retain(|(known, _)| !known.eq_ignore_ascii_case(NAME));
        self.config.options.push((NAME.to_owned(), value));
        self.identity.options = relevant_options(&self.config);
        Ok(())
    }

    /// The number of its process, if it runs.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(EngineProcess::id)
    }

    /// The last lines that passed between this and its process, oldest first: `<` to the engine,
    /// `>` from it, `!` from its standard error. Empty if it does not run.
    #[must_use]
    pub fn transcript(&self) -> Vec<String> {
        self.process.as_ref().map_or_else(Vec::new, EngineProcess::transcript)
    }

    /// The process, started again if need be.
    fn process(&mut self) -> Result<&mut EngineProcess, AnalystError> {
        let process = match self.process.take() {
            Some(process) => process,
            None => EngineProcess::launch(self.config.clone()).map_err(|error| fault(&error))?,
        };
        Ok(self.process.insert(process))
    }

    /// Asks once.
    fn attempt(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError> {
        let job_limit = self.job_limit;
        let process = self.process()?;
        let asked = Instant::now();
        let mut patient = budget.clone();
        patient.deadline = budget.deadline.into_iter().chain(asked.checked_add(job_limit)).min();
        let game = UsiPosition { setup: position.to_setup(), moves: Vec::new() };
        let mut heard = Heard::new(position);
        let answer = process.go(&game, &limits(budget, asked), &patient, &mut |info| {
            heard.add(info);
        });
        let answer = answer.map_err(|error| fault(&error))?;
        let is_cut_short = budget.is_stopped() || budget.is_past_deadline();
        let engine = || self.identity.name.clone();
        if !answer.analysis.completed && !is_cut_short {
            let waited_ms = u64::try_from(job_limit.as_millis()).unwrap_or(u64::MAX);
            return Err(AnalystError::Silent { engine: engine(), waited_ms });
        }
        heard.judge(&answer, engine)
    }
}

/// What `go` says for a budget. Without limits the engine thinks until it is stopped.
fn limits(budget: &Budget, now: Instant) -> GoLimits {
    const LEAST: Duration = Duration::from_millis(1);
    let left = |deadline: Instant| deadline.saturating_duration_since(now).max(LEAST);
    let move_time = budget.deadline.map(left);
    let is_limited = budget.nodes.is_some() || budget.depth.is_some() || move_time.is_some();
    GoLimits {
        nodes: budget.nodes,
        depth: budget.depth,
        move_time,
        infinite: !is_limited,
        ..GoLimits::default()
    }
}

impl Analyst for UsiAnalyst {
    fn identity(&self) -> AnalystId {
        self.identity.clone()
    }

    /// The position is asked about without the game that led to it.
    fn analyse(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError> {
        if !position.has_legal_move() {
            return Ok(Analysis { completed: true, ..Analysis::default() });
        }
        let mut attempt = 1;
        loop {
            let error = match self.attempt(position, budget) {
                Ok(analysis) => return Ok(analysis),
                Err(error) => error,
            };
            self.process = None;
            if budget.stop.is_some() {
                // Ctrl-C in a terminal goes to the engines as well: who set the flag comes second.
                thread::sleep(AFTERMATH);
            }
            if budget.is_stopped() {
                return Ok(Analysis::default());
            }
            if attempt == ATTEMPTS || budget.is_past_deadline() {
                return Err(error);
            }
            attempt += 1;
        }
    }

    /// Tells the engine that a new game begins.
    fn forget(&mut self) {
        if let Some(process) = &mut self.process
            && process.new_game().is_err()
        {
            self.process = None;
        }
    }
}

/// Engines are asked to quit before they are killed: some have temporary files to remove.
impl Drop for UsiAnalyst {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit();
        }
    }
}

/// What an engine says about a position.
struct Heard<'p> {
    position: &'p Position,
    gather: Gather,
    /// The first variation that cannot be played.
    lie: Option<String>,
}

impl<'p> Heard<'p> {
    fn new(position: &'p Position) -> Self {
        Self { position, gather: Gather::new(position), lie: None }
    }

    fn add(&mut self, info: &Info) {
        let first = info.pv().first();
        match first {
            Some(&m) if info.score.is_some() && self.position.is_legal(m) => self.gather.add(info),
            Some(&m) if !self.position.is_legal(m) => {
                self.lie.get_or_insert_with(|| info.to_string());
            }
            // Nodes and time count, a value without its move does not.
            _ => self.gather.add(&Info { score: None, tail: Tail::None, ..info.clone() }),
        }
    }

    /// The analysis, if it can be believed.
    fn judge(self, answer: &Answer, engine: impl Fn() -> String) -> Result<Analysis, AnalystError> {
        let bad = |answer: String, expected| {
            Err(AnalystError::BadAnswer { engine: engine(), answer: shortened(&answer), expected })
        };
        if let Some(lie) = self.lie {
            return bad(lie, "a variation that begins with a legal move");
        }
        let completed = answer.analysis.completed;
        let analysis = Analysis { completed, ..self.gather.into_analysis() };
        if analysis.lines.is_empty() && completed {
            return bad(answer.best.to_string(), "a value and a variation before the answer");
        }
        Ok(analysis)
    }
}

/// The options that matter, sorted by name: `MultiPV=3 USI_Hash=64`.
fn relevant_options(config: &EngineConfig) -> String {
    let mut options: Vec<&(String, String)> = config
        .options
        .iter()
        .filter(|(name, _)| !IRRELEVANT_OPTIONS.contains(&name.to_ascii_lowercase().as_str()))
        .collect();
    options.sort();
    let texts: Vec<String> =
        options.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    texts.join(" ")
}

fn fault(error: &ClientError) -> AnalystError {
    let engine = error.engine().to_owned();
    let last_words = error.transcript().iter().rev().find_map(|line| line.strip_prefix("! "));
    let said = last_words.map_or_else(String::new, |words| format!("; it said {words:?}"));
    match error.fault() {
        ClientFault::Silent { waited, .. } => {
            let waited_ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
            AnalystError::Silent { engine, waited_ms }
        }
        gone @ (ClientFault::Launch { .. } | ClientFault::Died { .. } | ClientFault::Deaf) => {
            AnalystError::Gone { engine, reason: format!("{gone}{said}") }
        }
        ClientFault::Option(error) => AnalystError::BadAnswer {
            engine,
            answer: error.to_string(),
            expected: "the options that are to be set",
        },
        other => AnalystError::BadAnswer {
            engine,
            answer: shortened(&other.to_string()),
            expected: "an answer that makes sense",
        },
    }
}

/// The first characters of an answer.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
