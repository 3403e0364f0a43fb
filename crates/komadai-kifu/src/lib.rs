#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod header;
mod end;
mod record;

mod line_reader;
mod text_encoding;
mod error;
mod tolerance;
mod board;

mod csa;
mod usi_games;
mod games;

pub use end::{End, EndKind, Outcome};
pub use header::Header;
pub use record::{Comment, Record, RecordMove, ReplayError};

pub use error::KifuError;
pub use line_reader::{LineError, LineReader};
pub use tolerance::{Loaded, Skipped, Tolerance};

pub use csa::{CsaReader, CsaWriteError, parse_csa};
pub use games::{GameReader, KifuFormat};
pub use usi_games::{UsiGamesReader, parse_usi_games};
