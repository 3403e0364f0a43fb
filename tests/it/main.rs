//! The rules of the workspace that no compiler checks. `source` and `tree` read the code; each other
//! module is a group of rules.

mod aliases;
mod board_picture;
mod file_access;
mod embedding;
mod frontier_study;
mod irregular_positions;
mod layering;
mod modules;
mod non_exhaustive;
mod own_usi_engine;
mod prose;
mod public_api;
mod publishing;
mod sizes;
mod source;
mod tree;
