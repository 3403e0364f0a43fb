#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! - [`Searcher`], the seam: a position and a budget in, an `Analysis` out;
//! - [`AlphaBeta`], the searcher, and its [`SearchOptions`];
//! - [`Techniques`], the switches, and [`Parameters`], the numbers;
//! - [`TranspositionTable`] and its [`Entry`], which other searchers may read;
//! - [`Statistics`], what a search counts;
//! - [`bench()`], a fixed amount of work that measures speed and gives the search a signature.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod searcher;
mod statistics;
mod techniques;
mod parameters;
mod options;

mod entry;
mod table;
mod dominance;
mod tesuji;

mod value;
mod meter;
mod partial_keys;
mod history;
mod picker;
mod pruning;
mod worker;
mod quiescence;
mod node;
mod root;
mod deepening;
mod team;
mod alpha_beta;
mod bench;

pub use searcher::Searcher;

pub use alpha_beta::AlphaBeta;
pub use options::SearchOptions;
pub use parameters::{Parameter, Parameters};
pub use statistics::Statistics;
pub use techniques::Techniques;

pub use bench::{BENCH_DEPTH, BenchReport, SIGNATURE, bench};

pub use entry::Entry;
pub use table::TranspositionTable;

pub use tesuji::{Descriptor, DescriptorError, Tesuji, TesujiError, TesujiTable};
