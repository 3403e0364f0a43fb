//! The integration tests of `komadai-match`.

mod referee;
#[cfg(feature = "serde")]
mod serde_results;
