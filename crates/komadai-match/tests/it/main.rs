//! The integration tests of `komadai-match`.

mod pondering;
mod referee;
#[cfg(feature = "serde")]
mod serde_results;
