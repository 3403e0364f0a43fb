//! Comparison of every fast function with a slow and obvious one.
//!
//! [`naive`] implements the rules without bitboards. The other modules compare it with the crate on
//! positions from random play and on random arrangements of pieces.

mod naive;
mod positions;

mod checks;
mod equality;
mod exchange;
mod games;
mod generation;
mod legality;
mod making_moves;
mod mate;
mod outcome;
mod repetition;
mod stages;
mod symmetry;
