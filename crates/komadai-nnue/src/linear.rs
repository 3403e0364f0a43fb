//! Linear evaluations: the material balance, and weights of features.
//!
//! The programs of the literature learned such evaluations before networks took their place:
//! *Bonanza* relations of three pieces, *ym* those of two pieces and of a king with two pieces from
//! silvers upward. A [`LinearModel`] is what the methods of `komadai-train` learn, a
//! [`LinearEvaluator`] plays, and its file is an `EvalFile` of the engine.
//!
//! ```text
//! value = material + Σ weight[feature as the side to move sees it] − Σ weight[feature as the other side sees it]
//! ```
//!
//! Positions with exchanged colours have opposite values. For features with a king, the board is
//! mirrored if the king is on the left half, so that mirror images have the same value; on the
//! fifth file a term and its mirror image share a weight, as pairs of terms do in all of PP.
//!
//! # References
//!
//! - K. Hoki, "Optimal control of minimax search results to learn positional evaluation", GPW 2006.

mod error;
mod terms;
mod surplus;
mod groups;
mod active;
mod model;
mod evaluator;
mod explain;
mod file;

pub use active::{ActiveFeatures, LinearInputs};
pub use error::LinearError;
pub use evaluator::{LinearEvaluator, LinearState};
pub use explain::{LinearExplanation, LinearPiece, LinearTerm, LinearTermChange};
pub use groups::FeatureGroups;
pub use model::LinearModel;

#[cfg(test)]
mod tests;
