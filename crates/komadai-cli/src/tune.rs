//! Tuning of the numbers of an engine by games.

mod games;
mod options;
mod output;
mod parameters;
mod state;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai::matches::Spsa;
use komadai_console::{Program, bad_usage, describe, interrupted, note, stop_on_interrupt};

use self::games::Games;
pub use self::options::TuneArgs;
use self::state::State;
use crate::matches::{MatchEnd, play_and_print, stopped_match};

/// Maximum interval between two lines of progress, in steps.
const REPORTED_STEPS: u32 = 10;

impl Program for TuneArgs {
    const SUBCOMMAND: &'static str = "tune";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let config = self.config().map_err(|error| bad_usage(describe(&error)))?;
        if self.list {
            parameters::list(config, self.appearance.language())?;
            return Ok(ExitCode::SUCCESS);
        }
        let games = Games::new(self, &config).map_err(|error| bad_usage(describe(&error)))?;
        let chosen = parameters::read(self.parameters()?, &config)?;
        let mut tuning = Spsa::new(chosen, self.steps, self.seed).map_err(bad_usage)?;
        let mut state = State::open(self, &games, &mut tuning)?;
        let stop = stop_on_interrupt()?;
        let result = self.tune(&mut tuning, &mut state, &games, &stop);
        output::print(&tuning, self.appearance.language(), self.json)?;
        result?;
        let (done, steps) = tuning.progress();
        if done < steps {
            return Err(interrupted("stopped; the same command continues"));
        }
        match self.judge(&tuning, &stop)? {
            MatchEnd::Over => Ok(ExitCode::SUCCESS),
            MatchEnd::Stopped => Err(stopped_match(true)),
        }
    }
}

impl TuneArgs {
    /// Makes the steps that are left.
    fn tune(
        &self,
        tuning: &mut Spsa,
        state: &mut State,
        games: &Games,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<()> {
        let names: Vec<String> =
            tuning.parameters().iter().map(|parameter| parameter.name.clone()).collect();
        let start = || games.worker(&names, stop);
        let every = (self.steps / 20).clamp(1, REPORTED_STEPS);
        tuning.run(self.concurrency, stop, &start, &mut |tuning, _| {
            state.save(tuning)?;
            let (done, steps) = tuning.progress();
            if !self.quiet && (done.is_multiple_of(every) || done == steps) {
                note!("step {done}/{steps}: {}", output::values(tuning));
            }
            Ok(())
        })
    }

    /// Plays the tuned values against those of the start until the test decides, if there is one.
    fn judge(&self, tuning: &Spsa, stop: &Arc<AtomicBool>) -> anyhow::Result<MatchEnd> {
        let Some(arguments) = self.match_arguments(tuning) else { return Ok(MatchEnd::Over) };
        play_and_print(&arguments?, stop)
    }
}
