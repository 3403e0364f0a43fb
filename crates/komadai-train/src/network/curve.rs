//! The loss during a training.

use serde::{Deserialize, Serialize};

/// A measurement of the loss.
///
/// A loss is a mean cross-entropy in excess of the entropy of the targets: 0 for a network that
/// knows them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LossPoint {
    /// The positions that have been learnt from, each as often as it was seen.
    pub positions: u64,
    /// The epoch, from 0, with its share that has passed.
    pub epoch: f64,
    /// The learning rate.
    pub learning_rate: f32,
    /// The loss on the positions since the measurement before, each before it was learnt from.
    pub training_loss: f64,
    /// The loss on the held-out games.
    pub held_out_loss: f64,
}

impl LossPoint {
    /// Returns whether both losses are finite numbers. If not, no further training can mend the
    /// weights.
    pub fn is_finite(&self) -> bool {
        self.training_loss.is_finite() && self.held_out_loss.is_finite()
    }
}
