//! The module behind the npm package `komadai`: positions, records, mates and the engine as
//! functions on plain values. The JavaScript around it, in `js`, has the interface that users see.
#![forbid(unsafe_code)]

mod error;
mod host;
mod pictures;
mod position;
mod record;
mod tree;
mod mate;
mod analysis;
mod engine;
mod usi;
