#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`file`], [`graph`] | the crates below: book files of any format, and exact values |
//! | [`Analyst`], [`AnalystId`] | the seam to programs that analyse positions, and their names |
//! | [`LoggedAnalysis`], [`Source`] | an analysis with its provenance |
//! | [`Seeder`] | the start of a book, from game records |
//! | [`game_list`] | lists of games with the part of each that a book takes |
//! | [`find_inputs`], [`InputFile`] | files from which a book can be made |
//! | [`store`] | a growing book in one transactional file: every evaluation, and the values that count |
//! | [`BookSource`], [`check_book`] | books of any kind, read and checked |
//! | [`queue`] | the positions to be analysed, with their leases |
//! | [`analyse_all`] | many positions, several analysts, one thread each |
//! | [`WorkingBook`], [`GrowOptions`] | a store with its values, and the loop by which it grows |
//! | [`games`] | games against the book: where they left it, results of moves, pruning, extension |
//! | [`arena`] | the seam to programs that play such games |
//! | [`generation`] | rounds of matches, extension and pruning on a working book |
//! | [`refresh`] | after an engine change: the relation of the scales, and the order of new analyses |
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod analyst;
mod evaluation;
mod input;
mod merge;
mod logged_analysis;
mod log_file;
mod fingerprint;
mod stored_record;
pub mod store;
mod book_source;
mod book_check;
mod inputs;
pub mod queue;

mod list_error;
mod seed;
pub mod game_list;
mod analyse_all;
pub mod games;
pub mod arena;

pub mod refresh;
mod working_book;
mod store_graph;
mod grow;
pub mod generation;

pub use komadai_bookfile as file;
pub use komadai_bookgraph as graph;

pub use analyse_all::{BatchEnd, analyse_all};
pub use analyst::{Analyst, AnalystError, AnalystId};
pub use book_check::{BookCheck, check_book};
pub use book_source::{BookKind, BookSource, BookSourceError};
pub use evaluation::{AnalystIndex, Source};
pub use fingerprint::Fingerprint;
pub use grow::{GrowEnd, GrowError, GrowEvent, GrowOptions, Grown};
pub use input::Input;
pub use inputs::{InputFile, InputFileError, InputFiles, InputKind, find_inputs};
pub use list_error::ListError;
pub use logged_analysis::LoggedAnalysis;
pub use merge::Merged;
pub use seed::{SeedOptions, SeedSides, SeededMove, Seeder};
pub use stored_record::{StoredRecord, StoredValue};
pub use working_book::{WorkingBook, WorkingBookError};
