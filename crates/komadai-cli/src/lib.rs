#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod command;

pub mod board;
pub mod analyse;
pub mod book;
pub mod convert;
pub mod csa;
pub mod engine;
pub mod eval;
pub mod kifu;
pub mod ladder;
pub mod match_worker;
pub mod matches;
pub mod net;
pub mod page;
pub mod perft;
pub mod play;
pub mod search;
pub mod study;
pub mod train;
pub mod tsume;
pub mod tsume_check;
pub mod tsume_make;
pub mod tsume_mend;
pub mod tune;
pub mod usi;

mod arguments;
mod dialogue;

pub use command::{Komadai, run};
