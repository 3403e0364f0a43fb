#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod evaluator;

mod material;
mod piece_square;
mod attack_map;
mod king_safety;
mod classical;

pub use evaluator::Evaluator;

pub use material::{Balance, Material};

pub use classical::{Classical, ClassicalState};
