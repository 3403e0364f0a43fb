#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod command;
mod program;

pub mod book;
pub mod engine;
pub mod grow;
pub mod matches;
pub mod perft;
pub mod tsume;

mod arguments;
mod bundled;
mod console;

pub use command::{Komadai, run};
pub use program::{Program, run_as};
