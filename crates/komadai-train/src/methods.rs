//! Methods of the literature that learn linear evaluations.
//!
//! Each is a [`Method`], which learns in steps: from [`LearningData`], games with the scores and
//! best moves of searches, or by playing against itself. The result follows from the data and the
//! seed.
//!
//! | method | learns | from |
//! |---|---|---|
//! | [`Regression`] | the score of a search | records |
//! | [`TreeStrap`] | the values of all nodes in a search, or of the root (RootStrap) | its own searches |
//! | [`Bonanza`] | higher values of the best moves than of the others | records |
//! | [`TdLeaf`] | the values later in the game, and its result | games against itself |
//!
//! [`PieceValues`] learns nothing but the values of the pieces, from zero.

mod records;
mod games;
mod gradient;
mod method;
mod regression;
mod strap_errors;
mod tree_strap;
mod leaf_search;
mod piece_sum;
mod bonanza;
mod td_leaf;
mod piece_values;
mod judgement;
mod comparison;

pub use bonanza::{Bonanza, BonanzaOptions};
pub use comparison::{ComparisonOptions, Learned, MethodKind, UnknownMethod, learn};
pub use games::{Opponent, OpponentAnswer};
pub use judgement::{Agreement, HeldOutLoss};
pub use method::Method;
pub use piece_values::{PieceValues, PieceValuesOptions};
pub use records::LearningData;
pub use regression::{Regression, RegressionOptions};
pub use strap_errors::{ErrorSum, StrapErrors};
pub use td_leaf::{TdLeaf, TdLeafOptions, temporal_differences};
pub use tree_strap::{StrapNodes, TreeStrap, TreeStrapOptions, tree_error};

#[cfg(test)]
mod tests;
