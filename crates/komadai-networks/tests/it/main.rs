//! The tools on networks whose answers are known.

mod known;
