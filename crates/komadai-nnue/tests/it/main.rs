//! The tests of the crate, in one program.

mod incremental;
mod malformed;
mod vectors;
