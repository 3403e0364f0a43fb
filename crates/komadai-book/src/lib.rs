#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`Analyst`], [`AnalystId`] | the seam to whatever judges positions, and how it is named |
//! | [`Evaluation`], [`ValuePolicy`] | one judgement with its provenance; which of several counts |
//! | [`Book`], [`Entry`] | positions, their moves, and a log of evaluations of each |
//! | [`DbReader`], [`Book::write_db`] | YaneuraOu's text format `.db`, streaming, strict or lenient |
//! | [`LoggedBook`], [`LogReader`] | a book with its log on disk, which keeps the provenance and survives any end of its process |
//! | `Store`, [`LoggedAnalysis`], [`StoredRecord`] | a growing book in one transactional file (feature `store`): everything ever said, and what counts now |
//! | [`JobQueue`], [`MemoryQueue`], `StoreQueue` | what is to be analysed, by whom, until when |
//! | [`write_atomically`] | files that are either old or new |
//! | [`Seeder`] | a book's beginning, from game records |
//! | [`analyse_all`] | many positions, several analysts, one thread each |
//! | [`Propagated`] | the value of every position if both sides choose the best of all that is known |
//! | [`Frontier`] | the positions at which good play leaves the book |
//! | [`fit_scale`], [`plan_refresh`] | after an engine change: how the scales compare, and what to judge anew first |
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod analyst;
mod evaluation;
mod record;
mod book_game;
mod logged_analysis;
mod orientation;
mod position_key;
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
mod stored_record;
#[cfg(feature = "store")]
mod store;
mod queue;

mod seed;
mod analyse_all;

mod graph;
mod propagate;
mod perpetual;
mod propagated;
mod frontier;
mod refresh;

pub use analyst::{Analyst, AnalystError, AnalystId};
pub use book::{Book, EntryError, Input};
pub use book_game::BookGame;
pub use entry::{Entry, EntryMove};
pub use evaluation::{AnalystIndex, Evaluation, Source, ValuePolicy};
pub use logged_analysis::LoggedAnalysis;
pub use merge::{Merged, Provenance};
pub use record::{BookRecord, MoveMark, RecordEval, RecordMove, RecordResults};
pub use stored_record::{StoredRecord, StoredValue};

pub use atomic_file::write_atomically;
pub use db::{DbImport, DbMove, DbReader, DbRecord, UnknownMoves};
pub use error::BookError;
pub use fingerprint::Fingerprint;
pub use log_file::{LOG_HEADER, LogImport, LogReader};
pub use logged_book::{LoggedBook, LoggedBookError};
#[cfg(feature = "store")]
pub use queue::StoreQueue;
pub use queue::{
    Completion, DeadJob, Enqueued, FailureOutcome, JobCounts, JobQueue, JobSettings, Lease,
    LeaseRequest, LeaseState, LeasedJob, MemoryQueue, NewJob, QueueError, QueueOptions,
};
#[cfg(feature = "store")]
pub use store::{
    Change, Deletion, EngineShare, KnownMove, LogEntry, NewSnapshot, Snapshot, Store, StoreCheck,
    StoreError, StoreExport, StoreImport, StoreSize, Tombstone, ViewPolicy,
};

pub use analyse_all::{BatchEnd, analyse_all};
pub use seed::{SeedError, SeedOptions, Seeder};

pub use frontier::{Frontier, FrontierOptions, FrontierPosition, OwnMoves, Window};
pub use propagate::{Basis, PERPETUAL_PLIES, REPETITION_PLIES};
pub use propagated::{Propagated, RankedMove, Value};
pub use refresh::{
    LineFit, RefreshItem, RefreshOptions, RefreshPlanner, RefreshRank, ScaleShift, Urgent,
    ValuePair, fit_scale, plan_refresh,
};
