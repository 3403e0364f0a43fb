#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod selfplay;
mod record;
mod label;
mod generate;
mod dataset;
pub mod tools;
pub mod network;
pub mod moves;
pub mod linear;
pub mod methods;

pub use dataset::{Dataset, DatasetError, Manifest, Run, Shard, file_sha256};
pub use generate::generate;
pub use selfplay::{
    SelfPlayEnd, SelfPlayGame, SelfPlayOptions, SelfPlayPosition, SelfPlayer, StartKind,
};
