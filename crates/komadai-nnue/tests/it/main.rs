//! The tests of the crate, in one program.

mod compact;
mod foreign_files;
mod incremental;
mod malformed;
#[cfg(feature = "mmap")]
mod mapped;
mod plain;
mod vectors;
