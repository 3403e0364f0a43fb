//! Another working book as an input.

use komadai::book::{Change, KnownMove, Store, StoreError};

/// Everything that a working book knows, but for what was deleted: its sources, its games, and every
/// analysis with its provenance.
pub(crate) fn changes_of(store: &Store) -> Result<Vec<Change>, StoreError> {
    let mut changes: Vec<Change> = store.inputs()?.into_iter().map(Change::Input).collect();
    store.for_each_position(|stored| {
        let position = &stored.record.position;
        changes.extend(stored.record.moves.iter().map(|listed| {
            let (m, ponder, games) = (listed.m, listed.ponder, listed.count.unwrap_or(0));
            Change::Move(KnownMove { position: position.clone(), m, ponder, games })
        }));
        Ok::<(), StoreError>(())
    })?;
    store.for_each_analysis(|entry| {
        let mut logged = entry.analysis;
        let stored = store.position(&logged.position)?;
        let is_there = |m| stored.iter().flat_map(|s| &s.record.moves).any(|listed| listed.m == m);
        logged.analysis.lines.retain(|line| line.pv.first().copied().is_some_and(is_there));
        changes.push(logged.into());
        Ok::<(), StoreError>(())
    })?;
    Ok(changes)
}
