//! After an engine change: how the scales compare, and what to judge anew first (S0.7).

mod plan;
mod scale;

pub use plan::{RefreshItem, RefreshOptions, RefreshPlanner, RefreshRank, Urgent, plan_refresh};
pub use scale::{LineFit, ScaleShift, ValuePair, fit_scale};
