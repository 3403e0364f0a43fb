//! Known answers of the methods.

mod gradients;
mod leaves;
mod piece_values;
pub(crate) mod planted;
mod repeat;
mod speed;
mod strap_study;
