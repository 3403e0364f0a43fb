#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! - [`Evaluator`], the seam: weights shared by all threads, a state for each of them;
//! - [`Material`], piece values on the board and in hand, and its state [`Balance`];
//! - [`Classical`], material with a bonus for placement and the safety of both kings.
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
