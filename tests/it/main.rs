//! The facade's examples as their users run them, and behaviour that needs several crates. The
//! rules of the workspace that no compiler checks are in the package `tidy`.

mod board_picture;
mod embedding;
mod irregular_positions;
mod own_usi_engine;
