#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`Record`] | one game: header, start, moves with times and comments, end; `replay` plays it through |
//! | [`End`], [`Outcome`] | how it ended, and who won |
//! | [`parse_csa`], [`parse_usi_games`] | all games of a text in memory |
//! | [`CsaReader`], [`UsiGamesReader`], [`GameReader`] | games one by one from a source of any length, in bounded memory; `GameReader` sees by itself which format it is |
//! | [`Tolerance`], [`Skipped`] | refuse faults, or go on and count them |
//! | [`KifuError`] | what was found at which line and column, and what was expected there |
//! | [`Notation`] | moves as people read them: ▲７六歩, P-7f |
//! | [`LineReader`] | lines of bounded length, whatever their ends |
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod header;
mod comment;
mod end;
mod record;

mod text_fault;
mod line_reader;
mod text_encoding;
mod error;
mod tolerance;
mod text_lines;
mod record_reader;
mod board;

mod csa;
mod usi_games;
mod game_reader;

mod notation;

pub use comment::Comment;
pub use end::{End, EndKind, Outcome};
pub use header::Header;
pub use record::{Record, RecordMove, ReplayError};

pub use error::KifuError;
pub use line_reader::LineReader;
pub use text_fault::{TextFault, TextFaultKind};
pub use tolerance::{Loaded, Skipped, Tolerance};

pub use csa::{CsaReader, CsaWriteError, parse_csa};
pub use game_reader::{GameReader, KifuFormat};
pub use usi_games::{UsiGamesReader, parse_usi_games};

pub use notation::{Notation, UnknownNotation};
