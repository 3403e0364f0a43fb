#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`Painter`] | draws SVG pictures of komadai as pixels |
//! | [`Picture`] | the pixels, written as PNG |
//! | [`Animation`], [`AnimationFormat`] | pictures one after another, as GIF or APNG |
//! | [`ImageError`] | why there is no picture |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod size_limits;
mod error;
mod outlines;
mod outlined_svg;
mod picture;
mod painter;
mod changed_area;
mod palette;
mod animation;

pub use animation::{Animation, AnimationFormat};
pub use error::ImageError;
pub use painter::Painter;
pub use picture::Picture;
