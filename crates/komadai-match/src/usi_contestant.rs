//! Engine processes as contestants.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use komadai_core::{Bound, Budget};
use komadai_usi::{ClientError, EngineConfig, EngineProcess, GameResult};

use crate::contestant::{Contestant, Reply, Turn};
use crate::cpu_time::CpuClock;
use crate::fault::{ContestantFault, FaultKind};

/// Wait after the end of an engine. Where it belongs to the group of this process, Ctrl-C in a
/// terminal ends it as well, and the flag that Ctrl-C sets may arrive after its end.
const INTERRUPT_DELAY: Duration = Duration::from_millis(100);

/// A USI engine in a process of its own.
///
/// It receives `stop` at the deadline of its turn, and is killed if it does not answer then.
/// [`with_pondering`](Self::with_pondering) makes it think during the turns of its opponent.
///
/// # Examples
///
/// ```no_run
/// use komadai_match::UsiContestant;
/// use komadai_usi::EngineConfig;
///
/// let config = EngineConfig::new("/opt/engines/some-engine").with_option("USI_Hash", "64");
/// let player = UsiContestant::launch(config)?;
/// println!("{:?}", player.process().map(|process| &process.identity().name));
/// # Ok::<(), komadai_usi::ClientError>(())
/// ```
#[derive(Debug)]
pub struct UsiContestant {
    config: EngineConfig,
    /// `None` after a restart that failed.
    process: Option<EngineProcess>,
    ponders: bool,
    /// A fault at the end of a game, to be reported in the next one.
    fault: Option<ContestantFault>,
}

impl UsiContestant {
    /// Starts the engine, sets its options and waits until it is ready. [`EngineConfig::patience`]
    /// limits the wait. The referee limits the time without output during a search.
    ///
    /// # Errors
    ///
    /// The same as those of [`EngineProcess::launch`].
    pub fn launch(mut config: EngineConfig) -> Result<Self, ClientError> {
        // A year: longer than any clock of the referee.
        config.patience.silence = Duration::from_secs(31_536_000);
        let process = Some(EngineProcess::launch(config.clone())?);
        Ok(Self { config, process, ponders: false, fault: None })
    }

    /// Returns the same player, which ponders: it receives `go ponder` with the reply that its
    /// answer names, then `ponderhit` or `stop`. Set its option `USI_Ponder`, so that it names one.
    #[must_use]
    pub fn with_pondering(mut self) -> Self {
        self.ponders = true;
        self
    }

    /// Sets options before the next game, and again after a restart.
    ///
    /// # Errors
    ///
    /// Those of [`EngineProcess::set_option`], or of a start if the engine is not running.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        let process = match &mut self.process {
            Some(process) => process,
            gone => gone.insert(EngineProcess::launch(self.config.clone())?),
        };
        process.set_option(name, Some(value))?;
        self.config.options.clone_from(&process.config().options);
        Ok(())
    }

    /// The process, if it is running.
    pub fn process(&self) -> Option<&EngineProcess> {
        self.process.as_ref()
    }
}

fn gone() -> ContestantFault {
    ContestantFault::new(FaultKind::Crash, "the engine does not run")
}

impl Contestant for UsiContestant {
    fn new_game(&mut self, _: usize) -> Result<(), ContestantFault> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        Ok(self.process.as_mut().ok_or_else(gone)?.new_game()?)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
        let process = self.process.as_mut().ok_or_else(gone)?;
        let budget = Budget {
            deadline: Some(turn.deadline),
            stop: Some(Arc::clone(turn.stop)),
            ..Budget::unlimited()
        };
        let answer = process.go_or_ponder_hit(turn.game, turn.limits, &budget, &mut |_| {});
        if answer.is_err() {
            thread::sleep(INTERRUPT_DELAY);
        }
        let answer = answer?;
        let reply = Reply {
            score: answer.analysis.score().map(|score| score.raw()),
            bound: answer.analysis.lines.first().map_or(Bound::Exact, |line| line.bound),
            nodes: answer.analysis.nodes,
            depth: answer.analysis.depth,
            start_depth: answer.start_depth,
            ..Reply::new(answer.best, answer.elapsed)
        };
        Ok(reply.with_line_of(&answer.analysis))
    }

    fn ponder(&mut self, turn: &Turn<'_>) -> Result<bool, ContestantFault> {
        if self.ponders {
            self.process.as_mut().ok_or_else(gone)?.ponder(turn.game, turn.limits)?;
        }
        Ok(self.ponders)
    }

    fn game_over(&mut self, result: GameResult) {
        if let Some(process) = &mut self.process {
            self.fault = process.game_over(result).err().map(ContestantFault::from);
        }
    }

    fn restart(&mut self) -> Result<(), ContestantFault> {
        (self.process, self.fault) = (None, None);
        self.process = Some(EngineProcess::launch(self.config.clone())?);
        Ok(())
    }

    fn cpu_clock(&self) -> CpuClock {
        let process = self.process.as_ref();
        process.map_or(CpuClock::Unknown, |process| CpuClock::Process(process.id()))
    }
}

/// Sends `quit` before the process is killed: some engines remove temporary files.
impl Drop for UsiContestant {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit();
        }
    }
}
