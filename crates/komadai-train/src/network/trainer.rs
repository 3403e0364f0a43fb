//! The training of a network.

use std::num::NonZero;
use std::path::Path;

use komadai_nnue::{Architecture, Network};

use super::compact_head::CompactHead;
use super::curve::LossPoint;
use super::error::TrainingError;
use super::half_kp_head::{HalfKpHead, MAX_WIDTH};
use super::lanes::LANES;
use super::options::{TrainingArchitecture, TrainingOptions};
use super::report::TrainingReport;
use super::training::Training;
use super::training_set::TrainingSet;

/// The training of a network.
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
pub struct Trainer(Kind);

/// A training of some kind of networks.
#[derive(Debug)]
enum Kind {
    Compact(Box<Training<CompactHead>>),
    HalfKp(Box<Training<HalfKpHead>>),
}

/// Calls a method of a training of any kind.
macro_rules! of_any {
    ($trainer:expr, $training:ident => $result:expr) => {
        match $trainer.0 {
            Kind::Compact(ref $training) => $result,
            Kind::HalfKp(ref $training) => $result,
        }
    };
    ($trainer:expr, mut $training:ident => $result:expr) => {
        match $trainer.0 {
            Kind::Compact(ref mut $training) => $result,
            Kind::HalfKp(ref mut $training) => $result,
        }
    };
}

impl Trainer {
    /// Prepares a training.
    ///
    /// # Errors
    ///
    /// Returns an error if an option is out of its range, and if there are no positions to train with or none
    /// are held out.
    pub fn new(options: TrainingOptions, set: TrainingSet) -> Result<Self, TrainingError> {
        check(&options)?;
        Ok(Self(match options.architecture {
            TrainingArchitecture::Compact => Kind::Compact(Training::new(options, set)?.into()),
            TrainingArchitecture::HalfKp => Kind::HalfKp(Training::new(options, set)?.into()),
        }))
    }

    /// Returns the trainer with another number of threads than one, which changes no result.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZero<usize>) -> Self {
        of_any!(self, mut training => training.set_threads(threads));
        self
    }

    /// Returns the trainer with the weights of a compact network in place of random ones, for more training with
    /// other positions.
    ///
    /// # Errors
    ///
    /// Returns an error if the network has another shape, scale or base than the options.
    pub fn with_network(mut self, network: &Network) -> Result<Self, TrainingError> {
        match &mut self.0 {
            Kind::Compact(training) => training.start_from(network)?,
            Kind::HalfKp(_) => {
                return Err(TrainingError::Option {
                    option: "network to start from",
                    found: network.architecture().to_string(),
                    expected: "none for HalfKP",
                });
            }
        }
        Ok(self)
    }

    /// Trains until the next measurement and returns it; `None` after the last one.
    ///
    /// The training ends with the last epoch, or when the loss has not fallen for some time.
    pub fn advance(&mut self) -> Option<LossPoint> {
        of_any!(self, mut training => training.advance())
    }

    /// Returns whether the training has ended.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        of_any!(self, training => training.is_finished())
    }

    /// The losses so far.
    #[must_use]
    pub fn report(&self) -> TrainingReport {
        of_any!(self, training => training.report())
    }

    /// Writes the state of the training to a file; the file is replaced whole.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses.
    pub fn save(&self, path: &Path) -> Result<(), TrainingError> {
        of_any!(self, training => training.save(path))
    }

    /// Returns the trainer in the state of a file, to go on where another one stopped.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is no interrupted training, or is one with other options
    /// or positions.
    pub fn resume(mut self, path: &Path) -> Result<Self, TrainingError> {
        of_any!(self, mut training => training.resume(path))?;
        Ok(self)
    }

    /// Returns the network with the least loss on the held-out games, or the untrained one.
    ///
    /// # Errors
    ///
    /// Returns an error if no network can have the weights; for the widths and ranges of the trainer, all
    /// can.
    pub fn network(&self, description: impl Into<String>) -> Result<Network, TrainingError> {
        of_any!(self, training => training.network(description.into()))
    }
}

fn check(options: &TrainingOptions) -> Result<(), TrainingError> {
    let refuse =
        |option, found: String, expected| Err(TrainingError::Option { option, found, expected });
    let TrainingOptions { width, batch, score_scale, result_share, .. } = *options;
    let (widths, classes) = match options.architecture {
        TrainingArchitecture::Compact => (Architecture::MAX_WIDTH, Architecture::MAX_CLASSES),
        TrainingArchitecture::HalfKp => (MAX_WIDTH, 1),
    };
    if !width.is_multiple_of(LANES) || !(LANES..=widths).contains(&width) {
        let expected = "a multiple of 32 from 32 to 2,048, or to 512 for HalfKP";
        return refuse("width", width.to_string(), expected);
    }
    if !(1..=classes).contains(&options.classes) {
        return refuse("classes", options.classes.to_string(), "1 to 16, or 1 for HalfKP");
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
