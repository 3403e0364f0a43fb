//! Simultaneous perturbation (SPSA): each step moves all parameters a little, each up in one player
//! and down in the other, lets both play, and moves the parameters towards the winner.
//!
//! Source of the method: J. Spall, "Multivariate stochastic approximation using a simultaneous
//! perturbation gradient approximation", IEEE Transactions on Automatic Control 37(3), 1992. The
//! schedule is that of Fishtest: perturbations and steps shrink with the number of steps.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::ensure;
use clap::Args;
use komadai::core::SplitMix64;

use crate::arena::{settings, threads};
use crate::tune_search::terms::Terms;
use crate::tune_search::tuned::{self, Tuned};

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

/// The state that the workers share: the parameters, the next step, and the number of steps that
/// are done.
///
/// Steps that are being played when the program is stopped are lost; others take their numbers
/// later, so that the schedule and the number of games are kept.
#[derive(Debug)]
struct Progress {
    tuned: Vec<Tuned>,
    next: u32,
    done: u32,
}

impl Spsa {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        ensure!(self.games >= 2 && self.games.is_multiple_of(2), "games are played in pairs");
        let (tuned, done) = tuned::start(&self.parameters, &self.state)?;
        let progress = Mutex::new(Progress { tuned, next: done, done });
        // Each thread plays whole steps, so that none waits for the games of another.
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads(self.terms.concurrency).get())
                .map(|_| scope.spawn(|| self.work(&progress)))
                .collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
        })?;
        print!("{}", tuned::text(&lock(&progress).tuned));
        Ok(())
    }

    /// Plays one step after another until all are done.
    fn work(&self, progress: &Mutex<Progress>) -> anyhow::Result<()> {
        loop {
            let (tuned, step) = {
                let mut progress = lock(progress);
                if progress.next >= self.steps {
                    return Ok(());
                }
                progress.next += 1;
                (progress.tuned.clone(), progress.next - 1)
            };
            let changes = self.step(&tuned, step)?;
            let mut progress = lock(progress);
            for (tuned, change) in progress.tuned.iter_mut().zip(changes) {
                tuned.place = (tuned.place + change).clamp(0.0, 1.0);
            }
            progress.done += 1;
            if progress.done.is_multiple_of(10) || progress.done == self.steps {
                tuned::save(&self.state, &progress.tuned, progress.done)?;
                println!("step {}: saved", progress.done);
            }
        }
    }

    /// Plays one step and returns the changes of the parameters by its result.
    fn step(&self, tuned: &[Tuned], step: u32) -> anyhow::Result<Vec<f64>> {
        let mut random = SplitMix64::new(0x5350_5341 + u64::from(step));
        let progress = f64::from(step + 1) / f64::from(self.steps);
        // The exponents 0.101 and 0.602 are Spall's; the offset of a tenth bounds the early rates.
        let perturbation = self.perturbation / progress.powf(0.101);
        let rate = self.rate / (0.1 + 0.9 * progress).powf(0.602);
        let signs: Vec<f64> =
            tuned.iter().map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 }).collect();
        let moved = |by: f64| {
            let mut settings = settings(16);
            for (tuned, sign) in tuned.iter().zip(&signs) {
                let value = tuned.value(tuned.place + by * sign * perturbation);
                settings.parameters.set(tuned.parameter.name, value);
            }
            settings
        };
        let (up, down) = (moved(1.0), moved(-1.0));
        let alone = Terms { concurrency: 1, ..self.terms.clone() };
        let pairs = alone.play([&up, &down], self.games, u64::from(step))?;
        // From −1, all lost, to 1, all won.
        let lead = 2.0 * pairs.mean() - 1.0;
        Ok(signs.iter().map(|sign| rate * perturbation * lead * sign).collect())
    }
}

fn lock(progress: &Mutex<Progress>) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}
