#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`GuiCommand`], [`GoLimits`], [`ClockTimes`] | commands of the GUI |
//! | [`EngineMessage`], [`BestMove`], [`Checkmate`], [`Info`] | messages of the engine |
//! | [`OptionSpec`], [`OptionValue`] | options of the engine |
//! | [`Handler`], [`Event`], [`Session`], [`serve`], [`serve_stdio`] | the engine's end |
//! | [`EngineConfig`], [`EngineProcess`], [`Answer`], [`AnalysisBuilder`] | the GUI's end |
//! | [`conformance`] | a report whether an engine keeps the rules |
//! | [`CommandError`], [`MessageError`], [`OptionError`], [`ClientError`], [`ClientFault`] | errors |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod words;
mod limits;
mod command;
mod option;
mod info;
mod message;

mod handler;
mod session;
mod line_reader;
mod serve;

mod transcript;
mod line_queue;
mod launch;
mod pipes;
mod client_error;
mod link;
mod analysis_builder;
mod process;
pub mod conformance;

// Aliases stand here: rustdoc drops those of an item that it shows under another path than that of
// its module.
pub use command::{CommandError, GameResult, GuiCommand};
pub use info::{Info, Tail};
pub use limits::{ClockTimes, GoLimits, MateLimit};
pub use message::{BestMove, Checkmate, EngineMessage, MessageError};
pub use option::{OptionError, OptionKind, OptionSpec, OptionValue};

pub use handler::{Event, Handler, Identity, Waker};
pub use serve::{serve, serve_stdio};
pub use session::Session;

pub use analysis_builder::AnalysisBuilder;
pub use client_error::{ClientError, ClientFault};
pub use launch::{EngineConfig, Patience};
pub use process::Answer;
#[doc(alias = "将棋エンジン")]
pub use process::EngineProcess;
