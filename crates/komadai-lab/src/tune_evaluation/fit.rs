//! Logistic regression: the weights with which the evaluation best predicts the score of the search
//! and the result of the game.
//!
//! The evaluation is linear in its weights, so the gradient is exact.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::core::SplitMix64;
use komadai::data::records::PackedSfenValue;
use komadai::data::tools::{Filter, OnDamage, Sources, Watch};
use komadai::eval::{Group, PARAMETER_COUNT, Parameters};
use komadai::prelude::Position;
use komadai_base::atomic_file;
use rayon::prelude::*;

use crate::evaluators::parameters;
use crate::tune_evaluation::learner::{Learner, Pull};
use crate::tune_evaluation::row::{Row, Weights, group, rounded, sigmoid, visits, weights};

/// Options of `fit`.
#[derive(Debug, Args)]
pub(crate) struct Fit {
    /// File to write the parameters to.
    out: PathBuf,
    #[command(flatten)]
    regression: Regression,
}

impl Fit {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        self.run_to_losses().map(drop)
    }

    /// Fits, and returns the losses on the held-out samples before and after.
    fn run_to_losses(&self) -> anyhow::Result<[f64; 2]> {
        let data = self.regression.data(&None)?;
        let fitted = self.regression.fit(&data)?;
        atomic_file::write(&self.out, fitted.parameters.to_string())
            .with_context(|| format!("cannot write {}", self.out.display()))?;
        Ok([fitted.before, fitted.after])
    }
}

/// The data and the options of a regression.
#[derive(Debug, Args)]
pub(crate) struct Regression {
    /// Folders and files of `komadai train generate` (.psv), whole games in their order.
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// File with the start parameters, or `hand-set`.
    #[arg(long, default_value = "hand-set")]
    start: PathBuf,
    /// Share of the search score in the target; the rest is the result of the game.
    #[arg(long, default_value_t = 1.0)]
    lambda: f32,
    /// Score in centipawns at which the side to move wins e / (e + 1) of the games.
    #[arg(long, default_value_t = 600.0)]
    scale: f32,
    /// Number of passes over the samples.
    #[arg(long, default_value_t = 6)]
    epochs: u32,
    /// Number of samples per step.
    #[arg(long, default_value_t = 2_048)]
    batch: usize,
    /// Length of the first steps in centipawns; it falls to a hundredth.
    #[arg(long, default_value_t = 4.0)]
    rate: f32,
    /// Number of samples at which the own part of a weight is shrunk by half.
    #[arg(long, default_value_t = 50_000.0)]
    shrink: f32,
    /// Number of samples at which a factor is shrunk by half.
    #[arg(long, default_value_t = 1_000.0)]
    shrink_factors: f32,
    /// Groups of weights that keep their start values.
    #[arg(long, default_value = "castle", value_delimiter = ',', value_parser = group)]
    freeze: Vec<Group>,
    /// Seed for the order of the samples.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// One sample in this number is held out for validation.
const HELD_OUT: usize = 20;

/// Largest absolute score of a sample, in centipawns. Beyond it the game is decided, and the
/// evaluation need not distinguish such positions.
const MAX_SCORE_CP: u16 = 2_500;

/// A phase of the game in place of that of `Classical`, from 0 to 1.
pub(crate) type GamePhase = Box<dyn Fn(&Position) -> f32 + Sync>;

/// The rows of a regression.
pub(crate) struct Data {
    train: Vec<Row>,
    /// Held out, in the order of the games.
    check: Vec<Row>,
}

/// The result of a regression.
pub(crate) struct Fitted {
    parameters: Parameters,
    /// The losses on the held-out rows with the weights of the start, and with the fitted ones
    /// after rounding.
    pub(crate) before: f64,
    pub(crate) after: f64,
    /// The last of these losses for each row.
    pub(crate) losses: Vec<f64>,
}

impl Regression {
    /// Reads the rows. `phase` takes the place of the phase of the game.
    pub(crate) fn data(&self, phase: &Option<GamePhase>) -> anyhow::Result<Data> {
        let mut samples = self.samples()?;
        ensure!(samples.len() >= 1_000, "found {} samples, expected at least 1000", samples.len());
        if phase.is_none() {
            calibrate(&samples, self.scale);
        }
        // The samples of one game are adjacent and similar, so the last part is held out in one
        // piece instead of single positions.
        let held_out = samples.split_off(samples.len() - samples.len() / HELD_OUT);
        let (train, check) = (self.rows(&samples, phase)?, self.rows(&held_out, phase)?);
        println!("{} samples to learn from, {} to check with", train.len(), check.len());
        Ok(Data { train, check })
    }

    /// Fits the weights.
    pub(crate) fn fit(&self, Data { train, check }: &Data) -> anyhow::Result<Fitted> {
        let start = weights(&parameters(Some(&self.start))?);
        let before = mean(&self.losses(check, &start));
        println!("start: checked {before:.5}");
        let visits = visits(train);
        // The slope of the error of one sample in an even position, as `gradient` measures errors.
        let curvature = 0.25 / self.scale / train.len() as f32;
        let pull = Pull { own: self.shrink * curvature, factor: self.shrink_factors * curvature };
        let mut learner = Learner::new(start, &pull, &visits, &self.freeze);
        let steps = self.epochs as usize * train.len().div_ceil(self.batch);
        let mut order: Vec<usize> = (0..train.len()).collect();
        let mut random = SplitMix64::new(self.seed);
        for epoch in 1..=self.epochs {
            random.shuffle(&mut order);
            let mut sum = 0.0;
            for batch in order.chunks(self.batch) {
                let (loss, gradient) = self.gradient(train, batch, &learner.weights);
                sum += loss;
                let done = learner.steps() as f32 / steps as f32;
                // A falling step length lets the weights settle instead of following the last
                // batches.
                let rate = self.rate * (0.01 + 0.99 * (1.0 - done).powi(2));
                learner.step(&gradient, rate);
            }
            let learned = sum / train.len() as f64;
            let checked = mean(&self.losses(check, &learner.weights));
            println!("epoch {epoch}: learned {learned:.5}, checked {checked:.5}");
        }
        let parameters = rounded(&learner.weights, &visits);
        let losses = self.losses(check, &weights(&parameters));
        let after = mean(&losses);
        println!("rounded: checked {after:.5}");
        Ok(Fitted { parameters, before, after, losses })
    }

    /// The data files, in the order of their games.
    pub(crate) fn sources(&self) -> anyhow::Result<Sources> {
        let mut watch = Watch::none();
        let sources = Sources::find(&self.data, OnDamage::Refuse)?.verified(&mut watch)?;
        sources.check_order(&mut watch)?;
        Ok(sources)
    }

    /// Reads the quiet records: the static evaluation cannot be fitted to positions in which the
    /// next move changes the material.
    fn samples(&self) -> anyhow::Result<Vec<PackedSfenValue>> {
        let (sources, mut watch) = (self.sources()?, Watch::none());
        let filter = Filter { is_quiet: true, max_score: Some(MAX_SCORE_CP), ..Filter::default() };
        let mut samples = Vec::new();
        let keeps = |_: &_, record: &_| Ok(filter.drops(record)?.is_none());
        sources.read("read", &mut watch, keeps, |found| {
            if found.value {
                samples.push(found.record);
            }
            Ok(())
        })?;
        Ok(samples)
    }

    fn rows(
        &self,
        samples: &[PackedSfenValue],
        phase: &Option<GamePhase>,
    ) -> anyhow::Result<Vec<Row>> {
        let row = |sample: &PackedSfenValue| {
            let searched = sigmoid(f32::from(sample.score) / self.scale);
            let target = self.lambda * searched + (1.0 - self.lambda) * won(sample);
            let position = sample.unpack()?;
            let phase = phase.as_ref().map(|phase| phase(&position));
            Ok(Row::new(&position, phase, target))
        };
        samples.par_iter().map(row).collect()
    }

    fn losses(&self, rows: &[Row], weights: &Weights) -> Vec<f64> {
        rows.par_iter().map(|row| row.loss(weights, self.scale).0).collect()
    }

    fn gradient(&self, rows: &[Row], batch: &[usize], weights: &Weights) -> (f64, Weights) {
        // Parts of fixed size, added in order, give the same sums for any number of threads.
        let parts: Vec<_> = batch
            .par_chunks(batch.len().div_ceil(4))
            .map(|part| {
                let mut gradient = vec![[0.0; 2]; PARAMETER_COUNT];
                let mut sum = 0.0;
                for &i in part {
                    let (loss, error) = rows[i].loss(weights, self.scale);
                    sum += loss;
                    rows[i].add_gradient(error / batch.len() as f32, &mut gradient);
                }
                (sum, gradient)
            })
            .collect();
        let mut parts = parts.into_iter();
        let mut total = parts.next().expect("a batch is not empty");
        for (sum, gradient) in parts {
            total.0 += sum;
            for (all, part) in total.1.iter_mut().zip(gradient) {
                *all = [all[0] + part[0], all[1] + part[1]];
            }
        }
        total
    }
}

fn mean(losses: &[f64]) -> f64 {
    losses.iter().sum::<f64>() / losses.len() as f64
}

/// Prints the share of wins of the side to move by score, beside the share that `scale` implies.
fn calibrate(samples: &[PackedSfenValue], scale: f32) {
    println!("score   samples  won    expected");
    for from in (-1_000..1_000).step_by(250) {
        let within = samples.iter().filter(|s| (from..from + 250).contains(&i32::from(s.score)));
        let (count, sum) = within.fold((0u32, 0.0), |(count, sum), s| (count + 1, sum + won(s)));
        let expected = sigmoid((from as f32 + 125.0) / scale);
        println!("{from:>5}  {count:>8}  {:.3}  {expected:.3}", sum / count.max(1) as f32);
    }
}

/// Returns the result of the side to move as a share of a win.
fn won(sample: &PackedSfenValue) -> f32 {
    (f32::from(sample.result as i8) + 1.0) / 2.0
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicBool;

    use clap::Parser;
    use komadai::data::{Dataset, DatasetError, Run, SelfPlayOptions, generate};
    use komadai::eval::Classical;

    use super::*;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        fit: Fit,
    }

    #[test]
    fn weights_are_fitted_to_generated_data() {
        let folder = tempfile::tempdir().unwrap();
        let (data, out) = (folder.path().join("data"), folder.path().join("new.txt"));
        let options = SelfPlayOptions { nodes: 50, ..SelfPlayOptions::default() };
        let run = Run::new("classical", options.clone(), 1);
        let mut dataset = Dataset::open(&data, run).unwrap();
        let first = dataset.game_seed(0);
        let one = NonZero::<usize>::MIN;
        let stop = AtomicBool::new(false);
        generate(
            &Classical::default(),
            &options,
            one,
            &|game| Some(first + game),
            &stop,
            &mut |game| {
                dataset.add(&game)?;
                let is_enough = dataset.positions() >= 4_000;
                let next =
                    if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
                Ok::<_, DatasetError>(next)
            },
        )
        .unwrap();
        dataset.finish().unwrap();

        let arguments = [out.as_os_str(), data.as_os_str()];
        let words = ["fit", "--epochs", "2", "--batch", "128"].map(AsRef::as_ref);
        let fit = Command::parse_from(words.into_iter().chain(arguments)).fit;
        let [start, end] = fit.run_to_losses().unwrap();
        assert!(end < 0.95 * start, "{start} {end}");
        let fitted: Parameters = std::fs::read_to_string(&out).unwrap().parse().unwrap();
        assert_ne!(fitted, Parameters::hand_set());
    }
}
