#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod plies;
mod numbers;
mod reliance;
mod hands;
mod proof_hand;
mod game;
mod path;
mod table;
mod loop_table;
mod meter;
mod frame;
mod postpone;
mod search;
mod line;
mod shortest;
mod options;
mod dfpn;
#[cfg(test)]
mod oracle;

pub use dfpn::DfPn;
pub use line::is_mating_line;
pub use options::{DfPnOptions, Goal};

/// The longest mate that is looked for, in plies. The longest composed problem known, Microcosmos
/// (K. Hashimoto, 1986), takes 1,525; lines that go wrong are longer.
pub(crate) const MAX_PLIES: u32 = 4_095;
