#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`problems`] | the bundled problems |
//! | [`Problem`], [`parse_problems`] | a problem with its solution and rating, as a line of text |
//! | [`as_problem`], [`canonical`] | a position as a problem is printed, and the same for mirror images |
//! | [`Judge`], [`Flaw`] | the judgement whether a position has one solution |
//! | [`Composer`] | problems from mates in games |
//! | [`RandomPositions`] | random positions to make problems of |
//! | [`Mender`] | pieces that are not needed, and pieces that remove a cook |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod problem;
mod problems;
mod diagram;
mod judge;
mod sieve;
mod retro;
mod composer;
mod random;
mod mender;

pub use composer::{Composer, ComposerOptions};
pub use diagram::{Place, as_problem, canonical};
pub use judge::{Flaw, Judge};
pub use mender::{Mender, Removal, Repair};
pub use problem::{Problem, ProblemError};
pub use problems::{LineError, parse_problems, problems};
pub use random::RandomPositions;
