//! The training of a network.

use std::num::NonZero;
use std::path::Path;

use komadai_nnue::{Architecture, Network};

use super::compact_head::CompactHead;
use super::error::TrainingError;
use super::half_kp_head::{HalfKpHead, MAX_WIDTH};
use super::lanes::LANES;
use super::options::{TrainingArchitecture, TrainingOptions};
use super::report::{LossPoint, TrainingReport};
use super::training::Training;
use super::training_set::TrainingSet;

/// The training of a network on the processor.
///
/// A trainer owns the positions of a [`TrainingSet`] and the weights. [`advance`](Self::advance)
/// learns until the next measurement of the loss, so that the caller decides what happens between
/// two of them: printing, [saving](Self::save), stopping early. At the end
/// [`network`](Self::network) rounds the weights of the best measurement to those that are played
/// with, and [`report`](Self::report) draws the curve.
///
/// The same options and positions give the same network, bit for bit, for any number of threads and
/// on any machine, also after an interruption: no sum depends on the order in which threads finish,
/// and only operations whose result is defined to the last bit are used. Therefore a difference
/// between two networks has a reason in their options or their data, never in the run.
///
/// # When to use
///
/// On one thread a compact network of width 128 learns from some 150,000 positions per second of
/// CPU time, HalfKP from 24,000 (`docs/learning_networks.md`); nothing here runs on an accelerator.
/// Larger architectures are trained elsewhere and read by `komadai-nnue`. For the choice among moves rather than their values there is
/// [`MoveFitter`](crate::moves::MoveFitter), for evaluations that a person can read
/// [`LinearModel`](komadai_nnue::linear::LinearModel).
///
/// # Examples
///
/// ```
/// use std::path::PathBuf;
///
/// use komadai_data::tools::{OnDamage, Sources, Watch};
/// use komadai_train::network::{Trainer, TrainingOptions, TrainingSet};
///
/// fn train(folder: PathBuf) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
///     let sources = Sources::find(&[folder], OnDamage::Refuse)?;
///     let mut set = TrainingSet::new();
///     set.read(&sources, &mut Watch::none())?;
///     let options = TrainingOptions { width: 64, ..TrainingOptions::default() };
///     let mut trainer = Trainer::new(options, set)?;
///     while let Some(point) = trainer.advance() {
///         println!("{:.1} epochs: {:.4}", point.epoch, point.held_out_loss);
///     }
///     let mut file = Vec::new();
///     trainer.network("a first network")?.write(&mut file)?;
///     Ok(file)
/// }
/// assert!(train("no games".into()).is_err());
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
    /// Returns an error if an option is out of its range, and if there are no positions to train
    /// with or none are held out.
    pub fn new(options: TrainingOptions, set: TrainingSet) -> Result<Self, TrainingError> {
        options.check()?;
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

    /// Returns the trainer with the weights of a compact network in place of random ones, for more
    /// training with other positions.
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
    /// The training ends with the last epoch, when the loss has not fallen for some time, or when
    /// it is no [finite](LossPoint::is_finite) number any more.
    pub fn advance(&mut self) -> Option<LossPoint> {
        of_any!(self, mut training => training.advance())
    }

    /// Returns whether the training has ended.
    pub fn is_finished(&self) -> bool {
        of_any!(self, training => training.is_finished())
    }

    /// The losses so far.
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
    /// Returns an error if the file cannot be read, is no interrupted training, or is one with
    /// other options or positions.
    pub fn resume(mut self, path: &Path) -> Result<Self, TrainingError> {
        of_any!(self, mut training => training.resume(path))?;
        Ok(self)
    }

    /// Returns the network with the least loss on the held-out games, or the untrained one.
    ///
    /// # Errors
    ///
    /// Returns [`TrainingError::Diverged`] if the last loss is no finite number, and an error if no
    /// network can have the weights; for the widths and ranges of the trainer, all can.
    pub fn network(&self, description: impl Into<String>) -> Result<Network, TrainingError> {
        of_any!(self, training => training.network(description.into()))
    }
}

impl TrainingOptions {
    /// Checks that every number is in its range. [`Trainer::new`] does the same; here it needs no
    /// positions.
    ///
    /// # Errors
    ///
    /// Returns [`TrainingError::Option`] with the first option that is not.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_train::network::TrainingOptions;
    ///
    /// let mut options = TrainingOptions::default();
    /// assert!(options.check().is_ok());
    /// options.learning_rate[0] = f32::NAN;
    /// let error = options.check().unwrap_err().to_string();
    /// assert_eq!(error, "found NaN as learning rate, expected a number above 0, to 1,000");
    /// ```
    pub fn check(&self) -> Result<(), TrainingError> {
        self.check_shape()?;
        let [first, last] = self.learning_rate;
        expect(first > 0.0 && first <= MOST, "learning rate", first, "a number above 0, to 1,000")?;
        let is_rate = |rate| (0.0..=MOST).contains(&rate);
        expect(is_rate(last), "learning rate at the end", last, "a number from 0 to 1,000")?;
        for (name, decay) in [("decay", self.decay), ("shared decay", self.shared_decay)] {
            expect(is_rate(decay), name, decay, "a number from 0 to 1,000")?;
        }
        let scale = self.score_scale;
        let is_scale = (1.0..=10_000.0).contains(&scale) && scale.fract() == 0.0;
        expect(is_scale, "score scale", scale, "a whole number from 1 to 10,000")?;
        let share = self.result_share;
        expect((0.0..=1.0).contains(&share), "share of the result", share, "0 to 1")?;
        expect(self.epochs > 0, "epochs", self.epochs, "at least 1")?;
        expect(self.interval > 0, "interval", self.interval, "at least 1 position")
    }

    fn check_shape(&self) -> Result<(), TrainingError> {
        let (widths, classes) = match self.architecture {
            TrainingArchitecture::Compact => {
                (Architecture::MAX_COMPACT_WIDTH, Architecture::MAX_CLASSES)
            }
            TrainingArchitecture::HalfKp => (MAX_WIDTH, 1),
        };
        let width = self.width;
        let is_width = width.is_multiple_of(LANES) && (LANES..=widths).contains(&width);
        let expected = "a multiple of 32 from 32 to 2,048, or to 512 for HalfKP";
        expect(is_width, "width", width, expected)?;
        let is_classes = (1..=classes).contains(&self.classes);
        expect(is_classes, "classes", self.classes, "1 to 16, or 1 for HalfKP")?;
        let is_batch = (1..=1 << 20).contains(&self.batch);
        expect(is_batch, "batch", self.batch, "1 to 1,048,576 positions")
    }
}

/// The largest learning rate and decay. Numbers that are not finite are larger than it or no
/// numbers.
const MOST: f32 = 1_000.0;

fn expect(
    is_in_range: bool,
    option: &'static str,
    found: impl ToString,
    expected: &'static str,
) -> Result<(), TrainingError> {
    if is_in_range {
        return Ok(());
    }
    Err(TrainingError::Option { option, found: found.to_string(), expected })
}
