//! Tests of the fits of move probabilities.

mod gradient;
mod planted;
mod sets;
