#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! - [`Searcher`], the seam: a position and a budget in, an `Analysis` out;
//! - [`AlphaBeta`], the searcher, and its [`SearchOptions`];
//! - [`Techniques`], the switches, and [`Parameters`], the numbers;
//! - [`Quiescence`], the ways in which leaves are played on: [`QuiescenceClasses`] of moves and the
//!   [`QuiescencePolicy`] that chooses among them at a [`QuiescenceNode`], with [`MoveProbability`];
//! - [`TranspositionTable`] and its [`Entry`], which other searchers may read;
//! - [`TesujiTable`] and its [`Tesuji`] of [`Descriptor`]s, sequences of moves that are extended;
//! - [`Statistics`], what a search counts;
//! - [`mod@bench`], a fixed amount of work that measures speed and gives the search a signature.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod searcher;
mod statistics;
mod techniques;
mod parameters;
mod options;

mod prefetch;
mod transposition_table;
mod tesuji;

mod value;
mod meter;
mod partial_keys;
mod history;
mod picker;
mod move_probability;
mod pruning;
mod abdada;
mod shared_state;
mod worker;
mod quiescence;
mod node;
mod root;
mod iterative_deepening;
mod lazy_smp;
mod alpha_beta;
pub mod bench;

pub use searcher::Searcher;

pub use alpha_beta::AlphaBeta;
pub use options::SearchOptions;
pub use parameters::{Parameter, Parameters};
pub use statistics::Statistics;
pub use techniques::Techniques;

pub use move_probability::{LogisticMoves, MoveProbability};
pub use quiescence::{
    ByProgress, Quiescence, QuiescenceClasses, QuiescenceNode, QuiescencePolicy,
    SelectedQuiescence, UnknownQuiescence,
};

pub use transposition_table::{Entry, TranspositionTable};

pub use tesuji::{Descriptor, DescriptorError, Tesuji, TesujiError, TesujiTable};
