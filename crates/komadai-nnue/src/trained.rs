//! The weights of networks, as trainers make them.

#[cfg(feature = "bundled")]
mod bundled;
mod classical;
mod compact;

pub use classical::{ClassicalWeights, ClassicalWeightsError, DenseWeights};
pub use compact::{CompactWeights, CompactWeightsError};
