//! The integration tests of the crate, in one program.

mod random_setup;

mod malformed_input;
mod packed_contract;
mod position;
mod text_roundtrip;
