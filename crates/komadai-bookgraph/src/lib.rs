#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`BookGraph`], [`GraphBuilder`] | a book in memory, with the value of every position under best play of both sides |
//! | [`Value`], [`Basis`], [`RankedMove`] | a value, its reason, and the moves of a position, best first |
//! | [`GraphChange`], [`Updated`] | changes of the book, after which only affected values are computed |
//! | [`DbOptions`] | options of the `.db` book that is written from a graph |
//! | [`frontier`] | the positions at which good play leaves the book, and the order in which to search them |
//! | [`BookGame`] | a game of a side with the book |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod key_index;
mod book_game;
mod playable_move;
mod graph;
pub mod frontier;

// Aliases stand here: rustdoc drops those of an item that it shows under another path than that of
// its module.
pub use book_game::BookGame;
#[doc(alias("定跡", "joseki", "ペタショック"))]
pub use graph::BookGraph;
pub use graph::{
    Basis, DbOptions, DrawValue, Expectation, GraphBuilder, GraphChange, GraphImport,
    PERPETUAL_PLIES, REPETITION_PLIES, RankedMove, UnknownMoves, Updated, Value, WrittenMoves,
};
pub use playable_move::PlayableMove;
