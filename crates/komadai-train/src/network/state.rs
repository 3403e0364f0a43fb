//! The state of a training.

use super::curve::LossPoint;
use super::head::Head;
use super::weights::{Rounded, Weights};

/// The state with which an interrupted training goes on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State<H: Head> {
    pub(super) epoch: u32,
    /// The positions of the epoch that have been learnt from.
    pub(super) position: u64,
    pub(super) weights: Weights<H>,
    pub(super) curve: Vec<LossPoint>,
    /// The measurement with the least loss, and the weights at that time.
    pub(super) best: Option<(usize, Rounded<H>)>,
}
