#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod bundled_games;
mod engines;
mod inputs;
mod options;
mod rounds;
mod run;
mod summary;
mod working_book;

pub use options::GrowArgs;
