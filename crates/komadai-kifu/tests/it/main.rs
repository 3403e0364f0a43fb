//! Integration tests of `komadai-kifu`, one module per topic.

mod games;
mod malformed_input;
mod samples;
#[cfg(feature = "serde")]
mod serde_records;
