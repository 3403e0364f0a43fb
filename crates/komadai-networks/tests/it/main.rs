//! The tools on networks whose answers are known.

mod conversions;
mod known;
mod soundness;
