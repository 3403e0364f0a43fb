//! The weights of networks, as trainers make them.

mod classical;
mod compact;

pub use classical::{ClassicalWeights, ClassicalWeightsError, DenseWeights};
pub use compact::{CompactWeights, CompactWeightsError};
