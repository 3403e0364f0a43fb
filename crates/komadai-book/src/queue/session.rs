//! The part of a store's queue that ends with the process.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The workers' failures in a row, and the results that are merged but still in the outbox.
///
/// A result leaves the outbox with the next change of the queue: a transaction of its own would make
/// the growth of a book slower. If the process is killed before, its next run gets the result again.
#[derive(Debug, Default)]
pub(crate) struct Session {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    merged: Vec<u64>,
    failures_in_a_row: HashMap<String, u32>,
}

impl Session {
    /// No code that holds the lock panics half-way through a change.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The numbers of the merged results that are in the outbox.
    pub(crate) fn merged(&self) -> Vec<u64> {
        self.state().merged.clone()
    }

    pub(crate) fn note_merged(&self, ids: &[u64]) {
        self.state().merged.extend(ids);
    }

    /// Notes that results are not in the outbox any more.
    pub(crate) fn forget_merged(&self, ids: &[u64]) {
        self.state().merged.retain(|id| !ids.contains(id));
    }

    pub(crate) fn note_success(&self, worker: &str) {
        self.state().failures_in_a_row.remove(worker);
    }

    pub(crate) fn note_failure(&self, worker: &str) {
        *self.state().failures_in_a_row.entry(worker.to_owned()).or_default() += 1;
    }

    pub(crate) fn failures_in_a_row(&self, worker: &str) -> u32 {
        self.state().failures_in_a_row.get(worker).copied().unwrap_or(0)
    }

    pub(crate) fn forget_failures(&self) {
        self.state().failures_in_a_row.clear();
    }
}
