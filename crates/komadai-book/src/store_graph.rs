//! The values of a working book, now or as they were.

use crate::store::{Store, StoreError};
use crate::stored_record::StoredRecord;
use komadai_bookfile::BookRecord;
use komadai_bookfile::EntryError;
use komadai_bookgraph::{BookGraph, GraphBuilder};

impl Store {
    /// The values as they follow from the book.
    ///
    /// Takes time proportional to the view, and the memory of a graph.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn graph(&self) -> Result<BookGraph, StoreError> {
        let room = usize::try_from(self.len()?).unwrap_or(0);
        let mut view = View { builder: GraphBuilder::with_room(room), batch: Vec::new() };
        self.for_each_position(|stored| view.add(stored))?;
        Ok(view.finish()?)
    }

    /// The values as they followed from the book when a snapshot was taken.
    ///
    /// Takes time proportional to the log, and the memory of a graph of the book.
    ///
    /// # Errors
    ///
    /// If there is no such snapshot, or the file cannot be read.
    pub fn graph_at(&self, snapshot: &str) -> Result<BookGraph, StoreError> {
        let mut view = View::default();
        self.view_at(snapshot, |stored| view.add(stored))?;
        Ok(view.finish()?)
    }
}

/// A graph in the making, of the positions of a view.
#[derive(Debug, Default)]
struct View {
    builder: GraphBuilder,
    /// Records that are prepared together.
    batch: Vec<BookRecord>,
}

impl View {
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
