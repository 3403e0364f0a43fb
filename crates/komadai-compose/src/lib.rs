#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod diagram;
mod problem;
mod judge;
mod random;
mod retro;
mod composer;

pub use composer::{Composer, ComposerOptions};
pub use diagram::{Place, as_problem, canonical};
pub use judge::{Flaw, Judge};
pub use random::RandomPositions;
pub use problem::{Problem, ProblemError};
