//! The tables of the file.
//!
//! | table | key | row |
//! |---|---|---|
//! | `log` | position, sequence number | a fact about the position: [`LogRow`](super::log_row::LogRow) |
//! | `view` | position | the conclusion from the log: [`ViewRow`](super::view_row::ViewRow) |
//! | `analysts`, `analyst_numbers` | number; name | the same pairs in both directions |
//! | `inputs` | fingerprint | sources that have been read |
//! | `games` | number | games of matches |
//! | `tombstones` | number | deletions with their reasons |
//! | `snapshots` | name | a sequence number of the log |
//! | `jobs`, `jobs_waiting`, `jobs_leased`, `jobs_dead` | position; urgency; deadline; position | the queue |
//! | `jobs_failures` | position | the workers that failed at a job, with the numbers of their failures; earlier versions have no such table |
//! | `jobs_results` | number | results that are in the log and not marked as merged; earlier versions have no such table |
//! | `numbers`, `settings` | name | counters; the policy |
//!
//! A position is the 32 bytes of its [`PositionKey`]. Numbers within keys are big-endian, so that
//! the order of the keys is that of the numbers. Every row starts with the version of its layout;
//! its content follows in the format of `postcard`.

use komadai_bookfile::position_key::PositionKey;
use redb::{ReadableTable, Table, TableDefinition};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::{StoreError, StoreFault};

/// The bytes of a [`PositionKey`]: redb keys its tables by arrays, not by types of other crates.
pub(crate) type KeyBytes = [u8; 32];

/// A position, and a sequence number.
pub(crate) type LogKey = [u8; 40];

/// A table of rows.
pub(crate) type Rows<K> = TableDefinition<'static, K, &'static [u8]>;

pub(crate) const LOG: Rows<&LogKey> = TableDefinition::new("log");
pub(crate) const VIEW: Rows<&KeyBytes> = TableDefinition::new("view");
pub(crate) const ANALYSTS: Rows<u16> = TableDefinition::new("analysts");
pub(crate) const ANALYST_NUMBERS: TableDefinition<'static, &[u8], u16> =
    TableDefinition::new("analyst_numbers");
pub(crate) const INPUTS: Rows<u64> = TableDefinition::new("inputs");
pub(crate) const GAMES: Rows<u64> = TableDefinition::new("games");
pub(crate) const TOMBSTONES: Rows<u64> = TableDefinition::new("tombstones");
pub(crate) const SNAPSHOTS: Rows<&str> = TableDefinition::new("snapshots");
pub(crate) const JOBS: Rows<&KeyBytes> = TableDefinition::new("jobs");
/// The waiting jobs, in the order in which they are leased.
pub(crate) const JOBS_WAITING: TableDefinition<'static, &[u8; 48], ()> =
    TableDefinition::new("jobs_waiting");
/// The leased jobs. A key is the end of the lease in milliseconds, then the position.
pub(crate) const JOBS_LEASED: TableDefinition<'static, &[u8; 40], ()> =
    TableDefinition::new("jobs_leased");
pub(crate) const JOBS_DEAD: TableDefinition<'static, &KeyBytes, ()> =
    TableDefinition::new("jobs_dead");
/// The workers that have failed at a job, with the numbers of their failures.
pub(crate) const JOBS_FAILURES: Rows<&KeyBytes> = TableDefinition::new("jobs_failures");
/// The results that are in the log, but not marked as merged into a graph.
pub(crate) const JOBS_RESULTS: Rows<u64> = TableDefinition::new("jobs_results");
pub(crate) const NUMBERS: TableDefinition<'static, &str, u64> = TableDefinition::new("numbers");
pub(crate) const SETTINGS: Rows<&str> = TableDefinition::new("settings");

/// The version of the layout of the tables.
pub(crate) const FORMAT_VERSION: u64 = 2;

/// A key of [`NUMBERS`], as are the following ones.
pub(crate) const VERSION: &str = "version";
/// A random number, which jobs in files name.
pub(crate) const BOOK: &str = "book";
pub(crate) const NEXT_SEQUENCE: &str = "next sequence";
pub(crate) const NEXT_INPUT: &str = "next input";
pub(crate) const NEXT_JOB: &str = "next job";
pub(crate) const NEXT_LEASE: &str = "next lease";
pub(crate) const NEXT_RESULT: &str = "next result";

/// A key of [`SETTINGS`].
pub(crate) const POLICY: &str = "policy";

/// The version of the layout of the rows.
const ROW_VERSION: u8 = 1;

/// A row as bytes.
pub(crate) fn encode<T: Serialize>(row: &T) -> Vec<u8> {
    postcard::to_extend(row, vec![ROW_VERSION]).expect("a row has a serial form")
}

/// A row from bytes.
pub(crate) fn decode<T: DeserializeOwned>(
    table: &'static str,
    key: &[u8],
    bytes: &[u8],
) -> Result<T, StoreFault> {
    let corrupt = |reason: &str| StoreFault::corrupt_row(table, key, reason);
    let (&version, content) = bytes.split_first().ok_or_else(|| corrupt("it is empty"))?;
    match version {
        ROW_VERSION => {}
        0 => return Err(corrupt("its layout has the number 0, expected 1")),
        newer => {
            let found = newer.into();
            let supported = ROW_VERSION.into();
            return Err(StoreError::NewerVersion { path: "".into(), found, supported }.into());
        }
    }
    match postcard::take_from_bytes(content) {
        Ok((row, [])) => Ok(row),
        Ok((_, rest)) => Err(corrupt(&format!("{} bytes too many", rest.len()))),
        Err(error) => Err(corrupt(&error.to_string())),
    }
}

/// The number with this name; 0 if it has not been written yet.
pub(crate) fn number_in(
    numbers: &impl ReadableTable<&'static str, u64>,
    name: &str,
) -> Result<u64, StoreFault> {
    Ok(numbers.get(name)?.map_or(0, |number| number.value()))
}

/// Takes the number with this name, and leaves the next one.
pub(crate) fn take_number(
    numbers: &mut Table<'_, &'static str, u64>,
    name: &str,
) -> Result<u64, StoreFault> {
    let number = number_in(numbers, name)?;
    numbers.insert(name, number + 1)?;
    Ok(number)
}

/// The key of a row of the log.
pub(crate) fn log_key(position: &PositionKey, sequence: u64) -> LogKey {
    let mut key = [0; 40];
    key[..32].copy_from_slice(position.as_bytes());
    key[32..].copy_from_slice(&sequence.to_be_bytes());
    key
}

/// The reverse of [`log_key`].
pub(crate) fn split_log_key(key: &LogKey) -> (PositionKey, u64) {
    let (position, sequence) = key.split_at(32);
    let position: KeyBytes = position.try_into().expect("thirty-two bytes");
    (
        PositionKey::from_bytes(position),
        u64::from_be_bytes(sequence.try_into().expect("eight bytes")),
    )
}
