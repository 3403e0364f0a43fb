//! The outbox of a store's queue: results that are in the log, but not in the graph of the process
//! that has the store open.

use komadai_bookfile::position_key::PositionKey;
use komadai_core::AnalystId;
use redb::{ReadTransaction, ReadableTable as _, TableError, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::queued_result::QueuedResult;
use crate::logged_analysis::LoggedAnalysis;
use crate::store::{
    AnalysisRow, JOBS_RESULTS, KeyBytes, NEXT_RESULT, StoreFault, Writer, decode, encode,
};

/// A result, with its position and its worker.
#[derive(Debug, Serialize, Deserialize)]
struct ResultRow {
    position: KeyBytes,
    analysis: AnalysisRow,
    worker: String,
}

/// A result for the outbox, with its worker.
pub(super) type Accepted = (LoggedAnalysis, String);

/// Adds results, in the transaction that adds them to the log.
pub(super) fn add(
    transaction: &WriteTransaction,
    writer: &mut Writer<'_>,
    accepted: &[Accepted],
) -> Result<(), StoreFault> {
    let mut rows = Vec::new();
    for (result, worker) in accepted {
        let position = *PositionKey::of(&result.position)?.as_bytes();
        let analysis = AnalysisRow::new(result, writer.analyst_number(&result.analyst)?)?;
        rows.push(ResultRow { position, analysis, worker: worker.clone() });
    }
    let mut outbox = transaction.open_table(JOBS_RESULTS)?;
    for row in rows {
        let id = writer.take_number(NEXT_RESULT)?;
        outbox.insert(id, encode(&row).as_slice())?;
    }
    Ok(())
}

/// Removes results.
pub(super) fn remove(transaction: &WriteTransaction, ids: &[u64]) -> Result<(), StoreFault> {
    if ids.is_empty() {
        return Ok(());
    }
    let mut outbox = transaction.open_table(JOBS_RESULTS)?;
    for id in ids {
        outbox.remove(id)?;
    }
    Ok(())
}

/// The results in the order of their numbers, without those that are `merged`.
pub(super) fn results(
    transaction: &ReadTransaction,
    analysts: &[AnalystId],
    merged: &[u64],
    limit: usize,
) -> Result<Vec<QueuedResult>, StoreFault> {
    let outbox = match transaction.open_table(JOBS_RESULTS) {
        // Stores of earlier versions get the table with their first result.
        Err(TableError::TableDoesNotExist(_)) => return Ok(Vec::new()),
        outbox => outbox?,
    };
    let mut results = Vec::new();
    for row in outbox.iter()? {
        if results.len() >= limit {
            break;
        }
        let (id, row) = row?;
        let id = id.value();
        if merged.contains(&id) {
            continue;
        }
        let corrupt =
            |reason: String| StoreFault::corrupt_row("jobs_results", &id.to_be_bytes(), reason);
        let row: ResultRow = decode("jobs_results", &id.to_be_bytes(), row.value())?;
        let analyst = analysts.get(usize::from(row.analysis.head.analyst));
        let analyst = analyst.ok_or_else(|| corrupt("its analyst has no name".to_owned()))?;
        let key = PositionKey::from_bytes(row.position);
        let result = row.analysis.to_logged(&key, analyst.clone()).map_err(corrupt)?;
        results.push(QueuedResult { id, result, worker: row.worker });
    }
    Ok(results)
}
