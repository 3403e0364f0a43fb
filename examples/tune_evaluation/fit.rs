//! Logistic regression: the weights with which the evaluation best foretells the search and the
//! game.
//!
//! The evaluation is linear in its weights, so the gradient is exact. Method: D. Kingma and J. Ba,
//! "Adam: a method for stochastic optimization", ICLR 2015, with the pull towards the start taken out
//! of the gradient (I. Loshchilov and F. Hutter, "Decoupled weight decay regularization", ICLR 2019).

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::core::Color;
use komadai::engine::SplitMix64;
use komadai::eval::{Group, PARAMETER_COUNT, Parameters, Weight, features};
use rayon::prelude::*;

use crate::evaluators::parameters;
use crate::sample::{self, Sample};

/// Options of `fit`.
#[derive(Debug, Args)]
pub(crate) struct Fit {
    /// Where the parameters go.
    out: PathBuf,
    /// The samples, as `generate` writes them.
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// Where to start from; the hand-set parameters where left out.
    #[arg(long, default_value = "hand-set")]
    start: PathBuf,
    /// How much of the target is the search's score; the rest is the game's result.
    #[arg(long, default_value_t = 0.6)]
    lambda: f32,
    /// The score at which the side to move wins e / (e + 1) of the games, in centipawns.
    #[arg(long, default_value_t = 600.0)]
    scale: f32,
    /// How often every sample is looked at.
    #[arg(long, default_value_t = 12)]
    epochs: u32,
    /// How many samples make a step.
    #[arg(long, default_value_t = 2_048)]
    batch: usize,
    /// The length of the first steps, in centipawns; the last ones are a thirtieth of it.
    #[arg(long, default_value_t = 1.0)]
    rate: f32,
    /// How strongly the weights are drawn back to the start: the part of a step's length per
    /// centipawn.
    #[arg(long, default_value_t = 0.001)]
    pull: f32,
    /// The seed of the order in which samples are looked at.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// One sample in twenty is kept for checking.
const HELD_OUT: usize = 20;

/// A weight's part in one position.
#[derive(Debug, Clone, Copy)]
struct Term {
    index: u16,
    phase: u8,
    times: f32,
}

/// A position as the regression sees it, for Black.
#[derive(Debug)]
struct Row {
    terms: Box<[Term]>,
    phases: [f32; 3],
    target: f32,
}

/// `[early, late]` of every weight, in centipawns.
type Weights = Vec<[f32; 2]>;

impl Fit {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let mut samples = Vec::new();
        for path in &self.samples {
            samples.extend(sample::read(path)?);
        }
        ensure!(samples.len() >= 1_000, "{} samples are too few", samples.len());
        self.calibrate(&samples);
        // Samples of one game lie together: whole stretches are held out, not single positions.
        let held_out = samples.split_off(samples.len() - samples.len() / HELD_OUT);
        let train = self.rows(&samples)?;
        let check = self.rows(&held_out)?;
        println!("{} samples to learn from, {} to check with", train.len(), check.len());

        let start = weights(&parameters(Some(&self.start))?);
        println!("start: checked {:.5}", self.loss(&check, &start));
        let mut learner = Learner::new(start);
        let steps = self.epochs as usize * train.len().div_ceil(self.batch);
        let mut order: Vec<usize> = (0..train.len()).collect();
        let mut random = SplitMix64::new(self.seed);
        for epoch in 1..=self.epochs {
            shuffle(&mut order, &mut random);
            let mut sum = 0.0;
            for batch in order.chunks(self.batch) {
                let (loss, gradient) = self.gradient(&train, batch, &learner.weights);
                sum += loss;
                let done = learner.step as f32 / steps as f32;
                let rate = self.rate * (1.0 / 30.0 + 29.0 / 30.0 * (1.0 - done).powi(2));
                learner.step(&gradient, rate, self.pull);
            }
            let learned = sum / train.len() as f64;
            let checked = self.loss(&check, &learner.weights);
            println!("epoch {epoch}: learned {learned:.5}, checked {checked:.5}");
        }
        let parameters = rounded(&learner.weights);
        let rounded = self.loss(&check, &weights(&parameters));
        println!("rounded: checked {rounded:.5}");
        fs::write(&self.out, parameters.to_string())
            .with_context(|| format!("cannot write {}", self.out.display()))
    }

    /// Prints how often the side to move won, by score.
    fn calibrate(&self, samples: &[Sample]) {
        println!("score   samples  won    expected");
        for from in (-1_000..1_000).step_by(250) {
            let within = |s: &&Sample| (from..from + 250).contains(&i32::from(s.score));
            let (count, sum) = samples
                .iter()
                .filter(within)
                .fold((0u32, 0.0), |(count, sum), s| (count + 1, sum + won(s.result)));
            let expected = sigmoid((from as f32 + 125.0) / self.scale);
            println!("{from:>5}  {count:>8}  {:.3}  {expected:.3}", sum / count.max(1) as f32);
        }
    }

    fn rows(&self, samples: &[Sample]) -> anyhow::Result<Vec<Row>> {
        samples.par_iter().map(|sample| self.row(sample)).collect()
    }

    fn row(&self, sample: &Sample) -> anyhow::Result<Row> {
        let position = sample.position()?;
        let features = features(&position);
        let mut terms: Vec<_> = features
            .list
            .iter()
            .map(|f| Term { index: f.index as u16, phase: f.phase as u8, times: f.times })
            .collect();
        terms.sort_unstable_by_key(|term| (term.index, term.phase));
        terms.dedup_by(|next, kept| {
            let same = (next.index, next.phase) == (kept.index, kept.phase);
            if same {
                kept.times += next.times;
            }
            same
        });
        terms.retain(|term| term.times != 0.0);
        let searched = sigmoid(f32::from(sample.score) / self.scale);
        let target = self.lambda * searched + (1.0 - self.lambda) * won(sample.result);
        let target = if position.side() == Color::Black { target } else { 1.0 - target };
        Ok(Row { terms: terms.into(), phases: features.phases, target })
    }

    fn loss(&self, rows: &[Row], weights: &Weights) -> f64 {
        let losses: Vec<f64> = rows.par_iter().map(|row| self.row_loss(row, weights).0).collect();
        losses.iter().sum::<f64>() / rows.len() as f64
    }

    /// The cross entropy above the least possible, and how far the expectation is off.
    fn row_loss(&self, row: &Row, weights: &Weights) -> (f64, f32) {
        let expected = sigmoid(row.evaluate(weights) / self.scale).clamp(1e-6, 1.0 - 1e-6);
        let (p, q) = (f64::from(row.target), f64::from(expected));
        let part = |p: f64, q: f64| if p > 0.0 { p * (p / q).ln() } else { 0.0 };
        (part(p, q) + part(1.0 - p, 1.0 - q), expected - row.target)
    }

    fn gradient(&self, rows: &[Row], batch: &[usize], weights: &Weights) -> (f64, Weights) {
        // Parts of fixed size, added in order: the same sums whatever the number of threads.
        let parts: Vec<_> = batch
            .par_chunks(batch.len().div_ceil(4))
            .map(|part| {
                let mut gradient = vec![[0.0; 2]; PARAMETER_COUNT];
                let mut sum = 0.0;
                for &i in part {
                    let (loss, error) = self.row_loss(&rows[i], weights);
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

impl Row {
    /// Centipawns for Black.
    fn evaluate(&self, weights: &Weights) -> f32 {
        let worth = |term: &Term| {
            let [early, late] = weights[usize::from(term.index)];
            term.times * (early + (late - early) * self.phases[usize::from(term.phase)])
        };
        self.terms.iter().map(worth).sum()
    }

    fn add_gradient(&self, error: f32, gradient: &mut Weights) {
        for term in &self.terms {
            let phase = self.phases[usize::from(term.phase)];
            let [early, late] = &mut gradient[usize::from(term.index)];
            *early += error * term.times * (1.0 - phase);
            *late += error * term.times * phase;
        }
    }
}

/// Adam.
#[derive(Debug)]
struct Learner {
    weights: Weights,
    start: Weights,
    mean: Weights,
    square: Weights,
    step: usize,
}

impl Learner {
    fn new(start: Weights) -> Self {
        let zero = vec![[0.0; 2]; start.len()];
        Self { weights: start.clone(), start, mean: zero.clone(), square: zero, step: 0 }
    }

    fn step(&mut self, gradient: &Weights, rate: f32, pull: f32) {
        const KEPT: [f32; 2] = [0.9, 0.999];
        /// Weights that rarely count have small gradients; this keeps them from running off.
        const FLOOR: f32 = 1e-6;
        self.step += 1;
        let unbiased = KEPT.map(|kept| 1.0 - kept.powi(self.step as i32));
        for i in 0..self.weights.len() {
            for end in 0..2 {
                let slope = gradient[i][end];
                let (mean, square) = (&mut self.mean[i][end], &mut self.square[i][end]);
                *mean += (slope - *mean) * (1.0 - KEPT[0]);
                *square += (slope * slope - *square) * (1.0 - KEPT[1]);
                let direction = *mean / unbiased[0] / ((*square / unbiased[1]).sqrt() + FLOOR);
                let weight = &mut self.weights[i][end];
                *weight -= rate * (direction + pull * (*weight - self.start[i][end]));
            }
        }
    }
}

fn weights(parameters: &Parameters) -> Weights {
    let cp = |units: i16| f32::from(units) / Parameters::UNIT as f32;
    parameters.weights().iter().map(|w| [cp(w.early), cp(w.late)]).collect()
}

fn rounded(weights: &Weights) -> Parameters {
    let mut parameters = Parameters::hand_set();
    let units = |cp: f32| (cp * Parameters::UNIT as f32).round() as i16;
    for group in Group::ALL {
        for index in group.range() {
            let [early, late] = weights[index];
            parameters.set(index, Weight { early: units(early), late: units(late) });
        }
    }
    parameters
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// A result as a part of a win.
fn won(result: i8) -> f32 {
    (f32::from(result) + 1.0) / 2.0
}

/// Fisher and Yates.
fn shuffle(order: &mut [usize], random: &mut SplitMix64) {
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i as u64 + 1) as usize);
    }
}
