#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`SearchAnalyst`], [`Memory`] | a searcher that analyses positions (`komadai_core::Analyst`) |
//! | [`UsiAnalyst`] | an engine process that does the same |
//! | [`AnalysisMemory`] | a working book as the memory of analyses |
//! | module [`game_analysis`] | every position of a game valued, every move judged |
//! | [`EmbeddedContestant`] | a player in matches without a process |
//! | module [`match_records`] | games of matches as records |
//! | [`BookArena`], [`ArenaPlayer`] | matches of a player with a book against players without (`komadai_book::arena::Arena`) |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod search_analyst;
mod usi_analyst;
mod analysis_memory;

#[doc(alias("棋譜解析", "検討"))]
pub mod game_analysis;

mod embedded_contestant;
mod book_arena;
pub mod match_records;

pub use analysis_memory::AnalysisMemory;
pub use book_arena::{ArenaPlayer, BookArena};
pub use embedded_contestant::EmbeddedContestant;
pub use search_analyst::{Memory, SearchAnalyst};
pub use usi_analyst::UsiAnalyst;
