//! The integration tests of the crate, in one program.

mod provenance;
mod rows;
mod sfen;
