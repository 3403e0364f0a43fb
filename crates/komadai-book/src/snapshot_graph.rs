//! The values of a working book as they were.

use crate::graph::{BookGraph, GraphBuilder};
use crate::store::Store;
use crate::working_book::WorkingBookError;

/// Records that are prepared at a time.
const BATCH: usize = 4_096;

impl Store {
    /// The values as they followed from the book when a snapshot was taken.
    ///
    /// Takes time proportional to the log, and the memory of a graph of the book.
    ///
    /// # Errors
    ///
    /// If there is no such snapshot, or the file cannot be read.
    pub fn graph_at(&self, snapshot: &str) -> Result<BookGraph, WorkingBookError> {
        let mut builder = GraphBuilder::new();
        let mut batch = Vec::with_capacity(BATCH);
        self.view_at(snapshot, |stored| -> Result<(), WorkingBookError> {
            batch.push(stored.record);
            if batch.len() == BATCH {
                builder.add_all(&batch)?;
                batch.clear();
            }
            Ok(())
        })?;
        builder.add_all(&batch)?;
        Ok(builder.finish()?)
    }
}
