#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`Analyst`], [`AnalystId`] | the seam to whatever judges positions, and how it is named |
//! | [`Evaluation`], [`ValuePolicy`] | one judgement with its provenance; which of several counts |
//! | [`Lost`] | what a writer of book files had to leave out |
//! | [`Book`], [`Entry`] | positions, their moves, and a log of evaluations of each |
//! | [`BookRecord`], [`RecordMove`] | a position of a book file, as every format is read and written |
//! | [`DbReader`], [`DbBatches`], [`DbWriter`] | YaneuraOu's text format `.db`, streaming, strict or lenient, on one core or all |
//! | [`YbbReader`], [`YbbWriter`] | YaneuraOu's binary format `.ybb` |
//! | [`AperyBook`], [`AperyWalk`], [`AperyWriter`] | Apery's format `book.bin`, which knows positions by their keys |
//! | [`SbkReader`], [`SbkWriter`] | ShogiGUI's format `.sbk` |
//! | [`BookFile`], [`BookFormat`] | book files of any format |
//! | [`BookProbe`], [`open_probe`] | looking positions up in files without loading them |
//! | [`sort_records`], [`merge_records`] | books in order, and several as one, in bounded memory |
//! | [`validate_db`], [`Validation`] | what is wrong with a book, and where |
//! | [`LoggedBook`], [`LogReader`] | a book with its log on disk, which keeps the provenance and survives any end of its process |
//! | [`write_atomically`] | files that are either old or new |
//! | [`Seeder`] | a book's beginning, from game records |
//! | [`GameListReader`] | lists of games with what a book is to make of each |
//! | [`analyse_all`] | many positions, several analysts, one thread each |
//! | [`Propagated`] | the value of every position if both sides choose the best of all that is known |
//! | [`Frontier`] | the positions at which good play leaves the book |
#![cfg_attr(not(feature = "mmap"), forbid(unsafe_code))]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod analyst;
mod evaluation;
mod record;
mod book_game;
mod lost;
mod places;
mod orientation;
mod key_index;
mod book;
mod entry;
mod merge;
mod move_order;

mod error;
mod fields;
mod atomic_file;
mod db;
mod bin_error;
mod faults;
mod ybb;
mod apery;
mod sbk;
mod book_file;
mod probe;
#[cfg(feature = "mmap")]
mod mapped_file;
mod sorting;
mod validation;
mod lock;
mod log_file;
mod logged_book;
mod fingerprint;

mod seed;
mod game_list;
mod analyse_all;

mod graph;
mod propagate;
mod perpetual;
mod propagated;
mod frontier;

pub use analyst::{Analyst, AnalystError, AnalystId};
pub use book::{Book, EntryError, Input};
pub use book_game::BookGame;
pub use entry::{Entry, EntryMove};
pub use evaluation::{AnalystIndex, Evaluation, Source, ValuePolicy};
pub use lost::Lost;
pub use merge::{Merged, Provenance};
pub use places::Places;
pub use record::{BookRecord, MoveMark, RecordEval, RecordMove, RecordResults};

pub use apery::{AperyBook, AperyWalk, AperyWriter, Follow, apery_key};
pub use atomic_file::write_atomically;
pub use bin_error::BinBookError;
pub use book_file::{BookFile, BookFileError, BookFormat, UnknownBookFormat};
pub use db::{DbBatch, DbBatches, DbHeader, DbImport, DbReader, DbWriter, UnknownMoves};
pub use error::BookError;
pub use fingerprint::Fingerprint;
pub use log_file::{LOG_HEADER, LogImport, LogReader};
pub use logged_book::{LoggedBook, LoggedBookError};
#[cfg(feature = "mmap")]
pub use mapped_file::MappedFile;
pub use probe::{BookProbe, DbProbe, PlyMatch, ProbeError, open_probe};
pub use sbk::{SbkReader, SbkWriter};
pub use sorting::{
    Conflict, MergeCounts, MergeRule, MergedRecords, SortError, SortOptions, SortedRecords,
    merge_records, sort_records,
};
pub use validation::{Validation, validate_db, validate_records};
pub use ybb::{UnknownValues, YbbDepths, YbbProbe, YbbReader, YbbWriter};

pub use analyse_all::{BatchEnd, analyse_all};
pub use game_list::{GameListError, GameListOptions, GameListReader, ListedGame};
pub use seed::{SeedError, SeedOptions, Seeder};

pub use frontier::{Frontier, FrontierOptions, FrontierPosition, OwnMoves, Window};
pub use propagate::{Basis, PERPETUAL_PLIES, REPETITION_PLIES};
pub use propagated::{Propagated, RankedMove, Value};
