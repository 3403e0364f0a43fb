//! Tests of the crate from outside.

mod encoding;
#[cfg(feature = "tract")]
mod malformed_models;
#[cfg(feature = "tract")]
mod models;
#[cfg(feature = "tract")]
#[path = "../../examples/root_moves/protobuf.rs"]
mod protobuf;
#[cfg(feature = "tract")]
#[path = "../../examples/root_moves/random_network.rs"]
mod random_network;
