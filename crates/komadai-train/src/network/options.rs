//! The options of a training.

use serde::{Deserialize, Serialize};

use super::base::TrainingBase;

/// The shape of a network and the way in which it is trained.
///
/// # Examples
///
/// ```
/// use komadai_train::network::TrainingOptions;
///
/// let mut options = TrainingOptions::default();
/// options.width = 64;
/// assert!(options.mirror);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TrainingOptions {
    /// The evaluation that the network corrects.
    pub base: TrainingBase,
    /// The outputs of the first layer for each side's view, a multiple of 32.
    pub width: usize,
    /// The classes of progress, from 1 to 16, each of which has an output layer of its own.
    pub classes: usize,
    /// The number of times that each position is seen.
    pub epochs: u32,
    /// The positions of a step.
    pub batch: usize,
    /// The learning rate at the start and at the end; between them it falls like a cosine.
    pub learning_rate: [f32; 2],
    /// The share by which weights of a piece with a zone of the king shrink in a step, for a learning rate of
    /// 1: towards the weights that all zones share.
    pub decay: f32,
    /// The same for the weights that all zones share.
    pub shared_decay: f32,
    /// The share of the game's result in the target, from 0 to 1. The score of the search has the rest.
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
