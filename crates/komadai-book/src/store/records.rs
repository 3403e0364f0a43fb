//! Iteration over the positions of a store.

use std::fmt;
use std::path::PathBuf;

use komadai_bookfile::position_key::PositionKey;

use super::Store;
use super::damage::report_damage;
use super::error::{StoreError, StoreFault};
use super::tables::{KeyBytes, VIEW, decode};
use super::view_row::ViewRow;
use crate::stored_record::StoredRecord;

/// An iterator over the positions of a [`Store`], in the order of their keys, each in the orientation in which
/// it was first seen; see [`Store::records`].
pub struct StoreRecords {
    rows: redb::Range<'static, &'static KeyBytes, &'static [u8]>,
    path: PathBuf,
    is_over: bool,
}

impl Store {
    /// The positions of the current view. Later changes do not affect the iteration.
    ///
    /// For functions that take an iterator, such as [`write_book`](komadai_bookfile::write_book) and
    /// [`merge_records`](komadai_bookfile::sorting::merge_records) ; see also [`for_each_position`](Self::for_each_position).
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
    pub fn records(&self) -> Result<StoreRecords, StoreError> {
        let path = self.path.clone();
        let rows =
            self.read(|transaction| Ok(transaction.open_table(VIEW)?.range::<&KeyBytes>(..)?))?;
        Ok(StoreRecords { rows, path, is_over: false })
    }
}

impl StoreRecords {
    fn next_record(&mut self) -> Result<Option<StoredRecord>, StoreFault> {
        let Some(row) = self.rows.next() else { return Ok(None) };
        let (key, row) = row?;
        let row: ViewRow = decode("view", key.value(), row.value())?;
        let stored = row.to_stored(&PositionKey::from_bytes(*key.value()), None);
        stored.map(Some).map_err(|reason| StoreFault::corrupt_row("view", key.value(), reason))
    }
}

/// An error ends the iteration.
impl Iterator for StoreRecords {
    type Item = Result<StoredRecord, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = report_damage(|| self.next_record()).map_err(|fault| fault.in_file(&self.path));
        self.is_over = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

impl fmt::Debug for StoreRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreRecords").field("path", &self.path).finish_non_exhaustive()
    }
}
