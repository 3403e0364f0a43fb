//! Graphs of a store, as it is now and as it was at a snapshot.

use komadai_bookfile::{BookRecord, EntryError};
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
        let mut view = View { builder: GraphBuilder::with_room(room), batch: Vec::new() };
        self.records()?.try_for_each(|stored| view.add(stored?))?;
        Ok(view.finish()?)
    }

    /// The graph of the view at the time of a snapshot.
    ///
    /// Takes time proportional to the log.
    ///
    /// # Errors
    ///
    /// If there is no such snapshot, or the file cannot be read.
    pub fn graph_at(&self, snapshot: &str) -> Result<BookGraph, StoreError> {
        let mut view = View::default();
        self.records_at(snapshot)?.try_for_each(|stored| view.add(stored?))?;
        Ok(view.finish()?)
    }
}

/// A builder of a graph from the positions of a view.
#[derive(Debug, Default)]
struct View {
    builder: GraphBuilder,
    /// Records that are added together, on all cores.
    batch: Vec<BookRecord>,
}

impl View {
    /// The number of records added together: enough to keep all cores busy, at a few MiB of memory.
    const BATCH: usize = 4_096;

    fn add(&mut self, stored: StoredRecord) -> Result<(), StoreError> {
        if !stored.barred.is_empty() {
            self.builder.bar(&stored.record.position, &stored.barred)?;
        }
        self.batch.push(stored.record);
        if self.batch.len() == Self::BATCH {
            self.builder.add_all(&self.batch)?;
            self.batch.clear();
        }
        Ok(())
    }

    fn finish(mut self) -> Result<BookGraph, EntryError> {
        self.builder.add_all(&self.batch)?;
        self.builder.finish()
    }
}
