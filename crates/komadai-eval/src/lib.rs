#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! - [`Evaluator`], the seam: weights shared by all threads, a state for each of them;
//! - [`Material`], piece values on the board and in hand, and its state [`Balance`];
//! - [`Progress`], how far a game has come, on a scale of 0 to 15;
//! - [`ThreatmatePredictor`], which guesses whether a move threatens mate, and its default
//!   [`LogisticThreatmate`] on [`ThreatmateFeatures`];
//! - [`Classical`], material, placement, king safety and threats, and its [`Parameters`], whose
//!   [`Group`]s say what is looked at;
//! - [`features()`], the same evaluation as a sum of weights, for tuning.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod evaluator;

mod material;
mod attack_map;
mod progress;
mod threatmate;
mod classical;

pub use evaluator::Evaluator;

pub use material::{Balance, Material};

pub use progress::Progress;

pub use threatmate::{LogisticThreatmate, ThreatmateFeatures, ThreatmatePredictor};

pub use classical::{
    Classical, ClassicalState, Feature, Features, Group, PARAMETER_COUNT, Parameters,
    ParametersError, Phase, Weight, features,
};
