//! The errors of a training.

use std::io;
use std::path::PathBuf;

use komadai_nnue::{ClassicalWeightsError, CompactWeightsError};

/// An error in a training, or in its data.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// There is nothing to learn from, or nothing to measure the loss with.
    #[error(
        "found {training} positions to train with and {held_out} held out, expected some of both"
    )]
    TooFew {
        /// The positions to train with.
        training: usize,
        /// The positions held out.
        held_out: usize,
    },
    /// An option is out of its range.
    #[error("found {found} as {option}, expected {expected}")]
    Option {
        /// The option.
        option: &'static str,
        /// Its value.
        found: String,
        /// The values that it can have.
        expected: &'static str,
    },
    /// The loss is no finite number: the weights have grown without bound.
    #[error(
        "the loss is {training_loss}, held out {held_out_loss}, after {positions} positions, expected finite \
         numbers; a smaller learning rate may help"
    )]
    Diverged {
        /// The number of positions seen.
        positions: u64,
        /// The mean loss since the measurement before.
        training_loss: f64,
        /// The loss on the held-out games.
        held_out_loss: f64,
    },
    /// A file of an interrupted training cannot be read or written.
    #[error("cannot use the file {}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// A file is no interrupted training, or not one of these options and data.
    #[error("{}: found {found}, expected {expected}", path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// The value found.
        found: String,
        /// The values expected.
        expected: String,
    },
    /// The trained weights are no compact network.
    #[error("the trained weights are no network")]
    Weights(#[from] CompactWeightsError),
    /// The trained weights are no classical network.
    #[error("the trained weights are no network")]
    ClassicalWeights(#[from] ClassicalWeightsError),
}
