//! Stores with their graph in memory.

use std::path::Path;

use komadai_bookfile::BookRecord;
use komadai_bookgraph::{BookGraph, GraphChange, Updated};
use komadai_core::Position;

use crate::store::{Change, Deletion, Store, StoreError, ViewPolicy};
use crate::stored_record::StoredRecord;

/// A [`Store`] together with the [`BookGraph`] of its view. Changes made through it are on disk
/// when the call returns, and the graph is up to date.
///
/// # Examples
///
/// ```
/// use komadai_book::{LoggedAnalysis, WorkingBook};
/// use komadai_core::{Analysis, AnalystId, Line, Position, Score};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.kbook");
/// let line = Line::exact(Score::cp(35), "2g2f 8c8d".parse()?);
/// let analysis = Analysis { lines: vec![line], nodes: 50_000, ..Analysis::default() };
/// let start = Position::hirate();
/// let engine = AnalystId::new("engine", "1");
/// let mut book = WorkingBook::open_or_create(&path)?;
/// book.merge(&[LoggedAnalysis::new(start.clone(), analysis, engine).into()])?;
/// drop(book);
///
/// let book = WorkingBook::open(&path)?;
/// assert_eq!(book.graph().value(&start).map(|value| value.score), Some(Score::cp(35)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WorkingBook {
    store: Store,
    graph: BookGraph,
}

impl WorkingBook {
    /// Opens a store and propagates its values.
    ///
    /// # Errors
    ///
    /// If the file cannot be [opened](Store::open).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::of_store(Store::open(path)?)
    }

    /// Opens a store, or makes a new one if there is no file.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), or if it cannot be made.
    pub fn open_or_create(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::of_store(Store::open_or_create(path)?)
    }

    /// [Verifies](Store::verify) a store and propagates its values.
    ///
    /// # Errors
    ///
    /// If it is damaged or cannot be read.
    pub fn of_store(mut store: Store) -> Result<Self, StoreError> {
        store.verify()?;
        let graph = store.graph()?;
        Ok(Self { store, graph })
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The graph.
    pub fn graph(&self) -> &BookGraph {
        &self.graph
    }

    /// Returns the graph and closes the store.
    #[must_use]
    pub fn into_graph(self) -> BookGraph {
        self.graph
    }

    /// Makes all changes, or none.
    ///
    /// # Errors
    ///
    /// As [`Store::merge_batch`].
    pub fn merge(&mut self, changes: &[Change]) -> Result<Updated, StoreError> {
        self.store.merge_batch(changes)?;
        let touched = changes.iter().filter_map(|change| match change {
            Change::Analysis(logged) => Some(&logged.position),
            Change::Move(known) => Some(&known.position),
            _ => None,
        });
        self.refresh(touched)
    }

    /// Deletes moves and positions from the view, all or none. Returns the number of each deletion.
    ///
    /// # Errors
    ///
    /// As [`Store::delete`].
    pub fn delete(&mut self, deletions: &[Deletion]) -> Result<Vec<u64>, StoreError> {
        let ids = self.store.delete(deletions)?;
        self.refresh(deletions.iter().map(|deletion| &deletion.position))?;
        Ok(ids)
    }

    /// Undoes deletions, all or none. Returns the number of those that were in force. `when` is in
    /// seconds since the start of 1970 (UTC).
    ///
    /// # Errors
    ///
    /// As [`Store::undo`].
    pub fn undo(&mut self, ids: &[u64], when: u64) -> Result<usize, StoreError> {
        let undone = self.store.undo(ids, when)?;
        let all = self.store.tombstones()?;
        let restored = all.iter().filter(|tombstone| ids.contains(&tombstone.id));
        self.refresh(restored.map(|tombstone| &tombstone.deletion.position))?;
        Ok(undone)
    }

    /// Sets the policy that selects evaluations, and propagates the values again.
    ///
    /// # Errors
    ///
    /// As [`Store::set_policy`].
    pub fn set_policy(&mut self, policy: &ViewPolicy) -> Result<(), StoreError> {
        self.store.set_policy(policy)?;
        self.graph = self.store.graph()?;
        Ok(())
    }

    /// Updates the graph where the view of these positions has changed.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn refresh<'p>(
        &mut self,
        positions: impl IntoIterator<Item = &'p Position>,
    ) -> Result<Updated, StoreError> {
        refresh(&self.store, &mut self.graph, positions)
    }

    /// The store, and the graph to be [refreshed](Self::refresh) after its changes.
    pub(crate) fn parts(&mut self) -> (&Store, &mut BookGraph) {
        (&self.store, &mut self.graph)
    }
}

/// Implements [`WorkingBook::refresh`].
pub(crate) fn refresh<'p>(
    store: &Store,
    graph: &mut BookGraph,
    positions: impl IntoIterator<Item = &'p Position>,
) -> Result<Updated, StoreError> {
    let mut changes = Vec::new();
    for position in positions {
        let position = position.without_history();
        let stored = store.position(&position)?;
        changes.extend(set(position, stored));
    }
    Ok(graph.apply(&changes)?)
}

/// The changes that give a position its view in a graph.
pub(crate) fn set(position: Position, stored: Option<StoredRecord>) -> [GraphChange; 2] {
    let (record, moves) = match stored {
        Some(stored) => (stored.record, stored.barred),
        // A record without moves removes the position from the graph.
        None => (BookRecord::new(position.clone()), Vec::new()),
    };
    [GraphChange::Bar { position, moves }, GraphChange::Set(record)]
}
