#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`BookRecord`], [`RecordMove`] | a position of a book file with its moves, the same for every format |
//! | [`BookFormat`] | formats, and the recognition of files |
//! | [`BookFile`] | a reader of files of any format |
//! | [`write_book`], [`WriteOptions`], [`ConversionLoss`] | a writer of any format, and the data that a format cannot hold |
//! | [`BookProbe`], [`open_probe`], [`BookBytes`] | the search for positions in a file that is not loaded, of any format but `.sbk` |
//! | [`open_book`], [`OpenedBook`], [`BookReading`], [`BookOpener`] | a book for a player, in memory or on disk |
//! | [`BookError`], [`FaultPlace`], [`BookFileError`], [`RecordsError`], [`EntryError`] | faults of content, of files, of a source of records, and of positions and moves |
//! | [`db`] | YaneuraOu's text format `.db`, streaming, strict or lenient, on one core or all |
//! | [`ybb`] | YaneuraOu's binary format `.ybb` |
//! | [`apery`] | Apery's format `book.bin`, which identifies positions by keys |
//! | [`sbk`] | ShogiGUI's format `.sbk` |
//! | [`sorting`] | sorting and merging of books in bounded memory |
//! | [`validation`] | the faults of a book with their lines |
//! | [`position_key`] | one key for both orientations of a position |
//! | [`fields`], [`move_order`] | the cells of text lines, and a total order of moves, for formats that build on this crate |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod record;
mod conversion_loss;
mod line_numbers;
mod entry_error;
pub mod position_key;
pub mod move_order;

mod fault_place;
mod error;
pub mod fields;
pub mod db;
mod tolerance_state;
pub mod ybb;
pub mod apery;
pub mod sbk;
mod book_format;
mod file_error;
mod book_file;
mod book_writer;
mod book_bytes;
#[cfg(any(unix, windows))]
mod file_bytes;
mod probe;
mod open_book;
mod spool;
pub mod sorting;
pub mod validation;

// Aliases stand here: rustdoc drops those of an item that it shows under another path than that of
// its module.
pub use book_bytes::BookBytes;
#[doc(alias("定跡ファイル", "joseki"))]
pub use book_file::BookFile;
pub use book_format::BookFormat;
pub use book_writer::{WriteOptions, WrittenBook, write_book};
pub use conversion_loss::ConversionLoss;
pub use entry_error::{EntryError, check_move};
pub use error::BookError;
pub use fault_place::FaultPlace;
#[cfg(any(unix, windows))]
pub use file_bytes::FileBytes;
pub use file_error::{BookFileError, RecordsError};
pub use komadai_base::reading::{Skipped, Tolerance};
pub use line_numbers::LineNumbers;
pub use open_book::{BookOpener, BookReading, OpenedBook, open_book};
#[doc(alias = "定跡検索")]
pub use probe::BookProbe;
pub use probe::{DbProbe, PlyMatch, open_probe};
#[doc(alias("定跡", "joseki"))]
pub use record::BookRecord;
pub use record::{MoveMark, RecordEval, RecordMove, RecordResults};
