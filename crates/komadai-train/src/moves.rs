//! Fits of the [probability of moves](komadai_search::MoveProbability) to games.
//!
//! A [`MoveSet`] has positions of games with the moves that a search or a player found best, one
//! game in twenty held out. [`MoveFitter`] finds the weights of a
//! [`SoftmaxMoves`](komadai_search::SoftmaxMoves) with which these moves are most probable, by
//! Adam. [`count_classes`] counts the moves of a [`ClassMoves`](komadai_search::ClassMoves).
//! [`MoveJudgement`] compares models on positions that they have not seen.
//!
//! # Examples
//!
//! ```
//! use komadai_core::Position;
//! use komadai_search::LogisticMoves;
//! use komadai_train::moves::{MoveJudgement, MoveSet};
//!
//! let mut set = MoveSet::new();
//! let moves = ["7g7f".parse()?, "3c3d".parse()?, "8h2b+".parse()?, "3a2b".parse()?];
//! set.add_game(&Position::hirate(), &moves)?;
//! let found = MoveJudgement::of(&LogisticMoves::default(), set.training().iter().chain(set.held_out()));
//! assert_eq!(found.positions, 4);
//! assert!(found.log_likelihood() > -4.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod class_counts;
mod fitter;
mod judgement;
mod move_set;

pub use class_counts::count_classes;
pub use fitter::{MoveFitOptions, MoveFitter};
pub use judgement::MoveJudgement;
pub use move_set::{Choice, MoveSet, MoveSetError};

#[cfg(test)]
mod tests;
