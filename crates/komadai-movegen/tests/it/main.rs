//! The integration tests of the crate, in one program.

mod oracle;
mod perft_truth;
mod rules_truth;
