#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod program;

pub mod arguments;
pub mod counter;
pub mod file_notes;
pub mod format;
pub mod grow_notes;
pub mod interrupt;
pub mod output;
pub mod pipeline;
pub mod progress;
pub mod state_json;
pub mod status_line;

pub use program::{Program, bad_usage, exit_code, run_as};
