//! Snapshots: named states of the log.

use redb::ReadableTable;
use serde::{Deserialize, Serialize};

use super::error::{StoreError, StoreFault};
use super::reading::policy_in;
use super::tables::{NEXT_SEQUENCE, NUMBERS, SETTINGS, SNAPSHOTS, VIEW, decode, encode, number_in};
use super::{Store, ViewPolicy};

/// A snapshot to be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NewSnapshot {
    /// The name.
    pub name: String,
    /// The time in seconds since the start of 1970 (UTC); 0 if it does not matter.
    pub when: u64,
    /// The round of growing and pruning.
    pub generation: u32,
    /// Named figures to store with the snapshot, such as the value of the root.
    pub figures: Vec<(String, i64)>,
}

/// A snapshot of a store: a sequence number of the log, with the policy and some figures of that
/// time.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Snapshot {
    /// The name, the time and the figures of the snapshot.
    pub taken: NewSnapshot,
    /// The end of the snapshot's log: its rows have lower sequence numbers.
    pub sequence: u64,
    /// The number of positions in the view.
    pub positions: u64,
    /// The policy of that time.
    pub policy: ViewPolicy,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct SnapshotRow {
    when: u64,
    generation: u32,
    figures: Vec<(String, i64)>,
    sequence: u64,
    positions: u64,
    policy: ViewPolicy,
}

impl Store {
    /// Stores the current state under a name. A snapshot takes one row, independent of the size of
    /// the book.
    ///
    /// A second snapshot of the same state with the same name changes nothing.
    ///
    /// # Errors
    ///
    /// If the name belongs to another state, or the file cannot be written.
    pub fn take_snapshot(&self, new: &NewSnapshot) -> Result<Snapshot, StoreError> {
        use redb::ReadableTableMetadata;
        self.write(|transaction| {
            let numbers = transaction.open_table(NUMBERS)?;
            let sequence = number_in(&numbers, NEXT_SEQUENCE)?;
            let mut snapshots = transaction.open_table(SNAPSHOTS)?;
            if let Some(row) = snapshots.get(new.name.as_str())? {
                let known = snapshot_of(&new.name, row.value())?;
                if known.sequence != sequence {
                    return Err(StoreError::SnapshotExists { name: new.name.clone() }.into());
                }
                return Ok(known);
            }
            let row = SnapshotRow {
                when: new.when,
                generation: new.generation,
                figures: new.figures.clone(),
                sequence,
                positions: transaction.open_table(VIEW)?.len()?,
                policy: policy_in(&transaction.open_table(SETTINGS)?)?,
            };
            let bytes = encode(&row);
            snapshots.insert(new.name.as_str(), bytes.as_slice())?;
            snapshot_of(&new.name, &bytes)
        })
    }

    /// Every snapshot, in the order of their sequence numbers, then of their names.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn snapshots(&self) -> Result<Vec<Snapshot>, StoreError> {
        self.read(|transaction| {
            let mut snapshots = Vec::new();
            for row in transaction.open_table(SNAPSHOTS)?.iter()? {
                let (name, row) = row?;
                snapshots.push(snapshot_of(name.value(), row.value())?);
            }
            snapshots.sort_by_key(|snapshot| snapshot.sequence);
            Ok(snapshots)
        })
    }

    /// The sequence number of the next row of the log. A snapshot with this
    /// [sequence number](Snapshot::sequence) and the current policy has the current state.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn next_sequence(&self) -> Result<u64, StoreError> {
        self.read(|transaction| number_in(&transaction.open_table(NUMBERS)?, NEXT_SEQUENCE))
    }
}

pub(super) fn snapshot_of(name: &str, row: &[u8]) -> Result<Snapshot, StoreFault> {
    let SnapshotRow { when, generation, figures, sequence, positions, policy } =
        decode("snapshots", name.as_bytes(), row)?;
    let taken = NewSnapshot { name: name.to_owned(), when, generation, figures };
    Ok(Snapshot { taken, sequence, positions, policy })
}
