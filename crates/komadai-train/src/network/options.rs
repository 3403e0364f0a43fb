//! The options of a training.

use komadai_eval::{Classical, Evaluator, Material, Parameters};
use komadai_nnue::CompactBase;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::network::sample::Sample;

/// A kind of networks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TrainingArchitecture {
    /// The format of this project: zones of the king, and one layer after the first.
    #[default]
    Compact,
    /// HalfKP: every square of the king, and two hidden layers of 32 outputs. YaneuraOu and
    /// programs that read its files play with it.
    HalfKp,
}

/// The shape of a network and the way in which it is trained.
///
/// # Examples
///
/// ```
/// use komadai_train::network::TrainingOptions;
///
/// let options = TrainingOptions { width: 64, ..TrainingOptions::default() };
/// assert!(options.mirror);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingOptions {
    /// The kind of the network.
    pub architecture: TrainingArchitecture,
    /// The evaluation that the network corrects. A network HalfKP corrects none; it is compared
    /// with this one.
    pub base: TrainingBase,
    /// The outputs of the first layer for each side's view, a multiple of 32 up to 2,048; up to
    /// 512 for HalfKP.
    pub width: usize,
    /// The classes of progress, from 1 to 16; each has an output layer of its own;
    /// always 1 for HalfKP.
    pub classes: usize,
    /// The number of times that each position is seen.
    pub epochs: u32,
    /// The positions of a step.
    pub batch: usize,
    /// The learning rate at the start and at the end; between them it falls like a cosine.
    pub learning_rate: [f32; 2],
    /// The share by which weights of a piece with a zone of the king shrink in a step, for a
    /// learning rate of 1: towards the weights that all zones share.
    pub decay: f32,
    /// The same for the weights that all zones share.
    pub shared_decay: f32,
    /// The share of the game's result in the target, from 0 to 1. The score of the search has the
    /// rest.
    pub result_share: f32,
    /// The score in centipawns whose expected result is 1 / (1 + 1/e) = 0.73.
    pub score_scale: f32,
    /// True if every other position is mirrored left to right, at random.
    pub mirror: bool,
    /// The number of positions between two measurements of the loss.
    pub interval: u64,
    /// The number of measurements without a new best loss that ends the training; 0 for none.
    pub patience: u32,
    /// The seed of the initial weights and of the order of positions.
    pub seed: u64,
}

impl Default for TrainingOptions {
    /// Returns a width of 128, fifteen epochs, the search score as the target.
    fn default() -> Self {
        Self {
            architecture: TrainingArchitecture::Compact,
            base: TrainingBase::Material,
            width: 128,
            classes: 1,
            epochs: 15,
            batch: 4_096,
            learning_rate: [1e-3, 1e-5],
            decay: 3.0,
            shared_decay: 1.0,
            result_share: 0.0,
            score_scale: 600.0,
            mirror: true,
            interval: 1_000_000,
            patience: 0,
            seed: 1,
        }
    }
}

impl TrainingOptions {
    /// Returns the options for a network HalfKP of the usual width, 256.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_train::network::{TrainingArchitecture, TrainingOptions};
    ///
    /// let options = TrainingOptions::half_kp();
    /// assert_eq!(options.architecture, TrainingArchitecture::HalfKp);
    /// assert_eq!(options.width, 256);
    /// ```
    pub fn half_kp() -> Self {
        let architecture = TrainingArchitecture::HalfKp;
        Self { architecture, width: 256, decay: 10.0, ..Self::default() }
    }
}

/// The evaluation that a network corrects: the network learns the difference to the scores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TrainingBase {
    /// The material balance.
    #[default]
    Material,
    /// The embedded evaluation. The network starts with all its knowledge, and costs its time
    /// besides.
    Classical,
}

impl TrainingBase {
    /// Computes the value of the base for all samples.
    pub(super) fn prepare(self, samples: &mut [Sample]) {
        match self {
            Self::Material => prepare(&Material, samples),
            // Without patches, which come after the network.
            Self::Classical => prepare(&Classical::new(&Parameters::fitted()), samples),
        }
    }
}

impl From<TrainingBase> for CompactBase {
    fn from(base: TrainingBase) -> Self {
        match base {
            TrainingBase::Material => Self::Material,
            TrainingBase::Classical => Self::Classical,
        }
    }
}

fn prepare<E: Evaluator>(evaluator: &E, samples: &mut [Sample]) {
    samples.par_iter_mut().for_each(|sample| {
        let value = evaluator.evaluate_position(&sample.position()).raw();
        sample.set_base(value.clamp(i16::MIN.into(), i16::MAX.into()) as i16);
    });
}
