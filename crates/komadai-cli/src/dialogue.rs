//! Conversations in a terminal: lines of input, moves in any notation, boards.

mod board;
mod input;
mod moves;
mod reasons;

pub(crate) use board::board;
pub(crate) use input::{Heard, Input};
pub(crate) use moves::{NoMove, named_after, read_move};
pub(crate) use reasons::square;
