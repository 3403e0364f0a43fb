//! The training of a network.

use std::num::NonZero;
use std::path::Path;

use komadai_core::SplitMix64;
use komadai_nnue::{Architecture, Network};

use super::batch::{Entry, is_mirrored};
use super::checkpoint::{self, Identity};
use super::curve::LossPoint;
use super::error::TrainingError;
use super::export;
use super::lanes::LANES;
use super::options::TrainingOptions;
use super::progress::Progress;
use super::report::TrainingReport;
use super::rows::Step;
use super::schedule::learning_rate;
use super::state::State;
use super::step::Workers;
use super::target::Target;
use super::training_set::TrainingSet;
use super::weights::Weights;

/// The training of a compact network.
///
/// The same options and positions give the same network, bit for bit, for any number of threads and on any
/// machine, also after an interruption: no sum depends on the order in which threads finish, and only
/// operations whose result is defined to the last bit are used.
///
/// # Examples
///
/// ```
/// use komadai_train::network::{Trainer, TrainingOptions, TrainingSet};
///
/// fn train(games: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
///     let mut set = TrainingSet::new();
///     set.read(games)?;
///     let mut options = TrainingOptions::default();
///     options.width = 64;
///     let mut trainer = Trainer::new(options, set)?;
///     while let Some(point) = trainer.advance() {
///         println!("{:.1} epochs: {:.4}", point.epoch, point.held_out_loss);
///     }
///     let mut file = Vec::new();
///     trainer.network("a first network")?.write(&mut file)?;
///     Ok(file)
/// }
/// assert!(train(b"no games").is_err());
/// ```
#[derive(Debug)]
pub struct Trainer {
    options: TrainingOptions,
    set: TrainingSet,
    workers: Workers,
    pub(super) state: State,
    /// The order of the positions in the current epoch.
    order: Vec<u32>,
}

impl Trainer {
    /// Prepares a training.
    ///
    /// # Errors
    ///
    /// Returns an error if an option is out of its range, and if there are no positions to train with or none
    /// are held out.
    pub fn new(options: TrainingOptions, mut set: TrainingSet) -> Result<Self, TrainingError> {
        check(&options)?;
        if set.training() == 0 || set.held_out() == 0 {
            let (training, held_out) = (set.training(), set.held_out());
            return Err(TrainingError::TooFew { training, held_out });
        }
        options.base.prepare(&mut set.samples);
        options.base.prepare(&mut set.held_out_samples);
        let progress = Progress::fit(&set.samples, options.classes);
        let weights = Weights::random(options.width, options.classes, progress, options.seed);
        let state = State { epoch: 0, position: 0, weights, curve: Vec::new(), best: None };
        let mut trainer = Self { options, set, workers: Workers::new(1), state, order: Vec::new() };
        trainer.shuffle();
        Ok(trainer)
    }

    /// Returns the trainer with another number of threads than one, which changes no result.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZero<usize>) -> Self {
        self.workers = Workers::new(threads.get());
        self
    }

    /// Trains until the next measurement and returns it; `None` after the last one.
    ///
    /// The training ends with the last epoch, or when the loss has not fallen for some time.
    pub fn advance(&mut self) -> Option<LossPoint> {
        if self.is_finished() {
            return None;
        }
        let (mut loss, mut seen) = (0.0, 0);
        while seen < self.options.interval && self.state.epoch < self.options.epochs {
            let (batch_loss, positions) = self.learn_batch();
            loss += batch_loss * positions as f64;
            seen += positions;
        }
        let held_out = &self.set.held_out_samples;
        let point = LossPoint {
            positions: self.positions(),
            epoch: self.positions() as f64 / self.order.len() as f64,
            learning_rate: self.learning_rate(),
            training_loss: loss / seen.max(1) as f64,
            held_out_loss: self.workers.measure(&self.state.weights, held_out, self.target()),
        };
        self.add(point);
        Some(point)
    }

    /// Returns whether the training has ended.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let State { epoch, curve, best, .. } = &self.state;
        let since_best = best.as_ref().map_or(0, |(at, _)| curve.len() - 1 - at);
        let is_stuck = self.options.patience > 0 && since_best >= self.options.patience as usize;
        *epoch >= self.options.epochs || is_stuck
    }

    /// The losses so far.
    #[must_use]
    pub fn report(&self) -> TrainingReport {
        let State { curve, best, .. } = &self.state;
        TrainingReport {
            training: self.set.training(),
            held_out: self.set.held_out(),
            points: curve.clone(),
            best: best.as_ref().map(|(at, _)| curve[*at]),
            base_loss: self.target().base_loss(&self.set.held_out_samples),
        }
    }

    /// Writes the state of the training to a file; the file is replaced whole.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses.
    pub fn save(&self, path: &Path) -> Result<(), TrainingError> {
        checkpoint::write(path, &self.identity(), &self.state)
    }

    /// Returns the trainer in the state of a file, to go on where another one stopped.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is no interrupted training, or is one with other options
    /// or positions.
    pub fn resume(mut self, path: &Path) -> Result<Self, TrainingError> {
        checkpoint::read(path, &self.identity(), &mut self.state)?;
        self.shuffle();
        Ok(self)
    }

    /// Returns the network with the least loss on the held-out games, or the untrained one.
    ///
    /// # Errors
    ///
    /// Returns an error if no network can have the weights; for the widths and ranges of the trainer, all
    /// can.
    pub fn network(&self, description: impl Into<String>) -> Result<Network, TrainingError> {
        let best = self.state.best.as_ref();
        let weights = best.map_or(&self.state.weights.rounded, |(_, weights)| weights);
        Ok(export::network(weights, &self.options, description.into())?)
    }

    /// Learns from the next batch. Returns its mean loss and its number of positions.
    fn learn_batch(&mut self) -> (f64, u64) {
        let Self { options, set, workers, state, order } = self;
        let rest = &order[state.position as usize..];
        let samples = &rest[..rest.len().min(options.batch)];
        let done = u64::from(state.epoch) * order.len() as u64 + state.position;
        let all = u64::from(options.epochs) * order.len() as u64;
        let step = Step {
            rate: learning_rate(options.learning_rate, done, all),
            decay: options.decay,
            shared_decay: options.shared_decay,
        };
        let target = Target::of_options(options);
        let entry = |sample: &u32| Entry {
            sample: *sample,
            is_mirrored: options.mirror && is_mirrored(options.seed, state.epoch, *sample),
        };
        let entries = samples.iter().map(entry);
        let loss = workers.learn(&mut state.weights, &set.samples, entries, target, step);
        let positions = samples.len() as u64;
        state.position += positions;
        if state.position == order.len() as u64 {
            (state.epoch, state.position) = (state.epoch + 1, 0);
            self.shuffle();
        }
        (loss, positions)
    }

    /// Puts the positions into the order of the current epoch.
    fn shuffle(&mut self) {
        self.order = (0..self.set.samples.len() as u32).collect();
        let seed = SplitMix64::mix(self.options.seed) ^ u64::from(self.state.epoch);
        SplitMix64::new(SplitMix64::mix(seed)).shuffle(&mut self.order);
    }

    fn add(&mut self, point: LossPoint) {
        let state = &mut self.state;
        let best = state.best.as_ref().map(|(at, _)| state.curve[*at].held_out_loss);
        if best.is_none_or(|best| point.held_out_loss < best) {
            state.best = Some((state.curve.len(), state.weights.rounded.clone()));
        }
        state.curve.push(point);
    }

    fn positions(&self) -> u64 {
        u64::from(self.state.epoch) * self.order.len() as u64 + self.state.position
    }

    fn learning_rate(&self) -> f32 {
        let all = u64::from(self.options.epochs) * self.order.len() as u64;
        learning_rate(self.options.learning_rate, self.positions(), all)
    }

    /// Returns what is the same for all parts of an interrupted training.
    fn identity(&self) -> Identity {
        let options = serde_json::to_string(&self.options).unwrap_or_default();
        Identity { options, positions: self.set.hash() }
    }

    fn target(&self) -> Target {
        Target::of_options(&self.options)
    }
}

fn check(options: &TrainingOptions) -> Result<(), TrainingError> {
    let refuse =
        |option, found: String, expected| Err(TrainingError::Option { option, found, expected });
    let TrainingOptions { width, batch, score_scale, result_share, .. } = *options;
    if !width.is_multiple_of(LANES) || Architecture::compact(width, 1).is_none() {
        return refuse("width", width.to_string(), "a multiple of 32 from 32 to 2,048");
    }
    if !(1..=Architecture::MAX_CLASSES).contains(&options.classes) {
        return refuse("classes", options.classes.to_string(), "1 to 16");
    }
    if !(1..=1 << 20).contains(&batch) {
        return refuse("batch", batch.to_string(), "1 to 1,048,576 positions");
    }
    if !(1.0..=10_000.0).contains(&score_scale) || score_scale.fract() != 0.0 {
        return refuse("score scale", score_scale.to_string(), "a whole number from 1 to 10,000");
    }
    if !(0.0..=1.0).contains(&result_share) {
        return refuse("share of the result", result_share.to_string(), "0 to 1");
    }
    Ok(())
}
