//! Known answers of the methods.

mod gradients;
mod planted;
mod repeat;
