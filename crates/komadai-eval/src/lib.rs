#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! - [`Evaluator`], the trait: weights shared by all threads, a state for each position;
//! - [`from_fn()`], an evaluator from a function of the position;
//! - [`Material`], piece values on the board and in hand, and its state [`Balance`];
//! - [`Progress`], the progress of a game on a scale of 0 to 15, and other measures of it
//!   ([`ProgressMeasure`]);
//! - [`ThreatmatePredictor`], the prediction of moves that threaten mate, its default
//!   [`LogisticThreatmate`] on [`ThreatmateFeatures`] and [`CheckFeatures`], and the more accurate
//!   [`NetworkThreatmate`];
//! - [`MatePrediction`], the prediction of mates by the side to move, on [`MateFeatures`];
//! - [`AttackMap`], the squares that a side attacks, by the price of the attacker;
//! - [`TesujiName`], the names of moves that players know as tesuji;
//! - [`Classical`], material, placement, king safety and threats, and its [`Parameters`], whose
//!   [`Group`]s define the features;
//! - [`features()`], the same evaluation as an explicit sum of weights, for tuning;
//! - [`Explanation`], that sum with the pieces and squares of its terms, and
//!   [`ExplanationDifference`], the changes between two positions.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod evaluator;
pub mod scale;

mod material;
mod attack_map;
mod progress;
mod threatmate;
mod mate_prediction;
mod tesuji_name;
mod classical;

// Aliases stand here: rustdoc drops those of an item that it shows under another path than that of
// its module.
#[doc(alias("評価関数", "hyokakansu"))]
pub use evaluator::Evaluator;
pub use evaluator::{FromFn, from_fn};

pub use material::Balance;
#[doc(alias("駒割り", "駒得", "komawari"))]
pub use material::Material;

#[doc(alias("進行度", "shinkodo"))]
pub use progress::Progress;
pub use progress::ProgressMeasure;

#[doc(alias("詰めろ", "tsumero"))]
pub use threatmate::ThreatmatePredictor;
pub use threatmate::{CheckFeatures, LogisticThreatmate, NetworkThreatmate, ThreatmateFeatures};

pub use mate_prediction::MateFeatures;
#[doc(alias = "詰み予測")]
pub use mate_prediction::MatePrediction;

#[doc(alias("手筋", "tesuji"))]
pub use tesuji_name::TesujiName;

#[doc(alias("利き", "kiki"))]
pub use attack_map::AttackMap;

pub use classical::{
    Classical, ClassicalState, Feature, Features, Group, PARAMETER_COUNT, Parameters,
    ParametersError, Patch, PatchError, Phase, Weight, features,
};
pub use classical::{Explanation, ExplanationDifference, Term, TermChange};
