//! The tests of the crate, in one program.

mod compact;
mod incremental;
mod malformed;
#[cfg(feature = "mmap")]
mod mapped;
mod vectors;
