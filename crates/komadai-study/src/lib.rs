#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod words;
mod figure;
mod findings;
mod claim;
mod page;
mod texts;
mod markdown;
mod html;
mod json;
mod games;
mod journal;
mod line_file;
mod parts;
mod source;

pub mod statistics;
pub mod positions;
pub mod referee;
pub mod frontier;
pub mod shiba;
pub mod glossary;
pub mod hybrid;
pub mod quiescence;

pub use claim::{Judged, Verdict};
pub use figure::Figure;
pub use findings::{Findings, FindingsError};
pub use journal::Journal;
pub use json::to_json;
pub use line_file::LineFile;
pub use page::Page;
pub use source::Source;
pub use words::Words;
