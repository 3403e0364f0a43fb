#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`ServerMessage`], [`EndReason`], [`GameResult`] | a line of the server |
//! | [`GameSummary`], [`TimeRules`] | the game that the server offers |
//! | [`ClockState`] | the time of both sides |
//! | [`Session`], [`Event`], [`FinishedGame`] | the protocol without input and output |
//! | [`CsaConfig`], [`CsaClient`] | the same over TCP: time limits, keep-alive, log in again |
//! | [`CsaPlayer`], [`Turn`], [`Answer`], [`Action`] | the player that the client asks for moves |
//! | [`CsaError`], [`ProtocolError`] | errors |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod message;
mod time_rules;
mod summary;
mod clock;
mod error;
mod game;
mod session;

mod config;
mod connection;
mod player;
mod client;

pub use clock::ClockState;
pub use game::FinishedGame;
pub use message::{EndReason, GameResult, ServerMessage};
#[doc(alias = "floodgate")]
pub use session::Session;
pub use session::{Event, State};
pub use summary::GameSummary;
pub use time_rules::TimeRules;

pub use client::CsaClient;
pub use config::CsaConfig;
pub use error::{CsaError, ProtocolError};
pub use player::{Action, Answer, CsaPlayer, Turn};
