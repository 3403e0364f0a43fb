#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`file`](mod@file), [`graph`] | the crates below: book files of any format, and graphs with exact values |
//! | [`LoggedAnalysis`], [`Source`] | an analysis with its provenance |
//! | [`Seeder`] | the start of a book, from game records |
//! | [`game_list`] | lists of games with the part of each that a book takes |
//! | [`StartPosition`] | start positions of lines from a list of games, with limits for each |
//! | [`FileKind`], [`find_inputs`], [`InputFile`] | the kinds of files, and a search for files from which a book can be made |
//! | [`store`] | a growing book in one transactional file: every evaluation, and the current values |
//! | [`BookSource`], [`check_book`], [`load_graph`] | books of any kind: records, faults, and graphs |
//! | [`open_book`] | a book of any kind, for a player |
//! | [`clock`] | times of day, as books store them |
//! | [`queue`] | the positions to be analysed, with the leases of workers |
//! | [`StoreError`](store::StoreError), [`InputError`], [`RunError`] | errors of stores, of files that are read, and of analyses |
//! | [`analyse_all`] | many positions, several analysts, one thread each |
//! | [`FirstValues`] | first values for moves that have none |
//! | [`WorkingBook`], [`GrowOptions`], [`Grower`] | a store with its graph, and the loop by which it grows |
//! | [`work()`], [`job_file`] | workers of a queue elsewhere, and jobs in files |
//! | [`games`] | games against the book: where they left it, results of moves, pruning, extension |
//! | [`arena`] | the seam to programs that play such games |
//! | [`generation`] | rounds of matches, extension and pruning on a working book |
//! | [`refresh`] | after an engine change: the relation of the scales, and the order of new analyses |
//! | [`calibration`] | a sample of the book that a new engine analyses, for the relation of the scales |
//! | [`release`] | the sources of the values that decide a book |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod clock;
mod merge;
mod logged_analysis;
mod log_file;
mod stored_record;
pub mod store;
mod files;
pub mod queue;

mod list_error;
mod seed;
mod seed_book;
pub mod game_list;
mod start_positions;
mod run_error;
mod analyse_all;
mod first_values;
pub mod games;
pub mod arena;

pub mod refresh;
pub mod calibration;
mod working_book;
mod open_book;
mod store_graph;
mod grow;
pub mod job_file;
pub mod generation;
pub mod release;

// Aliases stand here: rustdoc drops those of an item that it shows under another path than that of
// its module.
pub use komadai_bookfile as file;
pub use komadai_bookgraph as graph;

pub use analyse_all::{BatchEnd, analyse_all};
pub use files::book_check::{BookCheck, check_book};
pub use files::book_source::BookSource;
pub use files::file_kind::FileKind;
pub use files::fingerprint::Fingerprint;
pub use files::input_error::InputError;
pub use files::inputs::{InputFile, InputFiles, find_inputs};
pub use files::load_graph::{LoadOptions, LoadedGraph, load_graph};
pub use first_values::{FirstValues, FirstValuesEvent};
pub use grow::{
    GrowEnd, GrowEvent, GrowOptions, Grower, Grown, WhenEmpty, WorkEvent, Worked, work,
};
pub use list_error::ListError;
pub use logged_analysis::{AnalystIndex, LoggedAnalysis, Source};
pub use merge::{Input, Merged};
pub use open_book::open_book;
pub use run_error::RunError;
pub use seed::{SeedOptions, SeedSides, SeededMove, Seeder};
pub use seed_book::{SeedBookError, seed_book};
pub use start_positions::StartPosition;
pub use stored_record::{StoredRecord, StoredValue};
#[doc(alias("定跡", "joseki", "定跡生成"))]
pub use working_book::WorkingBook;
