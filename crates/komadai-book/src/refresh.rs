//! The change of an engine: the relation of the scales, and the order in which to analyse positions
//! again.

mod plan;
mod scale;

pub use plan::{RefreshItem, RefreshOptions, RefreshPlanner, RefreshRank, Urgent};
pub use scale::{LineFit, ScaleInterval, ScaleShift, ValuePair, fit_scale, robust_interval};
