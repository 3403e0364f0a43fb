//! JKF (JSON Kifu Format), the JSON form of records that json-kifu-format defines, version 1.0.
//!
//! Source: the definition and its JSON Schema in the repository na2hiro/Kifu-for-JS (MIT).

mod json;

mod start;
mod written_move;
mod reader;
mod write;

pub use reader::parse_jkf;

pub(crate) use reader::{MAX_BYTES, check_length};

/// The number of forks inside each other that are read and written. Readers of JSON bound the
/// nesting of values, commonly to 128; a fork nests three values.
const MAX_FORK_DEPTH: usize = 40;
