#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`Record`] | one game: header, start, moves with times and comments, end; `positions` are those of the game, `replay` visits them |
//! | [`Header`], [`HeaderKey`] | players, event and times under keys that belong to no format |
//! | [`Variation`], [`Line`] | moves beside those of the game |
//! | [`End`], [`Outcome`] | the end of a game and its winner |
//! | [`carry_out`] | the position after a foul |
//! | [`Record::from_game`], [`Record::to_game`] | from a [`Game`](komadai_movegen::Game) with undo and redo, and back |
//! | [`parse_csa`], [`parse_usi_games`] | all games of a text in memory |
//! | [`CsaReader`], [`UsiGamesReader`], [`GameReader`] | games one by one from a source of any length, in bounded memory; `GameReader` detects the format |
//! | [`parse_kif`], [`parse_ki2`], [`KifReader`], [`Ki2Reader`] | records as most Japanese programs write them; KI2 has moves as in print |
//! | `parse_jkf`, `JkfReader`, [`parse_usen`], [`UsenReader`] | a record as JSON (feature `jkf`), and as part of an address |
//! | `RecordFiles` | all records of a folder, a gzip file or a zip archive (feature `archives`); `record_files::folder::FolderFiles` are its files |
//! | [`KifuFormat`], [`parse_records`], [`Record::to_text`] | any format by its name, its content or the ending of a file |
//! | [`Record::losses`], [`Loss`] | what a record lost when it was written in another format |
//! | [`CsaWriteOptions`], [`write_csa_games`], [`Record::to_usi_line`], [`Record::to_usen`] | the writers; `Record::to_jkf` with the feature `jkf` |
//! | module [`formation`] | names of castles and strategies (囲い, 戦法) in games |
//! | module [`statistics`] | results, lengths, openings and players of many games |
//! | module [`analysis`] | evaluations that engines wrote into comments |
//! | [`Tolerance`], [`Skipped`] | strict reading, or lenient reading that counts faults |
//! | [`KifuError`] | line and column of a fault, the text found and the text expected; often a hint |
//! | [`Notation`], [`read_japanese_move`] | moves as people write them: ▲７六歩, P-7f |
//! | [`LineReader`](text::LineReader), [`TextFault`] | lines of bounded length with any line ends, and their faults; for other text formats, too |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod header;
mod comment;
mod end;
mod record_move;
mod variation;
mod record;
mod game;
mod time_limit;
mod loss;

pub mod text;

#[cfg(feature = "jkf")]
mod jkf_fault;
mod error;
mod loaded;
mod board;

mod csa;
mod kakinoki;
mod kif;
mod ki2;
mod usi_games;
#[cfg(feature = "jkf")]
mod jkf;
mod usen;
mod kifu_format;
mod record_reader;
mod game_writer;
#[cfg(feature = "archives")]
pub mod record_files;

pub mod notation;
pub mod analysis;
pub mod formation;
pub mod statistics;

// Aliases stand here: rustdoc drops those of an item that it shows under another path than that of
// its module.
pub use board::carry_out;
pub use comment::Comment;
pub use end::{End, EndKind, Outcome};
pub use header::{Header, HeaderKey};
pub use loss::Loss;
#[doc(alias("棋譜", "kifu"))]
pub use record::Record;
pub use record::{Positions, ReplayError, SaveError};
pub use record_move::RecordMove;
#[doc(alias("変化", "分岐"))]
pub use variation::Variation;
pub use variation::{Line, VariationError};

pub use error::{KifuError, RecordTextError};
pub use loaded::Loaded;

pub use csa::{CsaVariations, CsaVersion, CsaWriteOptions, write_csa_games};
pub use game_writer::{GameWriteError, GameWriter};
#[cfg(feature = "jkf")]
pub use jkf::parse_jkf;
#[cfg(feature = "jkf")]
pub use jkf_fault::{JkfFault, JkfFaultKind};
pub use kifu_format::KifuFormat;
pub use komadai_base::reading::{Skipped, TextFault, TextFaultKind, Tolerance};
#[cfg(feature = "jkf")]
pub use record_reader::JkfReader;
pub use record_reader::{
    CsaReader, GameReader, Ki2Reader, KifReader, RecordReader, UsenReader, UsiGamesReader, formats,
    parse_csa, parse_ki2, parse_kif, parse_records, parse_usi_games,
};

#[cfg(feature = "archives")]
pub use record_files::{
    FilePlace, FileRecord, FilesReport, RecordFileError, RecordFiles, RecordFilesOptions,
};
pub use usen::parse_usen;

#[doc(alias("符号", "棋譜表記"))]
pub use notation::Notation;
pub use notation::read_japanese_move;
