//! Tuning of the parameters of the search by simultaneous perturbation (SPSA).

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::matches::{Spsa as Tuning, SpsaParameter, SpsaStep};
use komadai::search::{Parameter, Parameters};
use komadai_base::atomic_file;
use komadai_base::file::read_text;

use crate::arena::{settings, threads};
use crate::tune_search::terms::Terms;

/// Seed for which parameters move up in a step.
const SEED: u64 = 0x5350_5341;

/// Options of `spsa`.
#[derive(Debug, Args)]
pub(crate) struct Spsa {
    /// Parameters to tune, by the names of `Parameters` (default: all).
    parameters: Vec<String>,
    /// Total number of steps.
    #[arg(long, default_value_t = 1_000)]
    steps: u32,
    /// Number of games per step.
    #[arg(long, default_value_t = 8)]
    games: usize,
    /// Perturbation of the parameters in the last step, as a share of their range.
    #[arg(long, default_value_t = 0.08)]
    perturbation: f64,
    /// Change of a parameter after a won step at the end, as a share of the perturbation.
    #[arg(long, default_value_t = 0.06)]
    rate: f64,
    /// File with the state, from which tuning continues.
    #[arg(long, default_value = "tuning.txt")]
    state: PathBuf,
    #[command(flatten)]
    terms: Terms,
}

impl Spsa {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        ensure!(self.games >= 2 && self.games.is_multiple_of(2), "games are played in pairs");
        let chosen = self.chosen()?;
        let parameters = chosen.iter().map(|parameter| self.parameter(parameter)).collect();
        let mut tuning = Tuning::new(parameters, self.steps, SEED)?;
        if self.state.exists() {
            let text = read_text(&self.state, u64::MAX)?;
            tuning.resume(&text).with_context(|| self.state.display().to_string())?;
        }
        let worker = || Ok(|step: &SpsaStep| self.play(&chosen, step).map(Some));
        let threads = threads(self.terms.concurrency);
        tuning.run(threads, &AtomicBool::new(false), &worker, &mut |tuning, _| {
            let (done, steps) = tuning.progress();
            if done.is_multiple_of(10) || done == steps {
                atomic_file::write(&self.state, tuning.to_text())?;
                println!("step {done}: saved");
            }
            Ok::<(), anyhow::Error>(())
        })?;
        for (parameter, value) in chosen.iter().zip(tuning.values()) {
            let Parameter { name, default, .. } = *parameter;
            let value = value.round() as i32;
            println!("{name}: {value} (was {default}, {:+})", value - default);
        }
        Ok(())
    }

    /// Returns the named parameters, or all.
    fn chosen(&self) -> anyhow::Result<Vec<Parameter>> {
        for name in &self.parameters {
            ensure!(Parameters::default().get(name).is_some(), "there is no parameter {name}");
        }
        let is_chosen = |parameter: &&Parameter| {
            self.parameters.is_empty() || self.parameters.iter().any(|name| name == parameter.name)
        };
        Ok(Parameters::ALL.iter().filter(is_chosen).copied().collect())
    }

    /// Returns a parameter as it is tuned. The rate is that of a step, whose games count together.
    fn parameter(&self, parameter: &Parameter) -> SpsaParameter {
        let Parameter { name, default, min, max } = *parameter;
        SpsaParameter {
            name: name.to_owned(),
            start: default.into(),
            min: min.into(),
            max: max.into(),
            c_end: self.perturbation * f64::from(max - min),
            r_end: self.rate / self.games as f64,
        }
    }

    /// Plays one step, one game after another, and returns the lead of the first player.
    fn play(&self, chosen: &[Parameter], step: &SpsaStep) -> anyhow::Result<f64> {
        let moved = |values: &[f64]| {
            let mut settings = settings(16);
            for (parameter, value) in chosen.iter().zip(values) {
                settings.parameters.set(parameter.name, value.round() as i32);
            }
            settings
        };
        let (up, down) = (moved(&step.up), moved(&step.down));
        let alone = Terms { concurrency: 1, ..self.terms.clone() };
        let pairs = alone.play([&up, &down], self.games, u64::from(step.number))?;
        Ok(self.games as f64 * (2.0 * pairs.mean() - 1.0))
    }
}
