//! Checks, compaction, sizes and fingerprints of stores.

use std::path::PathBuf;

use redb::{ReadTransaction, ReadableTable, ReadableTableMetadata, TableDefinition};

use super::Store;
use super::damage::report_damage;
use super::error::{StoreError, StoreFault};
use super::reading::{derived_views, policy_in, read_choice};
use super::tables::{
    ANALYST_NUMBERS, ANALYSTS, GAMES, INPUTS, JOBS, LOG, LogKey, SETTINGS, SNAPSHOTS, TOMBSTONES,
    VIEW, decode,
};
use super::view_row::ViewRow;
use crate::files::fingerprint::Fingerprint;

/// The result of a check of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StoreCheck {
    /// True if the checksums and page lists of the file were correct. Otherwise the check has
    /// repaired them.
    pub file_was_sound: bool,
    /// The number of rows of the log. All of them could be read.
    pub log_rows: u64,
    /// The number of positions of the view.
    pub positions: u64,
    /// The number of positions with a view that does not follow from the log. It is 0 unless this
    /// library or the machine has a defect. [`Store::set_policy`] derives the view again.
    pub wrong_positions: u64,
}

/// The size of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StoreSize {
    /// The size of the file in bytes.
    pub file_bytes: u64,
    /// The size of keys and rows in bytes.
    pub stored_bytes: u64,
    /// The unused bytes within pages.
    pub fragmented_bytes: u64,
    /// The number of rows of the log.
    pub log_rows: u64,
    /// The number of positions of the view.
    pub positions: u64,
    /// The number of games of matches.
    pub games: u64,
}

impl Store {
    /// Checks the file, and that the view follows from the log.
    ///
    /// Takes time proportional to the file.
    ///
    /// # Errors
    ///
    /// If the file is damaged beyond repair, or a row of the log or the view cannot be read.
    pub fn check(&mut self) -> Result<StoreCheck, StoreError> {
        let checked = report_damage(|| Ok(self.handle.database_mut()?.check_integrity()?));
        let file_was_sound = checked.map_err(|fault| fault.in_file(&self.path))?;
        self.read(|transaction| {
            let log = transaction.open_table(LOG)?;
            let view = transaction.open_table(VIEW)?;
            let policy = policy_in(&transaction.open_table(SETTINGS)?)?;
            let choice = read_choice(&policy, &transaction.open_table(ANALYST_NUMBERS)?)?;
            let mut derived = 0;
            let mut right = 0;
            for view_of in derived_views(log.range::<&LogKey>(..)?, u64::MAX, choice) {
                let (key, row) = view_of?;
                derived += 1;
                if let Some(kept) = view.get(key.as_bytes())? {
                    let kept: ViewRow = decode("view", key.as_bytes(), kept.value())?;
                    right += u64::from(kept == row);
                }
            }
            let positions = view.len()?;
            // Missing, superfluous and differing positions are wrong.
            let wrong_positions = positions.max(derived) - right;
            Ok(StoreCheck { file_was_sound, log_rows: log.len()?, positions, wrong_positions })
        })
    }

    /// Returns unused space of the file to the system. Returns whether there was any.
    ///
    /// Takes time proportional to the file, and no other space. The file is checked first, as by
    /// [`check`](Self::check), because redb may wait for ever for a page of a damaged list.
    ///
    /// # Errors
    ///
    /// If the file is damaged, even if the check could repair it, or if it cannot be written.
    pub fn compact(&mut self) -> Result<bool, StoreError> {
        let compacted = report_damage(|| {
            let database = self.handle.database_mut()?;
            if !database.check_integrity()? {
                let reason = "the lists of pages were wrong, and have been repaired".to_owned();
                return Err(StoreError::Corrupt { path: PathBuf::new(), reason }.into());
            }
            Ok(database.compact()?)
        });
        compacted.map_err(|fault| fault.in_file(&self.path))
    }

    /// The size of the store.
    ///
    /// Takes time proportional to the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn size(&self) -> Result<StoreSize, StoreError> {
        self.read(|transaction| {
            let mut stored_bytes = 0;
            let mut fragmented_bytes = 0;
            for name in transaction.list_tables()? {
                let stats = transaction.open_untyped_table(name)?.stats()?;
                stored_bytes += stats.stored_bytes();
                fragmented_bytes += stats.fragmented_bytes();
            }
            Ok(StoreSize {
                file_bytes: std::fs::metadata(&self.path)?.len(),
                stored_bytes,
                fragmented_bytes,
                log_rows: transaction.open_table(LOG)?.len()?,
                positions: transaction.open_table(VIEW)?.len()?,
                games: transaction.open_table(GAMES)?.len()?,
            })
        })
    }

    /// A fingerprint of the content: the log, the view, analysts, inputs, games, deletions,
    /// snapshots and jobs. Stores with the same changes in the same order have the same
    /// fingerprint.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn fingerprint(&self) -> Result<Fingerprint, StoreError> {
        self.read(|transaction| {
            let mut fingerprint = Fingerprint::new();
            add_rows(transaction, LOG, |key| key.to_vec(), &mut fingerprint)?;
            add_rows(transaction, VIEW, |key| key.to_vec(), &mut fingerprint)?;
            add_rows(transaction, ANALYSTS, |key| key.to_be_bytes().to_vec(), &mut fingerprint)?;
            add_rows(transaction, INPUTS, |key| key.to_be_bytes().to_vec(), &mut fingerprint)?;
            add_rows(transaction, GAMES, |key| key.to_be_bytes().to_vec(), &mut fingerprint)?;
            add_rows(transaction, TOMBSTONES, |key| key.to_be_bytes().to_vec(), &mut fingerprint)?;
            add_rows(transaction, SNAPSHOTS, |key| key.as_bytes().to_vec(), &mut fingerprint)?;
            add_rows(transaction, JOBS, |key| key.to_vec(), &mut fingerprint)?;
            Ok(fingerprint)
        })
    }
}

fn add_rows<K: redb::Key + 'static>(
    transaction: &ReadTransaction,
    table: TableDefinition<'static, K, &'static [u8]>,
    key_bytes: impl Fn(K::SelfType<'_>) -> Vec<u8>,
    fingerprint: &mut Fingerprint,
) -> Result<(), StoreFault> {
    let table = transaction.open_table(table)?;
    fingerprint.add(&table.len()?.to_be_bytes());
    for row in table.iter()? {
        let (key, row) = row?;
        for part in [key_bytes(key.value()).as_slice(), row.value()] {
            fingerprint.add(&(part.len() as u64).to_be_bytes());
            fingerprint.add(part);
        }
    }
    Ok(())
}
