//! The rules of the workspace that no compiler checks.

mod layering;
