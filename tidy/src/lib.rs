//! The sources of the workspace as the rules in `tests/it` read them, and the listing of public
//! interfaces that `cargo run -p tidy` prints.

#![forbid(unsafe_code)]

pub mod api;
pub mod modules;
pub mod source;
