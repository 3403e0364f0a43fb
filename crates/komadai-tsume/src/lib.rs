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
//! | module [`certificate`] | written proofs of a mate or of no mate, and their checker |
//! | module [`composition`] | reports on compositions: lengths with and without futile interpositions, main line, second solutions and other flaws, solution tree |
//! | [`is_mating_line`] | check of a line of moves: all legal, each attacking move a check, mate at the end |
//! | module [`short_mate`] | mates of 1, 3 or 5 plies, exact and without a table |
//! | module [`threatmate`] | the mate that is threatened (詰めろ), and the mates of both sides |
//! | module [`brinkmate`] | threatmates that no move parries (必至) |
//! | module [`no_mate`] | the ground of a no-mate: checks run out, repetition, or a pawn drop |
//! | module [`defence`] | the distance of each reply to a check, the most stubborn first; hints |
//! | module [`play_out`] | a problem played out, either side by a person |
//! | module [`helpmate`] | mates in which the defender helps (協力詰) |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod plies;
mod numbers;
mod reliance;
mod hands;
mod proof_hand;
mod near;
mod game;
mod path;
mod tables;
mod progress;
mod meter;
mod frame;
mod postpone;
mod memory;
mod search;
mod line;
mod options;
mod dfpn;
mod pn_search;
pub mod certificate;
pub mod short_mate;
pub mod threatmate;
pub mod no_mate;
pub mod brinkmate;
pub mod helpmate;
pub mod defence;
pub mod play_out;
#[doc(alias("余詰", "無駄合", "詰将棋作品"))]
pub mod composition;
#[cfg(test)]
mod tests;

// Aliases stand here: rustdoc drops those of an item that it shows under another path than that of its module.
#[doc(alias("詰将棋", "詰め将棋", "tsumeshogi", "証明数探索"))]
pub use dfpn::DfPn;
pub use line::is_mating_line;
pub use options::{DfPnOptions, Goal, Results, Techniques};
#[doc(alias = "proof-number search")]
pub use pn_search::PnSearch;
#[doc(alias("証明数", "反証数"))]
pub use progress::MateProgress;
