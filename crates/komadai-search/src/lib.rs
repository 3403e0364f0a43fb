#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! - [`Searcher`], the trait: from a [`SearchRequest`], a position and a budget, to an `Analysis`;
//!   its [`SearcherState`] with the [`RootVisits`] and the moves of the root of a tree search;
//! - [`AlphaBeta`], the searcher, and its [`SearchOptions`];
//! - [`NodeVisitor`], who sees each [`VisitedNode`], and [`MoveOrder`], which adds to the ordering
//!   of moves;
//! - [`Techniques`], the switches, and [`Parameters`], the numbers;
//! - [`Quiescence`], the methods of quiescence search: [`QuiescenceClasses`] of moves, the
//!   [`QuiescencePolicy`] that chooses among them at a [`QuiescenceNode`];
//! - [`ProbCut`] and its [`DepthPair`]s of searches: the shallow one decides the deep one by a
//!   [`DepthRegression`];
//! - [`MoveProbability`] and its models: [`LogisticMoves`] of 32 features, [`SoftmaxMoves`] of many
//!   tables, [`ClassMoves`] of counted classes;
//! - [`TranspositionTable`] and its [`Entry`], which other searchers may read;
//! - [`TesujiTable`] and its [`Tesuji`] of [`Descriptor`]s, sequences of moves that are extended;
//! - [`Statistics`], the counters of a search;
//! - [`selective`], search by realization probability and ABC: likely or forced lines go deeper;
//! - [`mod@monte_carlo`], the other kind of search, and [`hybrid`], both at the same time;
//! - [`mod@bench`], a fixed amount of work that measures the speed and the signature of the search.
//!
//! The source is named by technique: `node.rs` lists the files of what plays, `museum.rs` those of
//! the techniques that are off by default.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod searcher;
mod statistics;
mod techniques;
mod parameters;
mod move_probability;
mod value;
mod probcut;
mod quiescence_method;
mod options;
mod settings;

mod transposition_table;
mod proof_table;

mod tactical;
mod history;
mod picker;
mod pruning;

mod root_move;
mod scaled;
mod meter;
mod worker;

mod quiescence;
mod node;
mod museum;
mod root;
mod iterative_deepening;
mod lazy_smp;
mod alpha_beta;
pub mod selective;
pub mod monte_carlo;
pub mod hybrid;
pub mod bench;

// Aliases stand here: rustdoc drops those of an item that it shows under another path than that of
// its module.
#[doc(alias("探索", "tansaku"))]
pub use searcher::Searcher;
pub use searcher::move_order::MoveOrder;
#[doc(alias("ノード", "TreeStrap"))]
pub use searcher::node_visitor::NodeVisitor;
pub use searcher::node_visitor::VisitedNode;
pub use searcher::root_visits::RootVisits;
pub use searcher::{SearchRequest, SearcherState};

#[doc(alias("アルファベータ探索", "思考エンジン"))]
pub use alpha_beta::AlphaBeta;
pub use options::SearchOptions;
pub use parameters::{Parameter, Parameters};
pub use statistics::Statistics;
pub use techniques::Techniques;

pub use move_probability::LogisticMoves;
#[doc(alias("実現確率探索", "遷移確率"))]
pub use move_probability::MoveProbability;
pub use move_probability::classes::{ClassCount, ClassMoves};
pub use move_probability::move_table_file::MoveTableError;
pub use move_probability::softmax::SoftmaxMoves;
#[doc(alias("静止探索", "seishitansaku"))]
pub use quiescence_method::Quiescence;
pub use quiescence_method::classes::{QuiescenceClasses, UnknownQuiescence};
pub use quiescence_method::gain::{ByGain, GainNode, GainTerms};
pub use quiescence_method::policy::{QuiescenceNode, QuiescencePolicy};
pub use quiescence_method::programs::OtherProgram;
pub use quiescence_method::stand_pat::StandPat;
pub use quiescence_method::{InCheck, SelectedQuiescence};

pub use probcut::depth_table::DepthTableError;
pub use probcut::{DepthPair, DepthRegression, ProbCut};

#[doc(alias("置換表", "ハッシュ", "chikanhyo"))]
pub use transposition_table::TranspositionTable;
pub use transposition_table::entry::Entry;

#[doc(alias = "手筋")]
pub use museum::tesuji::Tesuji;
pub use museum::tesuji::descriptor::{Descriptor, DescriptorError};
pub use museum::tesuji::file::TesujiFileError;
pub use museum::tesuji::{TesujiError, TesujiTable};
