//! The two ends that every peer of the speed comparison shares: the [`Peer`] trait a shogi
//! library is wrapped in, and [`serve`], which answers the line protocol of the README for it.
//!
//! The runner `compare` only ever talks to processes, so an engine in any language takes part by
//! answering the same few lines.

#![forbid(unsafe_code)]

mod build_description;
mod measure;
mod peer;
mod positions;
mod server;

pub use build_description::build_description;
pub use measure::Measure;
pub use peer::Peer;
pub use positions::{BenchPosition, POSITIONS};
pub use server::serve;
