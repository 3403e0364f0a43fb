//! Shared code of all peers of the speed comparison: the trait [`Peer`] for a shogi library, and
//! [`serve`], which implements the line protocol of the README for it.
//!
//! The runner `compare` communicates with processes only, so a program in any language can take
//! part if it implements the protocol.

#![forbid(unsafe_code)]

mod build_description;
pub mod machine;
mod measure;
mod peer;
mod positions;
pub mod records;
mod server;

pub use build_description::build_description;
pub use measure::Measure;
pub use peer::Peer;
pub use positions::{BenchPosition, POSITIONS};
pub use server::serve;
