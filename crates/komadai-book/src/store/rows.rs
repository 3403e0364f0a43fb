//! Iteration over the contents of a store.
//!
//! The code of the caller runs between two rows, never within a read of the file, so that its
//! panics cannot be mistaken for damage.

use std::fmt;
use std::path::PathBuf;

use komadai_bookfile::position_key::PositionKey;
use komadai_bookgraph::BookGame;
use redb::ReadTransaction;

use super::damage::{Closing, report_damage};
use super::error::{StoreError, StoreFault};
use super::game_row::GameRow;
use super::log_row::LogRow;
use super::reading::{derived_views, log_rows, read_choice};
use super::snapshot::snapshot_of;
use super::tables::{ANALYST_NUMBERS, GAMES, KeyBytes, LOG, LogKey, SNAPSHOTS, VIEW, decode};
use super::view_row::ViewRow;
use super::{LogEntry, Store, analysts_in, logged_analysis};
use crate::stored_record::StoredRecord;

/// An iterator over a part of a [`Store`], in the state in which the iteration began. An error ends
/// it.
pub struct StoreRows<T> {
    rows: Closing<Box<dyn Iterator<Item = Result<T, StoreFault>> + Send>>,
    path: PathBuf,
    is_over: bool,
}

impl Store {
    /// The positions of the current view, in the order of their keys, each in the orientation in
    /// which it was first seen. Later changes do not affect the iteration.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::store::{Store, StoreError};
    /// use komadai_bookfile::{BookFormat, WriteOptions, write_book};
    /// use komadai_core::Position;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let store = Store::create(folder.path().join("book.kbook"))?;
    /// store.add_games(&Position::hirate(), "7g7f".parse()?, 3)?;
    /// let records = store.records()?.map(|stored| Ok::<_, StoreError>(stored?.record));
    /// let db = folder.path().join("book.db");
    /// let written = write_book(&db, BookFormat::Db, records, &WriteOptions::default())?;
    /// assert_eq!(written.positions, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn records(&self) -> Result<StoreRows<StoredRecord>, StoreError> {
        self.rows(|transaction| {
            let rows = transaction.open_table(VIEW)?.range::<&KeyBytes>(..)?;
            Ok(rows.map(|row| {
                let (key, row) = row?;
                let row: ViewRow = decode("view", key.value(), row.value())?;
                let stored = row.to_stored(&PositionKey::from_bytes(*key.value()), None);
                stored.map_err(|reason| StoreFault::corrupt_row("view", key.value(), reason))
            }))
        })
    }

    /// The positions of the view at the time of a snapshot, with the deletions, the counts and the
    /// policy of that time.
    ///
    /// The state is derived from the log, which takes time proportional to it.
    ///
    /// # Errors
    ///
    /// If there is no such snapshot or the file cannot be read.
    pub fn records_at(&self, snapshot: &str) -> Result<StoreRows<StoredRecord>, StoreError> {
        self.rows(|transaction| {
            let snapshot = match transaction.open_table(SNAPSHOTS)?.get(snapshot)? {
                None => return Err(StoreError::NoSnapshot { name: snapshot.to_owned() }.into()),
                Some(row) => snapshot_of(snapshot, row.value())?,
            };
            let numbers = transaction.open_table(ANALYST_NUMBERS)?;
            let choice = read_choice(&snapshot.policy, &numbers)?;
            let log = transaction.open_table(LOG)?.range::<&LogKey>(..)?;
            Ok(derived_views(log, snapshot.sequence, choice).map(|view| {
                let (key, row) = view?;
                let stored = row.to_stored(&key, None);
                stored.map_err(|reason| StoreFault::corrupt_row("log", key.as_bytes(), reason))
            }))
        })
    }

    /// Every analysis of the log, including those of deleted moves: positions in the order of their
    /// keys, the analyses of a position in the order of the log.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn log(&self) -> Result<StoreRows<LogEntry>, StoreError> {
        self.rows(|transaction| {
            let analysts = analysts_in(transaction)?;
            let log = transaction.open_table(LOG)?.range::<&LogKey>(..)?;
            Ok(log_rows(log, u64::MAX).filter_map(move |row| match row {
                Ok((key, sequence, LogRow::Analysis(row))) => {
                    let analysis = logged_analysis(&key, &row, &analysts);
                    Some(analysis.map(|analysis| LogEntry { sequence, analysis }))
                }
                Ok(_) => None,
                Err(fault) => Some(Err(fault)),
            }))
        })
    }

    /// Every game of a match with its number, in the order in which they were added.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn games(&self) -> Result<StoreRows<(u64, BookGame)>, StoreError> {
        self.rows(|transaction| {
            let rows = transaction.open_table(GAMES)?.range::<u64>(..)?;
            Ok(rows.map(|row| {
                let (number, row) = row?;
                let number = number.value();
                let key = number.to_be_bytes();
                let row: GameRow = decode("games", &key, row.value())?;
                let game = row.into_game();
                let game = game.map_err(|reason| StoreFault::corrupt_row("games", &key, reason))?;
                Ok((number, game))
            }))
        })
    }

    fn rows<T, R>(
        &self,
        open: impl FnOnce(&ReadTransaction) -> Result<R, StoreFault>,
    ) -> Result<StoreRows<T>, StoreError>
    where
        R: Iterator<Item = Result<T, StoreFault>> + Send + 'static,
    {
        let rows: Box<dyn Iterator<Item = _> + Send> = Box::new(self.read(open)?);
        Ok(StoreRows { rows: Closing::new(rows), path: self.path.clone(), is_over: false })
    }
}

impl<T> Iterator for StoreRows<T> {
    type Item = Result<T, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = report_damage(|| self.rows.next().transpose());
        let next = next.map_err(|fault| fault.in_file(&self.path));
        self.is_over = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

impl<T> fmt::Debug for StoreRows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreRows").field("path", &self.path).finish_non_exhaustive()
    }
}
