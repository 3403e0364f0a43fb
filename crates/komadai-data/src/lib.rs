#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

#[doc(alias("教師データ", "教師局面", "PSV", "HCPE"))]
pub mod records;

#[cfg(feature = "tools")]
mod selfplay;
#[cfg(feature = "tools")]
mod label;
#[cfg(feature = "tools")]
mod generate;
#[cfg(feature = "tools")]
mod dataset;
#[cfg(feature = "tools")]
mod generated;
#[cfg(feature = "tools")]
mod range;
#[cfg(feature = "tools")]
pub mod tools;

#[cfg(feature = "tools")]
pub use dataset::{Dataset, DatasetError, Manifest, Run, Shard, file_sha256};
#[cfg(feature = "tools")]
pub use generate::generate;
#[cfg(feature = "tools")]
pub use range::{GameRange, PlayedRange, RangeFault, RangeReport};
#[cfg(feature = "tools")]
pub use selfplay::{
    SelfPlayCourse, SelfPlayEnd, SelfPlayGame, SelfPlayOptions, SelfPlayPosition, SelfPlayer,
    StartKind,
};
