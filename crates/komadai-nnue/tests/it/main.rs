//! The tests of the crate, in one program.

mod vectors;
mod incremental;
