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
//! | [`DbReader`], [`Book::write_db`] | YaneuraOu's text format `.db`, streaming, strict or lenient |
//! | [`LoggedBook`], [`LogReader`] | a book with its log on disk, which keeps the provenance and survives any end of its process |
//! | [`write_atomically`] | files that are either old or new |
//! | [`Seeder`] | a book's beginning, from game records |
//! | [`analyse_all`] | many positions, several analysts, one thread each |
//! | [`BookGraph`], [`GraphBuilder`], [`Change`] | the value of every position if both sides choose the best of all that is known, and how it changes |
//! | [`FrontierOptions`], [`Frontier`] | the positions at which good play leaves the book, and in which order to search them |
//! | [`Alpha`], [`ReachOptions`], [`RivalBook`] | the price of a line, the probability of a line, and books of others |
//! | [`Refutation`], [`Rejoin`], [`Unsolved`], [`Departure`] | other reasons to search a position |
#![forbid(unsafe_code)]
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
mod lock;
mod log_file;
mod logged_book;
mod fingerprint;

mod seed;
mod analyse_all;

mod graph;
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

pub use atomic_file::write_atomically;
pub use db::{DbBatch, DbBatches, DbHeader, DbImport, DbReader, DbWriter, UnknownMoves};
pub use error::BookError;
pub use fingerprint::Fingerprint;
pub use log_file::{LOG_HEADER, LogImport, LogReader};
pub use logged_book::{LoggedBook, LoggedBookError};

pub use analyse_all::{BatchEnd, analyse_all};
pub use seed::{SeedError, SeedOptions, Seeder};

pub use graph::{
    Basis, BookGraph, Change, DbOptions, DrawValue, GraphBuilder, GraphImport, PERPETUAL_PLIES,
    REPETITION_PLIES, RankedMove, Updated, Value, WrittenMoves,
};

pub use frontier::{
    Alpha, BookSides, Departure, DepartureOptions, Frontier, FrontierOptions, FrontierPosition,
    Leaver, OwnMoves, ReachOptions, Reason, Refutation, Rejoin, RejoinMove, Rival, RivalBook,
    RivalMove, Unsolved, UnsolvedError, Window,
};
