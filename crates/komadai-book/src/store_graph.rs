//! Graphs of a store, as it is now and as it was at a snapshot.

use komadai_bookgraph::{BookGraph, GraphBuilder};

use crate::store::{Store, StoreError};
use crate::stored_record::StoredRecord;

impl Store {
    /// The graph of the current view with its propagated values.
    ///
    /// Takes time proportional to the view.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn graph(&self) -> Result<BookGraph, StoreError> {
        let room = usize::try_from(self.len()?).unwrap_or(0);
        graph_of(GraphBuilder::with_room(room), self.records()?)
    }

    /// The graph of the view at the time of a snapshot.
    ///
    /// Takes time proportional to the log.
    ///
    /// # Errors
    ///
    /// If there is no such snapshot, or the file cannot be read.
    pub fn graph_at(&self, snapshot: &str) -> Result<BookGraph, StoreError> {
        graph_of(GraphBuilder::new(), self.records_at(snapshot)?)
    }
}

/// The graph of the positions of a view.
pub(crate) fn graph_of(
    mut builder: GraphBuilder,
    records: impl Iterator<Item = Result<StoredRecord, StoreError>>,
) -> Result<BookGraph, StoreError> {
    /// The number of records added together, on all cores: enough to keep them busy, at a few MiB
    /// of memory.
    const BATCH: usize = 4_096;
    let mut batch = Vec::new();
    for stored in records {
        let StoredRecord { record, barred, .. } = stored?;
        if !barred.is_empty() {
            builder.bar(&record.position, &barred)?;
        }
        batch.push(record);
        if batch.len() == BATCH {
            builder.add_all(&batch)?;
            batch.clear();
        }
    }
    builder.add_all(&batch)?;
    Ok(builder.finish()?)
}
