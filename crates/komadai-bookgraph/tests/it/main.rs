//! Tests of values and frontiers: known answers, brute-force oracles, faulty books.

mod small_books;

mod db_contract;
mod draw_value;
mod frontier;
mod frontier_oracles;
mod larger_fixtures;
mod malformed_input;
mod propagation;
#[cfg(feature = "serde")]
mod serde_reports;
