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
//! | module [`composition`] | reports on compositions: lengths with and without futile interpositions, main line, second solutions and other flaws, solution tree |
//! | module [`certificate`] | written proofs of a mate or of no mate, and their checker |
//! | module [`defence`] | the distance of each reply to a check, the most stubborn first; hints |
//! | module [`play_out`] | a problem played out, either side by a person |
//! | module [`brinkmate`] | threatmates that no move parries (必至) |
//! | module [`helpmate`] | mates in which the defender helps (協力詰) |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod key_hasher;
pub mod certificate;
#[doc(alias("余詰", "無駄合", "詰将棋作品"))]
pub mod composition;
pub mod defence;
pub mod play_out;
pub mod brinkmate;
pub mod helpmate;
mod problem;
mod diagram;
mod judge;
mod retro;
mod composer;
mod random;
mod mender;
#[cfg(test)]
mod tests;

pub use composer::{Composer, ComposerOptions};
pub use diagram::{Place, as_problem, canonical};
pub use judge::{Flaw, Judge};
pub use mender::{Mender, Removal, Repair};
pub use problem::{LineError, Problem, ProblemError, parse_problems, problems};
pub use random::RandomPositions;
