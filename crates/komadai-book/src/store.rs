//! A working book in one transactional file.
//!
//! The store keeps facts and conclusions in separate tables:
//!
//! ```text
//! log    (position, sequence number) ─► analysis | known move | deletion | restoration
//! view   position                    ─► its moves with their current values
//! ```
//!
//! Rows of the log are added, never changed or removed. The view of a position is a function of its
//! rows in the log and of the [policy](ViewPolicy). So it can be derived again at any time, with
//! another policy, or as of an earlier sequence number ([`Store::records_at`]).
//!
//! Every change is one transaction, which is on disk when the call returns. A process that is
//! killed loses no acknowledged change and leaves no partial one. The database redb guarantees
//! this: it writes changed pages to new places and switches to them atomically
//! (<https://github.com/cberner/redb/blob/master/docs/design.md>).

mod change;
mod codes;
mod error;
mod exchange;
mod damage;
mod file;
mod game_row;
mod import;
mod import_files;
mod import_store;
mod log_row;
mod maintenance;
mod policy;
mod reading;
mod results;
mod rows;
mod snapshot;
mod sources;
mod tables;
#[cfg(test)]
mod tests;
mod tombstone;
mod variation;
mod verification;
mod view_row;
mod writer;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::{Path, PathBuf};

use komadai_bookfile::position_key::PositionKey;
use komadai_core::{AnalystId, Move, Position};
use redb::{
    Database, ReadOnlyDatabase, ReadTransaction, ReadableDatabase, ReadableTable,
    ReadableTableMetadata, WriteTransaction,
};

pub use change::{Change, KnownMove};
pub use damage::is_reporting_damage;
pub use error::StoreError;
pub use exchange::{StoreExport, StoreImport};
pub use import::RecordsImport;
pub use import_files::{FileImport, FileOutcome, FilesImport, ImportEvent, ImportOptions};
pub use maintenance::{StoreCheck, StoreSize};
pub use policy::ViewPolicy;
pub use results::StoreResults;
pub use rows::StoreRows;
pub use snapshot::{NewSnapshot, Snapshot};
pub use sources::EngineShare;
pub use tombstone::{Deletion, Tombstone};

pub(crate) use codes::position_of;
pub(crate) use error::StoreFault;
pub(crate) use log_row::AnalysisRow;
pub(crate) use tables::{
    JOBS, JOBS_DEAD, JOBS_FAILURES, JOBS_LEASED, JOBS_RESULTS, JOBS_WAITING, KeyBytes, NEXT_JOB,
    NEXT_LEASE, NEXT_RESULT, NUMBERS, decode, encode, take_number,
};
pub(crate) use writer::Writer;

use crate::logged_analysis::LoggedAnalysis;
use crate::merge::{Input, Merged};
use crate::queue::Session;
use crate::stored_record::StoredRecord;
use damage::{Closing, report_damage, run_caller_code};
use log_row::LogRow;
use reading::{derived_views, policy_in, read_choice, rows_of};
use tables::{ANALYST_NUMBERS, ANALYSTS, BOOK, INPUTS, LOG, POLICY, SETTINGS, VIEW, number_in};
use view_row::{Gathered, ViewRow};
use writer::InputRow;

/// A working book in one file with the extension `.kbook`: positions,
/// moves, all evaluations with their provenance, games, deletions that can be undone, snapshots,
/// and a queue of jobs.
///
/// Both orientations of a position are one entry, and so are all sequences of moves that lead to
/// it. One process at a time can [open](Store::open) a store for writing, and use it from many
/// threads. Others can [read](Store::open_to_read) it at the same time. Readers see the state after
/// the last finished change and never wait for a writer.
///
/// # Examples
///
/// ```
/// use komadai_book::LoggedAnalysis;
/// use komadai_book::store::{Change, Store};
/// use komadai_core::{Analysis, AnalystId, Line, Position, Score};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("white.kbook");
/// let line = Line::exact(Score::cp(35), "2g2f 8c8d".parse()?);
/// let analysis = Analysis { lines: vec![line], nodes: 50_000, ..Analysis::default() };
/// let engine = AnalystId::new("engine", "1.0");
/// let logged = LoggedAnalysis::new(Position::hirate(), analysis, engine);
/// let logged = LoggedAnalysis { when: 1_700_000_000, ..logged };
///
/// let store = Store::create(&path)?;
/// assert_eq!(store.merge_batch(&[Change::Analysis(logged.clone())])?.evaluations, 1);
/// // The same evaluation is not added twice.
/// assert_eq!(store.merge_batch(&[Change::Analysis(logged)])?.evaluations, 0);
/// drop(store);
///
/// let start = Store::open(&path)?.position(&Position::hirate())?.expect("it has been merged");
/// assert_eq!(start.record.moves[0].score, Some(Score::cp(35)));
/// assert_eq!(start.values[0].map(|value| value.nodes), Some(50_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Store {
    handle: Handle,
    path: PathBuf,
    /// The part of the queue that ends with this process.
    pub(crate) session: Session,
}

/// The open database, with the access that it was opened for.
pub(crate) enum Handle {
    Writing(Closing<Database>),
    Reading(Closing<ReadOnlyDatabase>),
}

/// An analysis in the log of a [`Store`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LogEntry {
    /// The sequence number in the log.
    pub sequence: u64,
    /// The analysis, with its search time cut to whole milliseconds.
    pub analysis: LoggedAnalysis,
}

impl Store {
    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of the book, which the files of its jobs name. A copy of the file has the same one.
    ///
    /// # Errors
    ///
    /// If the book has no number yet and cannot be written.
    pub fn number(&self) -> Result<u64, StoreError> {
        let known = self.read(|transaction| number_in(&transaction.open_table(NUMBERS)?, BOOK))?;
        if known != 0 {
            return Ok(known);
        }
        self.write(|transaction| {
            let mut numbers = transaction.open_table(NUMBERS)?;
            // Each state hashes with keys of its own, which the system has made at random.
            let number = RandomState::new().build_hasher().finish().max(1);
            numbers.insert(BOOK, number)?;
            Ok(number)
        })
    }

    /// The number of positions in the view.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn len(&self) -> Result<u64, StoreError> {
        self.read(|transaction| Ok(transaction.open_table(VIEW)?.len()?))
    }

    /// Returns whether the view has no positions.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn is_empty(&self) -> Result<bool, StoreError> {
        Ok(self.len()? == 0)
    }

    /// Makes all changes, or none, in one transaction. They are on disk when the method returns.
    ///
    /// # Errors
    ///
    /// If a change is invalid, or the file cannot be written. Nothing has changed then.
    pub fn merge_batch(&self, changes: &[Change]) -> Result<Merged, StoreError> {
        self.write(|transaction| {
            let mut writer = Writer::open(transaction)?;
            changes.iter().try_for_each(|change| writer.apply(change))?;
            writer.finish()
        })
    }

    /// Merges the changes of an iterator in the way of [`merge_batch`](Self::merge_batch). They are
    /// not held in memory together.
    ///
    /// # Errors
    ///
    /// As [`merge_batch`](Self::merge_batch).
    pub fn merge_all(
        &self,
        changes: impl IntoIterator<Item = Change>,
    ) -> Result<Merged, StoreError> {
        let mut changes = changes.into_iter();
        self.write(|transaction| {
            let mut writer = Writer::open(transaction)?;
            while let Some(change) = run_caller_code(|| changes.next()) {
                writer.apply(&change)?;
            }
            writer.finish()
        })
    }

    /// Makes all changes and records `input` as read, in one transaction. Returns `None` and
    /// changes nothing if a source with the same fingerprint has been read before.
    ///
    /// Games and counts of games are added each time they are merged. With an input they are added
    /// once, even if the process is killed before the call returns and tries again.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::Input;
    /// use komadai_book::file::BookRecord;
    /// use komadai_book::store::{Change, Store};
    /// use komadai_core::{AnalystId, Position};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let store = Store::create(folder.path().join("white.kbook"))?;
    /// let record = BookRecord::with_moves(Position::hirate(), ["7g7f".parse()?]);
    /// let changes = Change::of_record(&record, &AnalystId::new("book", ""));
    /// let input = Input { fingerprint: 17, games: 1, name: "a.db".to_owned() };
    /// assert!(store.merge_input(&input, &changes)?.is_some());
    /// assert!(store.merge_input(&input, &changes)?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`merge_batch`](Self::merge_batch).
    pub fn merge_input(
        &self,
        input: &Input,
        changes: &[Change],
    ) -> Result<Option<Merged>, StoreError> {
        self.write_if(|transaction| {
            let mut writer = Writer::open(transaction)?;
            if !writer.input(input)? {
                return Ok(None);
            }
            changes.iter().try_for_each(|change| writer.apply(change))?;
            writer.finish().map(Some)
        })
    }

    /// Adds to the number of games in which a move was played, in a transaction of its own.
    ///
    /// # Errors
    ///
    /// As [`merge_batch`](Self::merge_batch).
    pub fn add_games(
        &self,
        position: &Position,
        m: Move,
        games: u32,
    ) -> Result<Merged, StoreError> {
        let known = KnownMove { position: position.clone(), m, ponder: None, games };
        self.merge_batch(&[known.into()])
    }

    /// The policy that selects evaluations for the view.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn policy(&self) -> Result<ViewPolicy, StoreError> {
        self.read(|transaction| policy_in(&transaction.open_table(SETTINGS)?))
    }

    /// Sets the policy that selects evaluations, and derives the whole view again, in one
    /// transaction.
    ///
    /// Takes time proportional to the log.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. The policy and the view are as before then.
    pub fn set_policy(&self, policy: &ViewPolicy) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.open_table(SETTINGS)?.insert(POLICY, encode(policy).as_slice())?;
            // An empty table cannot keep a row of the old view.
            transaction.delete_table(VIEW)?;
            let choice = read_choice(policy, &transaction.open_table(ANALYST_NUMBERS)?)?;
            let mut view = transaction.open_table(VIEW)?;
            let log = transaction.open_table(LOG)?;
            for derived in derived_views(log.iter()?, u64::MAX, choice) {
                let (key, row) = derived?;
                view.insert(key.as_bytes(), encode(&row).as_slice())?;
            }
            Ok(())
        })
    }

    /// The view of a position, in the orientation of `position`; `None` if the view does not
    /// contain it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or a book cannot hold the position.
    pub fn position(&self, position: &Position) -> Result<Option<StoredRecord>, StoreError> {
        self.read(|transaction| {
            let key = PositionKey::of(position)?;
            let view = transaction.open_table(VIEW)?;
            let Some(row) = view.get(key.as_bytes())? else { return Ok(None) };
            let row: ViewRow = decode("view", key.as_bytes(), row.value())?;
            let stored = row.to_stored(&key, Some(position.side()));
            stored
                .map(Some)
                .map_err(|reason| StoreFault::corrupt_row("view", key.as_bytes(), reason))
        })
    }

    /// Every analysis of a position, in the order of the log, each in the orientation in which it
    /// was logged.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or a book cannot hold the position.
    pub fn analyses(&self, position: &Position) -> Result<Vec<LogEntry>, StoreError> {
        self.read(|transaction| {
            let key = PositionKey::of(position)?;
            let analysts = analysts_in(transaction)?;
            let mut entries = Vec::new();
            for (sequence, row) in rows_of(&transaction.open_table(LOG)?, &key, u64::MAX)? {
                if let LogRow::Analysis(row) = row {
                    let analysis = logged_analysis(&key, &row, &analysts)?;
                    entries.push(LogEntry { sequence, analysis });
                }
            }
            Ok(entries)
        })
    }

    /// The view of a position as it would be without some of its analyses.
    pub(crate) fn position_without(
        &self,
        position: &Position,
        without: &[&LoggedAnalysis],
    ) -> Result<Option<StoredRecord>, StoreError> {
        self.read(|transaction| {
            let key = PositionKey::of(position)?;
            let numbers = transaction.open_table(ANALYST_NUMBERS)?;
            let mut left_out = Vec::new();
            for logged in without {
                let number = numbers.get(encode(&logged.analyst).as_slice())?;
                let number = number.map_or(0, |number| number.value());
                left_out.push(AnalysisRow::new(logged, number)?);
            }
            let mut gathered = Gathered::default();
            for (sequence, row) in rows_of(&transaction.open_table(LOG)?, &key, u64::MAX)? {
                if !left_out.iter().any(|out| out.is_in(&row)) {
                    gathered.add(sequence, &row);
                }
            }
            let policy = policy_in(&transaction.open_table(SETTINGS)?)?;
            let Some(row) = gathered.view(read_choice(&policy, &numbers)?) else {
                return Ok(None);
            };
            let corrupt = |reason| StoreFault::corrupt_row("log", key.as_bytes(), reason);
            row.to_stored(&key, Some(position.side())).map(Some).map_err(corrupt)
        })
    }

    /// Returns whether the log contains everything that an analysis contains. Merging it would add
    /// nothing.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or the analysis cannot be part of a book.
    pub fn holds(&self, logged: &LoggedAnalysis) -> Result<bool, StoreError> {
        self.read(|transaction| {
            let key = PositionKey::of(&logged.position)?;
            let mut row = AnalysisRow::new(logged, 0)?;
            if row.is_empty() {
                return Ok(true);
            }
            let numbers = transaction.open_table(ANALYST_NUMBERS)?;
            let Some(number) = numbers.get(encode(&logged.analyst).as_slice())? else {
                return Ok(false);
            };
            row.head.analyst = number.value();
            let log = transaction.open_table(LOG)?;
            Ok(rows_of(&log, &key, u64::MAX)?.iter().any(|(_, known)| row.is_in(known)))
        })
    }

    /// The analysts of all evaluations, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn analysts(&self) -> Result<Vec<AnalystId>, StoreError> {
        self.read(analysts_in)
    }

    /// The sources that have been read, in the order of reading.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn inputs(&self) -> Result<Vec<Input>, StoreError> {
        self.read(|transaction| {
            let mut inputs = Vec::new();
            for row in transaction.open_table(INPUTS)?.iter()? {
                let (fingerprint, row) = row?;
                let fingerprint = fingerprint.value();
                let InputRow { number, games, name } =
                    decode("inputs", &fingerprint.to_be_bytes(), row.value())?;
                inputs.push((number, Input { fingerprint, games, name }));
            }
            inputs.sort_by_key(|(number, _)| *number);
            Ok(inputs.into_iter().map(|(_, input)| input).collect())
        })
    }

    /// Runs `f` in a read transaction. Errors name the file.
    pub(crate) fn read<T>(
        &self,
        f: impl FnOnce(&ReadTransaction) -> Result<T, StoreFault>,
    ) -> Result<T, StoreError> {
        let read = || f(&self.handle.begin_read()?);
        report_damage(read).map_err(|fault| fault.in_file(&self.path))
    }

    /// Runs `f` in a write transaction, which is committed unless `f` fails. Errors name the file.
    pub(crate) fn write<T>(
        &self,
        f: impl FnOnce(&WriteTransaction) -> Result<T, StoreFault>,
    ) -> Result<T, StoreError> {
        let done = self.write_if(|transaction| f(transaction).map(Some))?;
        Ok(done.expect("the closure never returns `None`"))
    }

    /// Runs `f` in a write transaction, which is committed unless `f` fails or returns `None`.
    pub(crate) fn write_if<T>(
        &self,
        f: impl FnOnce(&WriteTransaction) -> Result<Option<T>, StoreFault>,
    ) -> Result<Option<T>, StoreError> {
        let write = || {
            let transaction = self.handle.database()?.begin_write()?;
            match f(&transaction)? {
                None => transaction.abort()?,
                done => {
                    transaction.commit()?;
                    return Ok(done);
                }
            }
            Ok(None)
        };
        report_damage(write).map_err(|fault| fault.in_file(&self.path))
    }
}

impl Handle {
    fn begin_read(&self) -> Result<ReadTransaction, StoreFault> {
        Ok(match self {
            Self::Writing(database) => database.begin_read()?,
            Self::Reading(database) => database.begin_read()?,
        })
    }

    fn database(&self) -> Result<&Database, StoreFault> {
        match self {
            Self::Writing(database) => Ok(database),
            Self::Reading(_) => Err(StoreError::OpenToRead { path: PathBuf::new() }.into()),
        }
    }

    fn database_mut(&mut self) -> Result<&mut Database, StoreFault> {
        match self {
            Self::Writing(database) => Ok(database),
            Self::Reading(_) => Err(StoreError::OpenToRead { path: PathBuf::new() }.into()),
        }
    }
}

impl std::fmt::Debug for Handle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Writing(_) => "Writing",
            Self::Reading(_) => "Reading",
        })
    }
}

pub(crate) fn analysts_in(transaction: &ReadTransaction) -> Result<Vec<AnalystId>, StoreFault> {
    let mut analysts = Vec::new();
    for row in transaction.open_table(ANALYSTS)?.iter()? {
        let (number, row) = row?;
        let number = number.value();
        if usize::from(number) != analysts.len() {
            let reason = format!("number {} is missing", analysts.len());
            return Err(StoreFault::corrupt_row("analysts", &number.to_be_bytes(), reason));
        }
        analysts.push(decode("analysts", &number.to_be_bytes(), row.value())?);
    }
    Ok(analysts)
}

fn logged_analysis(
    key: &PositionKey,
    row: &log_row::AnalysisRow,
    analysts: &[AnalystId],
) -> Result<LoggedAnalysis, StoreFault> {
    let corrupt = |reason| StoreFault::corrupt_row("log", key.as_bytes(), reason);
    let analyst = analysts.get(usize::from(row.head.analyst));
    let analyst = analyst.ok_or_else(|| corrupt("its analyst has no name".to_owned()))?;
    row.to_logged(key, analyst.clone()).map_err(corrupt)
}
