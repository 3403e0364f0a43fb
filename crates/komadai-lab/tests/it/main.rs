//! The studies as their users run them.

mod frontier_study;
