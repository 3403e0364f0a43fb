//! A book on disk with its values in memory.

use std::path::Path;

use komadai_core::Position;

use crate::store::{Change, Deletion, Store, StoreError, ViewPolicy};
use komadai_bookfile::BookRecord;
use komadai_bookgraph::{BookGraph, GraphChange, Updated};

/// A [`Store`] together with the [`BookGraph`] of its view. Whatever is merged, deleted or restored through
/// it is on disk when the call returns, and the values in memory are right again.
///
/// # Examples
///
/// ```
/// use komadai_book::{AnalystId, LoggedAnalysis, WorkingBook};
/// use komadai_core::{Analysis, Bound, Line, Position, Score};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.kbook");
/// let line = Line { score: Score::cp(35), bound: Bound::Exact, pv: "2g2f 8c8d".parse()? };
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

    /// Propagates the values of a store.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn of_store(store: Store) -> Result<Self, StoreError> {
        let graph = store.graph()?;
        Ok(Self { store, graph })
    }

    /// The file.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The values.
    #[must_use]
    pub fn graph(&self) -> &BookGraph {
        &self.graph
    }

    /// Gives the values back, and closes the file.
    #[must_use]
    pub fn into_graph(self) -> BookGraph {
        self.graph
    }

    /// Gives the file back.
    #[must_use]
    pub fn into_store(self) -> Store {
        self.store
    }

    /// Makes all these changes, or none.
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

    /// Takes moves and positions out, all or none; returns the number of each deletion.
    ///
    /// # Errors
    ///
    /// As [`Store::delete`].
    pub fn delete(&mut self, deletions: &[Deletion]) -> Result<Vec<u64>, StoreError> {
        let ids = self.store.delete(deletions)?;
        self.refresh(deletions.iter().map(|deletion| &deletion.position))?;
        Ok(ids)
    }

    /// Undoes deletions, all or none; returns how many were in force.
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

    /// Decides which evaluations count.
    ///
    /// # Errors
    ///
    /// As [`Store::set_policy`].
    pub fn set_policy(&mut self, policy: &ViewPolicy) -> Result<(), StoreError> {
        self.store.set_policy(policy)?;
        self.graph = self.store.graph()?;
        Ok(())
    }

    /// Brings the values in memory in line with the view, where these positions have changed.
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

    /// The file, to be read and written, and the values, to be brought in line.
    pub(crate) fn parts(&mut self) -> (&Store, &mut BookGraph) {
        (&self.store, &mut self.graph)
    }
}

/// See [`WorkingBook::refresh`].
pub(crate) fn refresh<'p>(
    store: &Store,
    graph: &mut BookGraph,
    positions: impl IntoIterator<Item = &'p Position>,
) -> Result<Updated, StoreError> {
    let mut changes = Vec::new();
    for position in positions {
        let position = position.without_history();
        let (record, moves) = match store.position(&position)? {
            Some(stored) => (stored.record, stored.barred),
            None => (BookRecord::new(position.clone()), Vec::new()),
        };
        changes.push(GraphChange::Bar { position, moves });
        changes.push(GraphChange::Set(record));
    }
    Ok(graph.apply(&changes)?)
}
