#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod inputs;
mod options;
mod rounds;
mod run;
mod summary;
mod working_book;

pub use inputs::TOURNAMENT_GAMES;
pub use options::GrowArgs;
