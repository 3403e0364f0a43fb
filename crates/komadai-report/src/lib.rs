#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod diagram;
mod svg;
#[cfg(feature = "book")]
pub mod book_page;

pub use diagram::Diagram;
pub use svg::{SvgBoard, SvgPieces};
