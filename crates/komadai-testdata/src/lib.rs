#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod outcome;
mod table;

pub mod positions;

pub mod disagreements;
pub mod perft;
pub mod rules;

pub mod packed;
pub mod networks;
pub mod planes;

pub mod handicaps;
pub mod kifu;
pub mod notation;

pub mod castles;
pub mod formations;
pub mod judged;

pub mod games;
pub mod next_moves;
pub mod openings;

pub mod tsume;

pub mod books;

pub mod garbage;
pub mod programs;

pub use outcome::Outcome;
