//! An engine process as a contestant.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use komadai_core::Budget;
use komadai_usi::{ClientError, EngineConfig, EngineProcess, GameResult};

use crate::contestant::{Contestant, Reply, Turn};
use crate::cpu_time::CpuClock;
use crate::fault::{Fault, FaultKind};

/// How long after the end of an engine it may become known that all programs were to end.
const AFTERMATH: Duration = Duration::from_millis(100);

/// A USI engine in a process of its own.
///
/// It is told to `stop` when the referee's patience ends, and killed if it does not answer then.
#[derive(Debug)]
pub struct UsiContestant {
    config: EngineConfig,
    /// None after a restart that failed.
    process: Option<EngineProcess>,
}

impl UsiContestant {
    /// Starts the engine, sets its options and waits until it is ready. How long depends on
    /// [`EngineConfig::patience`]; the silence allowed during a search is the referee's matter.
    ///
    /// # Errors
    ///
    /// As [`EngineProcess::launch`].
    pub fn launch(mut config: EngineConfig) -> Result<Self, ClientError> {
        config.patience.silence = Duration::from_secs(31_536_000);
        let process = Some(EngineProcess::launch(config.clone())?);
        Ok(Self { config, process })
    }

    /// The process, if it runs.
    #[must_use]
    pub fn process(&self) -> Option<&EngineProcess> {
        self.process.as_ref()
    }
}

fn gone() -> Fault {
    Fault::new(FaultKind::Crash, "the engine does not run")
}

impl Contestant for UsiContestant {
    fn new_game(&mut self, _: usize) -> Result<(), Fault> {
        Ok(self.process.as_mut().ok_or_else(gone)?.new_game()?)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, Fault> {
        let process = self.process.as_mut().ok_or_else(gone)?;
        let budget =
            Budget::unlimited().with_deadline(turn.deadline).with_stop(Arc::clone(turn.stop));
        let answer = process.go(turn.game, turn.limits, &budget, &mut |_| {});
        if answer.is_err() {
            // Ctrl-C in a terminal goes to the engines as well: who set the flag comes second.
            thread::sleep(AFTERMATH);
        }
        let answer = answer?;
        Ok(Reply {
            best: answer.best,
            elapsed: answer.elapsed,
            score: answer.analysis.score().map(|score| score.raw()),
            nodes: answer.analysis.nodes,
            depth: answer.analysis.depth,
        })
    }

    fn game_over(&mut self, result: GameResult) {
        if let Some(process) = &mut self.process {
            // An engine that is gone will be missed when the next game begins.
            let _ = process.game_over(result);
        }
    }

    fn restart(&mut self) -> Result<(), Fault> {
        self.process = None;
        self.process = Some(EngineProcess::launch(self.config.clone())?);
        Ok(())
    }

    fn cpu_clock(&self) -> CpuClock {
        let process = self.process.as_ref();
        process.map_or(CpuClock::Unknown, |process| CpuClock::Process(process.id()))
    }
}

/// Engines are asked to quit before they are killed: some have temporary files to remove.
impl Drop for UsiContestant {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit();
        }
    }
}
