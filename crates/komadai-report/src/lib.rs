#![doc = include_str!("../README.md")]
//!
//! # Features
//!
//! | feature | module |
//! |---|---|
//! | `book` | `book_page`: an HTML page about an opening book, its growth and its games, with charts |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod diagram;
mod svg;
#[cfg(feature = "book")]
pub mod book_page;

pub use diagram::Diagram;
pub use svg::{SvgBoard, SvgPieces};
