#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`ServerOptions`], [`LiveServer`] | the address and the token, and the server |
//! | [`PageHandle`] | the page, to be changed while it is served |
//! | [`LiveError`] | why a server cannot start |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod access;
mod document;
mod page_handle;
mod routes;
mod server;

pub use page_handle::PageHandle;
pub use server::{LiveError, LiveServer, ServerOptions};
