#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`DfPn`] | the solver; implements `MateSolver` of `komadai-movegen` |
//! | [`DfPnOptions`], [`Goal`], [`Results`] | size of its tables; any mate, a short one or the shortest; kept results |
//! | [`Techniques`] | parts of the search that studies turn off or on |
//! | [`MateProgress`] | the state of an unfinished search |
//! | [`PnSearch`] | a second solver, independent of the first: proof-number search on a tree |
//! | [`is_mating_line`] | check of a line of moves: all legal, each attacking move a check, mate at the end |
//! | module [`short_mate`] | mates of 1, 3 or 5 plies, exact and without a table |
//! | module [`threatmate`] | the mate that is threatened (詰めろ), and the mates of both sides |
//! | module [`no_mate`] | the ground of a no-mate: checks run out, repetition, or a pawn drop |
//! | module [`proof_hand`] | the hands for which a proof or a disproof holds (証明駒, 反証駒), for solvers |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod plies;
mod numbers;
pub mod proof_hand;
mod near;
mod game;
mod path;
mod tables;
mod meter;
mod frame;
mod postpone;
mod memory;
mod search;
mod line;
mod options;
mod dfpn;
mod pn_search;
pub mod short_mate;
pub mod threatmate;
pub mod no_mate;
#[cfg(test)]
mod tests;

// Aliases stand here: rustdoc drops those of an item that it shows under another path than that of
// its module.
#[doc(alias("詰将棋", "詰め将棋", "tsumeshogi", "証明数探索"))]
pub use dfpn::DfPn;
pub use line::is_mating_line;
#[doc(alias("証明数", "反証数"))]
pub use meter::MateProgress;
pub use options::{DfPnOptions, Goal, Results, Techniques};
#[doc(alias = "proof-number search")]
pub use pn_search::PnSearch;
