#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`Analyst`], [`AnalystId`] | the seam to whatever judges positions, and how it is named |
//! | [`Lost`] | what a writer of book files had to leave out |
//! | [`BookRecord`], [`RecordMove`] | a position of a book file, as every format is read and written |
//! | [`DbReader`], [`DbBatches`], [`DbWriter`] | YaneuraOu's text format `.db`, streaming, strict or lenient, on one core or all |
//! | [`YbbReader`], [`YbbWriter`] | YaneuraOu's binary format `.ybb` |
//! | [`AperyBook`], [`AperyWalk`], [`AperyWriter`] | Apery's format `book.bin`, which knows positions by their keys |
//! | [`SbkReader`], [`SbkWriter`] | ShogiGUI's format `.sbk` |
//! | [`BookFile`], [`BookFormat`] | book files of any format |
//! | [`write_book`], [`WriteOptions`] | writing records in any format, with what that loses |
//! | [`BookProbe`], [`open_probe`] | looking positions up in files without loading them |
//! | [`sort_records`], [`merge_records`] | books in order, and several as one, in bounded memory |
//! | [`validate_db`], [`Validation`] | what is wrong with a book, and where |
//! | `Store`, [`LoggedAnalysis`], [`StoredRecord`] | a growing book in one transactional file (feature `store`): everything ever said, and what counts now |
//! | `BookSource`, `BookCheck` | books of whatever kind, read and checked (feature `store`) |
//! | [`find_inputs`], [`InputFile`] | files that a book can be made from; `Store::import_files` takes them all (feature `store`) |
//! | [`JobQueue`], [`MemoryQueue`], `StoreQueue` | what is to be analysed, by whom, until when |
//! | [`write_atomically`] | files that are either old or new |
//! | [`Seeder`] | a book's beginning, from game records |
//! | [`GameListReader`] | lists of games with what a book is to make of each |
//! | [`analyse_all`] | many positions, several analysts, one thread each |
//! | [`BookGraph`], [`GraphBuilder`], [`GraphChange`] | the value of every position if both sides choose the best of all that is known, and how it changes |
//! | [`BookGame`], [`Arena`], [`BookChoice`] | games of a side with the book, and who plays them |
//! | [`KnownMoves`], [`GameWalk`] | where a game left the book |
//! | [`ExtensionTargets`] | the positions by which games make the book longer |
//! | [`GameResults`], [`ReviewList`], [`RemovedMoves`] | wins and losses of each move, those to be pruned, and what a person decided |
//! | [`BookUse`], [`UseTable`], [`Branches`] | what the book is worth in games |
//! | [`FrontierOptions`], [`Frontier`] | the positions at which good play leaves the book, and in which order to search them |
//! | [`FrontierDiff`] | what became of them later |
//! | [`Alpha`], [`ReachOptions`], [`RivalBook`] | the price of a line, the probability of a line, and books of others |
//! | [`Refutation`], [`Rejoin`], [`Unsolved`], [`Departure`] | other reasons to search a position |
//! | `WorkingBook`, `GrowOptions` | a store with its values, and the loop by which it grows (feature `store`) |
//! | `Generation`, `GenerationOptions` | rounds of matches, extension and pruning on a working book (feature `store`) |
//! | [`fit_scale`], [`plan_refresh`] | after an engine change: how the scales compare, and what to judge anew first |
//! | `ReportData`, `write_report` | a page that shows a book and its growth (feature `report`) |
#![cfg_attr(not(feature = "mmap"), forbid(unsafe_code))]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod analyst;
mod evaluation;
mod input;
mod entry_error;
mod record;
mod book_game;
mod lost;
mod places;
mod logged_analysis;
mod orientation;
mod position_key;
mod key_index;
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
mod book_writer;
mod probe;
#[cfg(feature = "mmap")]
mod mapped_file;
mod spool;
mod sorting;
mod validation;
mod log_file;
mod fingerprint;
mod stored_record;
#[cfg(feature = "store")]
mod store;
#[cfg(feature = "store")]
mod book_source;
#[cfg(feature = "store")]
mod book_check;
mod inputs;
mod queue;

mod seed;
mod game_list;
mod analyse_all;
mod shiba;
mod arena;

mod graph;
mod frontier;
mod refresh;
#[cfg(feature = "store")]
mod working_book;
#[cfg(feature = "store")]
mod store_graph;
#[cfg(feature = "store")]
mod grow;
#[cfg(feature = "store")]
mod generation;
#[cfg(feature = "report")]
mod report;

pub use analyst::{Analyst, AnalystError, AnalystId};
pub use book_game::BookGame;
pub use entry_error::EntryError;
pub use evaluation::{AnalystIndex, Source};
pub use input::Input;
pub use logged_analysis::LoggedAnalysis;
pub use lost::Lost;
pub use merge::Merged;
pub use places::Places;
pub use record::{BookRecord, MoveMark, RecordEval, RecordMove, RecordResults};
pub use stored_record::{StoredRecord, StoredValue};

pub use apery::{AperyBook, AperyWalk, AperyWriter, Follow, apery_key};
pub use atomic_file::write_atomically;
pub use bin_error::BinBookError;
#[cfg(feature = "store")]
pub use book_check::{BookCheck, check_book};
pub use book_file::{BookFile, BookFileError, BookFormat, UnknownBookFormat};
#[cfg(feature = "store")]
pub use book_source::{BookKind, BookSource, BookSourceError};
pub use book_writer::{WriteBookError, WriteOptions, WrittenBook, write_book};
pub use db::{DbBatch, DbBatches, DbHeader, DbReader, DbWriter};
pub use error::BookError;
pub use fingerprint::Fingerprint;
pub use inputs::{InputFile, InputFileError, InputFiles, InputKind, find_inputs};
#[cfg(feature = "store")]
pub use queue::StoreQueue;
pub use queue::{
    Completion, DeadJob, Enqueued, FailureOutcome, JobCounts, JobQueue, JobSettings, Lease,
    LeaseRequest, LeaseState, LeasedJob, MemoryQueue, NewJob, QueueError, QueueOptions,
};
#[cfg(feature = "store")]
pub use store::{
    Change, Deletion, EngineShare, FileImport, FileImportError, FileOutcome, FilesImport,
    ImportError, ImportEvent, ImportOptions, KnownMove, LogEntry, NewSnapshot, RecordsImport,
    Snapshot, Store, StoreCheck, StoreError, StoreExport, StoreImport, StoreRecords, StoreResults,
    StoreSize, Tombstone, ViewPolicy,
};

pub use analyse_all::{BatchEnd, analyse_all};
pub use arena::{
    Arena, ArenaError, BookChoice, Contender, FaultyGame, MatchOrder, MatchReport, PlayedBefore,
};
#[cfg(feature = "mmap")]
pub use mapped_file::MappedFile;
pub use probe::{BookProbe, DbProbe, PlyMatch, ProbeError, open_probe};
pub use sbk::{SbkReader, SbkWriter};
pub use seed::{SeedError, SeedOptions, SeedSides, SeededMove, Seeder};
pub use shiba::{
    Applied, BookTurn, BookUse, BranchPoint, Branches, CountedGame, ExtensionTarget,
    ExtensionTargets, GameError, GameOutcome, GameResults, GameWalk, KnownMoves, MoveResults,
    Mover, PlayableMove, PruneCandidate, PruneOptions, PruneReason, PruneScope, Remaining, Removal,
    RemovedMoves, ReviewError, ReviewList, UseGroup, UseGrouping, UseOptions, UseTable,
    WinDrawLoss,
};
pub use sorting::{
    Conflict, MergeCounts, MergeRule, MergedRecords, SortError, SortOptions, SortedRecords,
    merge_records, sort_records,
};
pub use validation::{Validation, validate_db, validate_records};
pub use ybb::{UnknownValues, YbbDepths, YbbProbe, YbbReader, YbbWriter};

pub use game_list::{GameListError, GameListOptions, GameListReader, ListedGame};

#[cfg(feature = "store")]
pub use generation::{
    ExtensionOptions, Generation, GenerationError, GenerationEvent, GenerationOptions,
};
pub use graph::{
    Basis, BookGraph, DbOptions, DrawValue, GraphBuilder, GraphChange, GraphImport,
    PERPETUAL_PLIES, REPETITION_PLIES, RankedMove, UnknownMoves, Updated, Value, WrittenMoves,
};

pub use frontier::{
    Alpha, BookSides, Departure, DepartureOptions, Frontier, FrontierDiff, FrontierOptions,
    FrontierPosition, Leaver, OwnMoves, ReachOptions, Reason, Refutation, Rejoin, RejoinMove,
    Rival, RivalBook, RivalMove, SearchedPosition, Unsolved, UnsolvedError, Window,
};
#[cfg(feature = "store")]
pub use grow::{GrowEnd, GrowError, GrowEvent, GrowOptions, Grown};
pub use refresh::{
    LineFit, RefreshItem, RefreshOptions, RefreshPlanner, RefreshRank, ScaleShift, Urgent,
    ValuePair, fit_scale, plan_refresh,
};
#[cfg(feature = "report")]
pub use report::{
    BookState, Deletions, Disagreement, EnginePair, FirstMove, FrontierCount, FrontierShape,
    LineEnd, LineMove, MainLines, MatchData, ROOT_FIGURE, ReportData, ReportOptions, ValueChange,
    ValueChanges, ValueDepths, WorkingData, write_report,
};
#[cfg(feature = "store")]
pub use working_book::{WorkingBook, WorkingBookError};
