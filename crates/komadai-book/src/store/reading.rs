//! Reading of rows of the log, in read and write transactions.

use komadai_bookfile::position_key::PositionKey;
use redb::ReadableTable;

use super::error::StoreFault;
use super::log_row::LogRow;
use super::policy::{Choice, PolicyRow, ViewPolicy};
use super::tables::{LogKey, POLICY, decode, encode, log_key, split_log_key};
use super::view_row::{Gathered, ViewRow};

type Log<'t> = &'t dyn DynLog;

/// A table of the log: open for reading or for writing.
pub(crate) trait DynLog {
    fn rows(
        &self,
        from: &LogKey,
        to: &LogKey,
    ) -> Result<redb::Range<'_, &'static LogKey, &'static [u8]>, StoreFault>;
}

impl<T: ReadableTable<&'static LogKey, &'static [u8]>> DynLog for T {
    fn rows(
        &self,
        from: &LogKey,
        to: &LogKey,
    ) -> Result<redb::Range<'_, &'static LogKey, &'static [u8]>, StoreFault> {
        Ok(self.range::<&LogKey>(from..to)?)
    }
}

/// The rows of one position with sequence numbers below `end`, in their order.
pub(crate) fn rows_of(
    log: Log<'_>,
    key: &PositionKey,
    end: u64,
) -> Result<Vec<(u64, LogRow)>, StoreFault> {
    let mut rows = Vec::new();
    for row in log.rows(&log_key(key, 0), &log_key(key, end))? {
        let (key, bytes) = row?;
        let (_, sequence) = split_log_key(key.value());
        rows.push((sequence, decode("log", key.value(), bytes.value())?));
    }
    Ok(rows)
}

/// Calls `f` with every row of the log with a sequence number below `end`: positions in the order of their keys,
/// the rows of a position in the order of the log. Stops if `f` returns false.
pub(crate) fn for_each_row(
    log: Log<'_>,
    end: u64,
    mut f: impl FnMut(&PositionKey, u64, LogRow) -> Result<bool, StoreFault>,
) -> Result<(), StoreFault> {
    for row in log.rows(&[0; 40], &[u8::MAX; 40])? {
        let (key, bytes) = row?;
        let (position, sequence) = split_log_key(key.value());
        if sequence < end && !f(&position, sequence, decode("log", key.value(), bytes.value())?)? {
            break;
        }
    }
    Ok(())
}

/// Derives the whole view, as of the sequence number `end`, from the log. Calls `f` with each position that has
/// moves, in the order of the keys. Stops if `f` returns false.
pub(crate) fn for_each_derived(
    log: Log<'_>,
    end: u64,
    choice: Choice,
    mut f: impl FnMut(&PositionKey, ViewRow) -> Result<bool, StoreFault>,
) -> Result<(), StoreFault> {
    let mut current: Option<(PositionKey, Gathered)> = None;
    let mut wants_more = true;
    for_each_row(log, end, |key, sequence, row| {
        if let Some((done, gathered)) = current.take_if(|(at, _)| at != key) {
            wants_more = gathered.view(choice).map_or(Ok(true), |view| f(&done, view))?;
        }
        let (_, gathered) = current.get_or_insert_with(|| (*key, Gathered::default()));
        gathered.add(sequence, &row);
        Ok(wants_more)
    })?;
    if let (true, Some((key, gathered))) = (wants_more, current) {
        gathered.view(choice).map_or(Ok(true), |view| f(&key, view))?;
    }
    Ok(())
}

/// The policy of a store.
pub(crate) fn policy_in(
    settings: &impl ReadableTable<&'static str, &'static [u8]>,
) -> Result<ViewPolicy, StoreFault> {
    let Some(row) = settings.get(POLICY)? else { return Ok(ViewPolicy::default()) };
    let row: PolicyRow = decode("settings", POLICY.as_bytes(), row.value())?;
    Ok(row.into_policy())
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
            let name = encode(&(&id.name, &id.version, &id.options));
            Choice::Prefer(numbers.get(name.as_slice())?.map(|number| number.value()))
        }
        ViewPolicy::Mean => Choice::Mean,
    })
}
