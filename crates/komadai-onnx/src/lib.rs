#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! - `DlshogiModel`, a model, which is a `PolicyValue` of `komadai-search`;
//! - `ModelError`, the reasons why a file is none;
//! - [`write_features`], [`write_entering_king_features`] and [`move_label`], the encoding of
//!   positions and moves, for other uses such as training.
//!
//! The first two need the feature `tract`.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod features;
mod labels;
#[cfg(feature = "tract")]
mod error;
#[cfg(feature = "tract")]
mod half_precision;
#[cfg(feature = "tract")]
mod signature;
#[cfg(feature = "tract")]
mod model;

#[cfg(feature = "tract")]
pub use error::ModelError;
pub use features::{
    ENTERING_KING_FEATURES, FEATURES1, FEATURES2, write_entering_king_features, write_features,
};
pub use labels::{LABELS, move_label};
#[cfg(feature = "tract")]
pub use model::DlshogiModel;
