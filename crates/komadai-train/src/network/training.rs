//! The training of a network of one kind.

use std::num::NonZero;
use std::path::Path;

use komadai_core::SplitMix64;
use komadai_nnue::Network;

use crate::network::batch::{Entry, is_mirrored};
use crate::network::checkpoint::{self, Identity, State};
use crate::network::error::TrainingError;
use crate::network::head::Head;
use crate::network::options::TrainingOptions;
use crate::network::report::{LossPoint, TrainingReport};
use crate::network::rows::Step;
use crate::network::step::Workers;
use crate::network::target::Target;
use crate::network::training_set::TrainingSet;
use crate::network::weights::Weights;

/// The training of a network of one kind.
#[derive(Debug)]
pub(super) struct Training<H: Head> {
    pub(super) options: TrainingOptions,
    set: TrainingSet,
    /// The hash of the set.
    positions: u64,
    workers: Workers<H>,
    pub(super) state: State<H>,
    /// The order of the positions in the current epoch.
    order: Vec<u32>,
    /// A number of the network that the training started from; 0 for random weights.
    pub(super) start: u64,
}

impl<H: Head> Training<H> {
    /// Prepares a training.
    pub(super) fn new(
        options: TrainingOptions,
        mut set: TrainingSet,
    ) -> Result<Self, TrainingError> {
        if set.training() == 0 || set.held_out() == 0 {
            let (training, held_out) = (set.training(), set.held_out());
            return Err(TrainingError::TooFew { training, held_out });
        }
        options.base.prepare(&mut set.samples);
        options.base.prepare(&mut set.held_out_samples);
        let shape = H::shape(&options, &set.samples);
        let weights = Weights::random(options.width, shape, options.seed);
        let state = State { epoch: 0, position: 0, weights, curve: Vec::new(), best: None };
        let (positions, workers, order) = (set.hash(), Workers::new(1), Vec::new());
        let mut training = Self { options, set, positions, workers, state, order, start: 0 };
        training.shuffle();
        Ok(training)
    }

    pub(super) fn set_threads(&mut self, threads: NonZero<usize>) {
        self.workers = Workers::new(threads.get());
    }

    /// Trains until the next measurement and returns it; `None` after the last one.
    ///
    /// The training ends with the last epoch, or when the loss has not fallen for some time.
    pub(super) fn advance(&mut self) -> Option<LossPoint> {
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
    pub(super) fn is_finished(&self) -> bool {
        let State { epoch, curve, best, .. } = &self.state;
        let since_best = best.as_ref().map_or(0, |(at, _)| curve.len() - 1 - at);
        let is_stuck = self.options.patience > 0 && since_best >= self.options.patience as usize;
        *epoch >= self.options.epochs || is_stuck || self.check_loss().is_err()
    }

    /// The losses so far.
    pub(super) fn report(&self) -> TrainingReport {
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
    pub(super) fn save(&self, path: &Path) -> Result<(), TrainingError> {
        checkpoint::write(path, &self.identity(), &self.state)
    }

    /// Reads the state of a file, to go on where another training stopped. After an error the state
    /// is any.
    pub(super) fn resume(&mut self, path: &Path) -> Result<(), TrainingError> {
        checkpoint::read(path, &self.identity(), &mut self.state)?;
        self.shuffle();
        Ok(())
    }

    /// Checks that the last loss is a finite number.
    fn check_loss(&self) -> Result<(), TrainingError> {
        match self.state.curve.last() {
            Some(point) if !point.is_finite() => Err(TrainingError::Diverged {
                positions: point.positions,
                training_loss: point.training_loss,
                held_out_loss: point.held_out_loss,
            }),
            _ => Ok(()),
        }
    }

    /// Returns the network with the least loss on the held-out games, or the untrained one.
    pub(super) fn network(&self, description: String) -> Result<Network, TrainingError> {
        self.check_loss()?;
        let best = self.state.best.as_ref();
        let weights = best.map_or(&self.state.weights.rounded, |(_, weights)| weights);
        H::network(weights.first_layer(), &weights.head, &self.options, description)
    }

    /// Learns from the next batch. Returns its mean loss and its number of positions.
    fn learn_batch(&mut self) -> (f64, u64) {
        let Self { options, set, workers, state, order, .. } = self;
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
        Identity { options, positions: self.positions ^ self.start }
    }

    fn target(&self) -> Target {
        Target::of_options(&self.options)
    }
}

/// The learning rate after a share of the training: half a wave of the cosine from `first` to
/// `last`.
pub(super) fn learning_rate([first, last]: [f32; 2], done: u64, all: u64) -> f32 {
    let share = done.min(all) as f64 / all.max(1) as f64;
    let fall = (1.0 + cosine_of_half_turns(share)) / 2.0;
    (f64::from(last) + f64::from(first - last) * fall) as f32
}

/// The cosine of `turns` · π for a number from 0 to 1, by its power series. It has the same bits on
/// every machine, which that of the system has not.
fn cosine_of_half_turns(turns: f64) -> f64 {
    // Near zero the series of the sine needs few terms.
    let x = (0.5 - turns) * std::f64::consts::PI;
    let series = (1..=12).rev().fold(1.0, |sum, term| {
        let term = f64::from(2 * term);
        1.0 - x * x * sum / (term * (term + 1.0))
    });
    x * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_falls_like_a_cosine() {
        for step in 0..=1_000 {
            let turns = f64::from(step) / 1_000.0;
            let expected = (turns * std::f64::consts::PI).cos();
            assert!((cosine_of_half_turns(turns) - expected).abs() < 1e-14, "{turns}");
        }
        let rate = |done| learning_rate([1e-3, 1e-5], done, 200);
        assert_eq!([rate(0), rate(200), rate(300)], [1e-3, 1e-5, 1e-5]);
        assert!((rate(100) - 5.05e-4).abs() < 1e-8);
        assert!((1..=200).all(|done| rate(done) < rate(done - 1)));
    }
}
