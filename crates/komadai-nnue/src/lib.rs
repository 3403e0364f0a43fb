#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! - [`Architecture`] and [`FeatureSet`], the shapes of networks;
//! - [`Network`], the weights, and [`NetworkError`] and [`BlockFault`], the reasons why a file is
//!   none;
//! - [`NetworkFacts`], what the file of a network states, with its [`Doubt`]s; [`ScaleSource`], the
//!   place that the divisor of the output comes from; [`ReadOptions`] and [`StackRule`], what the
//!   file does not state;
//! - [`CompactWeights`], the weights of a network of our own format, from a trainer, [`PieceTerm`],
//!   its inputs, and [`CompactBase`], the evaluation to which it adds;
//! - [`ClassicalWeights`] and [`DenseWeights`], those of a network that other programs read as
//!   well;
//! - [`Nnue`], a network as an [`Evaluator`](komadai_eval::Evaluator), and its state
//!   [`Accumulator`];
//! - [`Inspector`], the parameters of a network and the values of its units ([`Activations`]), and
//!   [`ConversionError`], the reason why a network has no other form;
//! - [`Kernels`], the vector instructions that compute it.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod aligned;
#[cfg(feature = "mmap")]
mod mapped;
mod weights;
mod kernels;

mod bona_piece;
mod feature_set;
mod features;
mod progress_model;
mod progress_file;
mod psqt;
mod stack_choice;
mod stack_rule;
mod layer_stacks;
mod shards;
mod architecture;
mod scale;
mod facts;

mod block_fault;
mod error;
mod source;
mod leb128;
mod dense;
mod stack;
mod compact;
mod scratch;
mod layers;
mod network;
mod detection;
mod network_file;
mod random_network;
mod trained;
mod piece_term;

mod changes;
mod row_lists;
mod king_cache;
mod accumulator;
mod evaluator;
mod active_features;
mod inspection;
mod conversion;
pub mod linear;

pub use accumulator::Accumulator;
pub use architecture::{Architecture, UnknownArchitecture};
pub use block_fault::BlockFault;
pub use compact::CompactBase;
pub use conversion::ConversionError;
pub use error::NetworkError;
#[doc(alias = "評価関数")]
pub use evaluator::Nnue;
pub use facts::{Doubt, FileFacts, NetworkFacts};
pub use feature_set::FeatureSet;
pub use inspection::{Activations, Inspector, SumBits};
pub use kernels::Kernels;
pub use network::Network;
pub use network_file::ReadOptions;
pub use piece_term::PieceTerm;
pub use scale::ScaleSource;
pub use stack_rule::{StackRule, UnknownStackRule};
pub use trained::{
    ClassicalWeights, ClassicalWeightsError, CompactWeights, CompactWeightsError, DenseWeights,
};
