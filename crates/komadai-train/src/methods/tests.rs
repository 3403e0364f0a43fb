//! Known answers of the methods.

mod gradients;
pub(crate) mod planted;
mod repeat;
mod speed;
mod strap_study;
