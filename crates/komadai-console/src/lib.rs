#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod program;
mod arguments;
mod appearance;
mod output;
mod files;
mod interrupt;
mod progress;
mod format;
mod notes;
mod pipeline;

pub mod state_json;

pub use appearance::{Appearance, LanguageArgs};
pub use arguments::{Side, WindowName, own_moves, threads, tolerance};
pub use files::{check_is_new, create_folder, write_file, write_file_or_stdout, write_file_with};
pub use format::{bounded_score, date, grouped, padded, signed_score, width};
pub use interrupt::{interrupted, stop_on_interrupt};
pub use notes::{
    FileNotes, grow_notes, left_out, passed_over, waiting_jobs, warn_of_faults, warn_of_import,
    warn_of_unreached,
};
pub use output::{Output, note, print_json, stdout};
pub use pipeline::Pipeline;
pub use program::{Program, bad_usage, describe, exit_code, run_as};
pub use progress::{Counted, Counter, Progress, StatusLine, counted};
