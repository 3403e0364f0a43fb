#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod atomic_file;
pub mod clock;
pub mod file;
pub mod memory;
pub mod reading;
pub mod temporary_file;
pub mod text;
