//! Tests of the trainer as a whole.

mod export;
mod gradient;
mod half_kp;
mod half_kp_gradient;
mod options;
mod planted;
mod repeat;
mod start;
mod step;
mod support;
