//! Reading of rows of the log, in read and write transactions.

use std::iter;

use komadai_bookfile::position_key::PositionKey;
use redb::ReadableTable;

use super::error::StoreFault;
use super::log_row::LogRow;
use super::policy::{Choice, ViewPolicy};
use super::tables::{LogKey, POLICY, decode, encode, log_key, split_log_key};
use super::view_row::{Gathered, ViewRow};

/// Rows of the log, in a read or a write transaction.
pub(crate) type LogRange<'t> = redb::Range<'t, &'static LogKey, &'static [u8]>;

/// The rows with a sequence number below `end`: positions in the order of their keys, the rows of a
/// position in the order of the log.
pub(crate) fn log_rows(
    range: LogRange<'_>,
    end: u64,
) -> impl Iterator<Item = Result<(PositionKey, u64, LogRow), StoreFault>> {
    range.filter_map(move |row| {
        let (key, bytes) = match row {
            Ok(row) => row,
            Err(error) => return Some(Err(error.into())),
        };
        let (position, sequence) = split_log_key(key.value());
        let row = || Ok((position, sequence, decode("log", key.value(), bytes.value())?));
        (sequence < end).then(row)
    })
}

/// The rows of one position with sequence numbers below `end`, in their order.
pub(crate) fn rows_of(
    log: &impl ReadableTable<&'static LogKey, &'static [u8]>,
    key: &PositionKey,
    end: u64,
) -> Result<Vec<(u64, LogRow)>, StoreFault> {
    let range = log.range::<&LogKey>(&log_key(key, 0)..&log_key(key, end))?;
    log_rows(range, end).map(|row| row.map(|(_, sequence, row)| (sequence, row))).collect()
}

/// The whole view, as of the sequence number `end`, derived from the log: each position that has
/// moves, in the order of the keys.
pub(crate) fn derived_views(
    log: LogRange<'_>,
    end: u64,
    choice: Choice,
) -> impl Iterator<Item = Result<(PositionKey, ViewRow), StoreFault>> {
    let mut rows = log_rows(log, end).peekable();
    iter::from_fn(move || {
        loop {
            let (key, sequence, row) = match rows.next()? {
                Ok(row) => row,
                Err(fault) => return Some(Err(fault)),
            };
            let mut gathered = Gathered::default();
            gathered.add(sequence, &row);
            let is_of_key = |row: &Result<(PositionKey, _, _), _>| {
                row.as_ref().is_ok_and(|(other, _, _)| *other == key)
            };
            while let Some(Ok((_, sequence, row))) = rows.next_if(is_of_key) {
                gathered.add(sequence, &row);
            }
            if let Some(view) = gathered.view(choice) {
                return Some(Ok((key, view)));
            }
        }
    })
}

/// The policy of a store.
pub(crate) fn policy_in(
    settings: &impl ReadableTable<&'static str, &'static [u8]>,
) -> Result<ViewPolicy, StoreFault> {
    let Some(row) = settings.get(POLICY)? else { return Ok(ViewPolicy::default()) };
    decode("settings", POLICY.as_bytes(), row.value())
}

/// A policy with the number of its analyst.
pub(crate) fn read_choice(
    policy: &ViewPolicy,
    numbers: &impl ReadableTable<&'static [u8], u16>,
) -> Result<Choice, StoreFault> {
    Ok(match policy {
        ViewPolicy::Newest => Choice::Newest,
        ViewPolicy::MostNodes => Choice::MostNodes,
        ViewPolicy::Deepest => Choice::Deepest,
        ViewPolicy::Prefer(id) => {
            Choice::Prefer(numbers.get(encode(id).as_slice())?.map(|number| number.value()))
        }
        ViewPolicy::Mean => Choice::Mean,
    })
}
