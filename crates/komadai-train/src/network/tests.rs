//! Tests of the trainer as a whole.

mod export;
mod gradient;
mod planted;
mod repeat;
mod step;
mod support;
