//! Working books that a command creates.

use std::fs;
use std::path::Path;

use komadai::book::queue::{JobCounts, JobQueue as _, QueueOptions};
use komadai::book::store::{Store, StoreError};

/// Runs a command that creates the working book if there is none. If the command fails before anything is in a
/// book that it has created, the book is removed again.
pub(crate) fn without_empty_rest<T>(
    book: &Path,
    run: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let is_new = fs::symlink_metadata(book).is_err();
    run().inspect_err(|_| {
        if is_new && Store::open(book).and_then(|store| has_nothing(&store)).unwrap_or(false) {
            // The error of the command is more useful than one of this removal.
            let _ = fs::remove_file(book);
        }
    })
}

/// Returns whether nothing has been added to a store. Snapshots say nothing without positions.
fn has_nothing(store: &Store) -> Result<bool, StoreError> {
    let size = store.size()?;
    let jobs = store.queue(QueueOptions::default()).counts()?;
    let has_rows = size.log_rows > 0 || size.games > 0;
    Ok(!has_rows && store.inputs()?.is_empty() && jobs == JobCounts::default())
}
