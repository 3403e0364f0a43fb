//! The integration tests of `komadai-usi`.

mod client;
mod roundtrip;
