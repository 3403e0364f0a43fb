//! Everything fast is compared with something slow and obvious.
//!
//! [`naive`] knows the rules but nothing of bitboards; the other modules compare it with the crate
//! on positions from random play and on random arrangements of pieces.

mod naive;
mod positions;

mod checks;
mod exchange;
mod generation;
mod legality;
mod making_moves;
mod mate;
mod repetition;
mod stages;
mod symmetry;
